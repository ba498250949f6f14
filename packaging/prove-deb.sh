#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# For developers: builds the Debian package in a clean Debian 12 or 13, installs it in another one and starts it there.
#
# usage: packaging/prove-deb.sh [bookworm] [trixie]
#
# bookworm is Debian 12, trixie is 13; without either: both, one after the other. A package is for the release it is
# built in, whose libraries it names. What is committed is proved, and the packages are left in build/deb/RELEASE.
# Needs root and mmdebstrap. Shows that the package's own dependencies suffice: nothing else is installed by hand but
# the server for the demo, and that without a cluster of its own.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

releases=()
for word in "$@"; do
    case $word in
    bookworm | trixie) releases+=("$word") ;;
    *) echo "usage: packaging/prove-deb.sh [bookworm] [trixie]" >&2; exit 2 ;;
    esac
done
[ ${#releases[@]} -gt 0 ] || releases=(bookworm trixie)
. packaging/clean_root.sh

# Runs inside the root, at the top of the clone.
build_package=$(cat <<'END'
set -euo pipefail
cd /root/idemdesk
packaging/setup.sh build test
. packaging/build_environment.sh
cmake --preset release -B build/package -DBUILD_TESTING=OFF
cmake --build build/package -j2
packaging/checks/deb.sh "$(command -v cpack)" build/package build/package/deb
END
)

quietly() { # command...
    "$@" >"$clean_root.log" 2>&1 || {
        tail -n 40 "$clean_root.log" >&2
        exit 1
    }
}
apt_in_root() {
    quietly clean_root_run env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Dpkg::Use-Pty=0 "$@"
}

prove() { # release
    local release=$1 package pages rows
    clean_root_make "$release"
    clean_root_clone /root/idemdesk root
    echo "prove: building the package in a clean Debian $release"
    clean_root_run env SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)" bash -c "$build_package"
    rm -rf -- "build/deb/$release"
    mkdir -p "build/deb/$release"
    find "$clean_root/root/idemdesk/build/package/deb" -maxdepth 1 -name '*.deb' -exec cp {} "build/deb/$release/" \;
    clean_root_remove
    package=$(find "build/deb/$release" -maxdepth 1 -name '*.deb')

    clean_root_make "$release"
    cp "$package" "$clean_root/root/idemdesk.deb"
    echo "prove: installing it with apt, recommended packages included"
    apt_in_root update
    apt_in_root install /root/idemdesk.deb
    if compgen -G "$clean_root/usr/lib/postgresql/*/bin/initdb" >/dev/null; then
        echo "prove: a server came in with it" >&2
        exit 1
    fi

    echo "prove: without a server the demo says what is missing"
    if clean_root_run idemdeskctl demo start >"$clean_root.log" 2>&1; then
        echo "prove: the demo started without a server?" >&2
        exit 1
    fi
    grep -q 'Install the package postgresql\.' "$clean_root.log" || { cat "$clean_root.log" >&2; exit 1; }

    mkdir -p "$clean_root/etc/postgresql-common/createcluster.d"
    echo 'create_main_cluster = false' >"$clean_root/etc/postgresql-common/createcluster.d/no-main.conf"
    apt_in_root install --no-install-recommends postgresql

    echo "prove: rendering the demo's pages"
    clean_root_run env QT_QPA_PLATFORM=offscreen idemdesk --demo --capture /root/pages
    pages=$(find "$clean_root/root/pages" -name '*.png' -size +2k | wc -l)
    [ "$pages" -ge 4 ] || { echo "prove: only $pages pages were rendered" >&2; exit 1; }
    # The help came along: a table that the program made is in it, and nothing is left of the mark it stands for.
    clean_root_run cat /usr/share/idemdesk/help/html/profile.html >"$clean_root.log"
    grep -q 'needs_effect' "$clean_root.log" && ! grep -q 'made: profile' "$clean_root.log" || {
        echo "prove: the help in HTML lacks the profile reference" >&2
        exit 1
    }
    clean_root_run idemdeskctl help --topic filter >"$clean_root.log"
    grep -q 'attempts' "$clean_root.log" || { echo "prove: idemdeskctl has no help pages" >&2; exit 1; }
    clean_root_run idemdeskctl demo start --no-workload
    clean_root_run idemdeskctl keys --target plpgsql-request --filter 'state:stale attempts>=3' --json \
        >"$clean_root.log"
    rows=$(grep -c '"key"' "$clean_root.log" || true)
    [ "$rows" -gt 0 ] || { echo "prove: idemdeskctl found no stale key" >&2; exit 1; }
    clean_root_run idemdeskctl demo stop --remove
    clean_root_run apt-get -qq -y purge idemdesk >/dev/null
    clean_root_check_quiet
    clean_root_remove
    echo "prove: the package works in a clean Debian $release: $pages pages rendered, $rows stale keys listed"
}

for release in "${releases[@]}"; do
    prove "$release"
done
