#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# From a fresh Debian 12 or 13 to the result of every test: set up, configure, build, run. Can be run again at any time.
#
# usage: packaging/test.sh [ctest options, such as -R keys or -L quick]
#
# Says how long each part took. The last lines are ctest's own summary, and its exit status is this script's.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

. packaging/timed.sh
timed "packages" packaging/setup.sh build run test
. packaging/build_environment.sh
timed "configure" configure unity
timed "both programs" cmake --build --preset unity -j "$(build_jobs)" --target idemdesk idemdeskctl
timed "test programs" cmake --build --preset unity -j "$(build_jobs)"
timed_summary test
exec ctest --preset unity "$@"
