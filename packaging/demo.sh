#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# From a fresh Debian 12 or 13 to the console on its own demo database: set up, build, start. Can be run again.
#
# usage: packaging/demo.sh [--capture [DIR]]
#
# With a display it opens the window; the demo stops when the window is closed. Without one, or with --capture, it
# renders every page to DIR (build/demo/pages) instead.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

capture=
case ${1-} in
'') ;;
--capture) capture=${2:-build/demo/pages} ;;
*) echo "usage: packaging/demo.sh [--capture [DIR]]" >&2; exit 2 ;;
esac
if [ -z "$capture" ] && [ -z "${DISPLAY-}${WAYLAND_DISPLAY-}" ]; then
    echo "demo: there is no display; rendering the pages to files"
    capture=build/demo/pages
fi

. packaging/timed.sh
timed "packages" packaging/setup.sh build run
. packaging/build_environment.sh
timed "configure" configure demo
timed "both programs" cmake --build --preset demo -j "$(build_jobs)"
timed_summary demo
unset GLIBC_TUNABLES # the demo runs as the programs run anywhere

if [ -z "$capture" ]; then
    echo "demo: opening the console; close its window to end the demo"
    build/demo/bin/idemdesk --demo
    echo "demo: ended"
    exit 0
fi
mkdir -p "$capture"
find "$capture" -maxdepth 1 -name '*.png' -delete
QT_QPA_PLATFORM=offscreen build/demo/bin/idemdesk --demo --capture "$capture"
pages=$(find "$capture" -maxdepth 1 -name '*.png' | wc -l)
if [ "$pages" -eq 0 ]; then
    echo "demo: no page was rendered" >&2
    exit 1
fi
echo "demo: $pages pages rendered to $capture"
