#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# For developers: builds the Debian package, installs it in a clean Debian 12 and starts it there.
#
# usage: packaging/prove-deb.sh
#
# Needs root and mmdebstrap. Shows that the package's own dependencies suffice: nothing else is installed by hand but the
# server for the demo, and that without a cluster of its own.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. packaging/build_environment.sh
. packaging/clean_root.sh

cmake --preset release -B build/package -DBUILD_TESTING=OFF
cmake --build build/package -j2
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
packaging/checks/deb.sh "$(command -v cpack)" build/package build/package/deb
package=$(find build/package/deb -maxdepth 1 -name '*.deb')

clean_root_make
cp "$package" "$clean_root/root/idemdesk.deb"
apt_in_root() {
    clean_root_run env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Dpkg::Use-Pty=0 "$@" >"$clean_root.log" 2>&1 || {
        tail -n 40 "$clean_root.log" >&2
        exit 1
    }
}
echo "prove: installing it with apt, recommended packages included"
apt_in_root update
apt_in_root install /root/idemdesk.deb
clean_root_run sh -c 'test ! -e /usr/lib/postgresql/15/bin/initdb' || { echo "prove: a server came in with it" >&2; exit 1; }

echo "prove: without a server the demo says what is missing"
if clean_root_run idemdeskctl demo start >"$clean_root.log" 2>&1; then
    echo "prove: the demo started without a server?" >&2
    exit 1
fi
grep -q 'postgresql-15' "$clean_root.log" || { cat "$clean_root.log" >&2; exit 1; }

mkdir -p "$clean_root/etc/postgresql-common/createcluster.d"
echo 'create_main_cluster = false' >"$clean_root/etc/postgresql-common/createcluster.d/no-main.conf"
apt_in_root install --no-install-recommends postgresql-15

echo "prove: rendering the demo's pages"
clean_root_run env QT_QPA_PLATFORM=offscreen idemdesk --demo --capture /root/pages
pages=$(find "$clean_root/root/pages" -name '*.png' -size +2k | wc -l)
[ "$pages" -ge 4 ] || { echo "prove: only $pages pages were rendered" >&2; exit 1; }
clean_root_run idemdeskctl demo start --no-workload
rows=$(clean_root_run idemdeskctl keys --target plpgsql-request --filter 'state:stale attempts>=3' --json | grep -c '"key"' || true)
[ "$rows" -gt 0 ] || { echo "prove: idemdeskctl found no stale key" >&2; exit 1; }
clean_root_run idemdeskctl demo stop --remove
clean_root_run apt-get -qq -y purge idemdesk >/dev/null
clean_root_check_quiet
clean_root_remove
echo "prove: the package works in a clean Debian 12: $pages pages rendered, $rows stale keys listed"
