#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing of packaging/dependencies.txt, and nothing else.
#
# usage: packaging/setup.sh [GROUP...]      groups: build run test; without one: all
#
# Works as root and as a user who may use sudo. Where nothing is missing it neither asks for sudo nor calls apt.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")

groups=("$@")
[ $# -gt 0 ] || groups=(build run test)
for group in "${groups[@]}"; do
    case $group in
    build | run | test) ;;
    *) echo "setup: unknown group $group; there are: build run test" >&2; exit 2 ;;
    esac
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "setup: this is no Debian system; install by hand what packaging/dependencies.txt lists" >&2
    exit 1
fi

mapfile -t wanted < <(awk -v groups=" ${groups[*]} " '
    /^[[:space:]]*(#|$)/ { next }
    index(groups, " " $1 " ") { print $2 }' "$here/dependencies.txt")
# One query for all: a line for each package that is fully installed, whatever its architecture.
installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null \
    | sed -n 's/^installed //p' || true)
missing=()
for package in "${wanted[@]}"; do
    grep -qxF -- "$package" <<<"$installed" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
    echo "setup: all ${#wanted[@]} packages are installed"
    exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "setup: run this as root, or install sudo; missing: ${missing[*]}" >&2
        exit 1
    }
    as_root=(sudo)
fi

log=$(mktemp -t idemdesk-setup.XXXXXX)
no_cluster=/etc/postgresql-common/createcluster.d/idemdesk-setup.conf
no_services=/usr/sbin/policy-rc.d
made=()
cleanup() {
    [ ${#made[@]} -eq 0 ] || "${as_root[@]}" rm -f -- "${made[@]}"
    rm -f -- "$log"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

is_missing() { printf '%s\n' "${missing[@]}" | grep -qxF -- "$1"; }
# A file that is there while packages are installed, and gone afterwards. What exists already is left alone.
lay_down() { # mode path text
    [ -e "$2" ] && return
    made+=("$2")
    "${as_root[@]}" mkdir -p "$(dirname "$2")"
    printf '%s\n' "$3" | "${as_root[@]}" tee "$2" >/dev/null
    "${as_root[@]}" chmod "$1" "$2"
}
# The programs are wanted, not running servers: no cluster main, and no service started by the installation.
is_missing postgresql-15 && lay_down 0644 "$no_cluster" "create_main_cluster = false"
lay_down 0755 "$no_services" "$(printf '#!/bin/sh\nexit 101')"

apt_get() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 NEEDRESTART_SUSPEND=1 \
        apt-get -q -y -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confold "$@"
}
give_up() {
    echo "setup: $1; the last lines were:" >&2
    tail -n 25 "$log" >&2
    exit 1
}

echo "setup: ${#missing[@]} of ${#wanted[@]} packages are missing: ${missing[*]}"
echo "setup: reading the package lists"
apt_get update >"$log" 2>&1 || give_up "apt-get update failed"
total=$(apt_get --no-install-recommends --simulate install "${missing[@]}" 2>>"$log" | grep -c '^Inst ') \
    || give_up "the packages cannot be installed"
echo "setup: installing ${#missing[@]} packages, $total with what they need"
if ! apt_get --no-install-recommends install "${missing[@]}" 2>&1 | tee -a "$log" | awk -v total="$total" '
        /^Fetched /    { print "setup: downloaded " $2 " " $3; fflush() }
        /^Unpacking /  { if (++unpacked % 100 == 0) { print "setup: unpacked " unpacked " of " total; fflush() } }
        /^Setting up / { if (++done % 100 == 0) { print "setup: set up " done " of " total; fflush() } }'; then
    give_up "apt-get install failed"
fi
if is_missing pgbouncer && command -v systemctl >/dev/null; then
    # Only its tests use it; it shall not come up with the next boot either.
    "${as_root[@]}" systemctl disable --quiet pgbouncer.service >/dev/null 2>&1 || true
fi
echo "setup: done"
