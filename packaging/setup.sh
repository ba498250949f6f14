#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing of packaging/dependencies.txt, and nothing else.
#
# usage: packaging/setup.sh [--dry-run] [GROUP...]      groups: build run test; without one: all
#
# Works as root and as a user who may use sudo. Where nothing is missing it neither asks for sudo nor calls apt.
# --dry-run says what would be installed, by the package lists as they are, and changes nothing.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")

dry_run=
if [ "${1-}" = --dry-run ]; then
    dry_run=1
    shift
fi
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
# One query for all: the name of each package that is fully installed, whatever its architecture, and what it provides.
installed=$(dpkg-query -W -f='${db:Status-Status}|${Package}|${Provides}\n' | awk -F '|' '
    $1 != "installed" { next }
    { print $2 }
    $3 != "" { gsub(/\([^)]*\)/, "", $3); n = split($3, names, /[ ,]+/); for (i = 1; i <= n; ++i) print names[i] }')
is_installed() { grep -qxF -- "$1" <<<"$installed"; }

# The server's version: the newest installed of those listed, newest first. Empty where there is none yet.
server=
IFS='|' read -ra servers < <(awk '$2 ~ /^postgresql-[0-9]+(\||$)/ { print $2 }' "$here/dependencies.txt")
for name in "${servers[@]}"; do
    is_installed "$name" && server=${name##*-} && break
done
# The names of a row, one a line, without what belongs to another version of the server.
alternatives() { # row
    tr '|' '\n' <<<"$1" | awk -v server="$server" '
        server == "" || $0 !~ /^postgresql-[0-9]+-/ || index($0, "postgresql-" server "-") == 1'
}
missing=()
for row in "${wanted[@]}"; do
    found=
    for name in $(alternatives "$row"); do
        is_installed "$name" && found=1 && break
    done
    [ -n "$found" ] || missing+=("$row")
done
if [ ${#missing[@]} -eq 0 ]; then
    echo "setup: all ${#wanted[@]} packages are installed"
    exit 0
fi

# Fills "chosen": of each row the first that apt has, else its first, so that apt itself says what it does not find.
chosen=()
choose() {
    local row name names
    for row in "${missing[@]}"; do
        mapfile -t names < <(alternatives "$row")
        # A single name is left to apt, which also knows what another package provides.
        for name in "${names[@]}"; do
            [ ${#names[@]} -gt 1 ] && has_apt "$name" && names=("$name") && break
        done
        chosen+=("${names[0]}")
        if [[ ${names[0]} =~ ^postgresql-([0-9]+)$ ]]; then
            server=${BASH_REMATCH[1]}
        fi
    done
}
has_apt() {
    # Read to its end: under pipefail a program that is cut off in its answer counts as failed.
    local answer
    answer=$(LC_ALL=C apt-cache policy "$1" 2>/dev/null) && grep -q '^  Candidate: [^(]' <<<"$answer"
}

if [ -n "$dry_run" ]; then
    choose
    echo "setup: would install: ${chosen[*]}"
    exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "setup: run this as root, or install sudo; missing: ${missing[*]//|/ or }" >&2
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

# A file that is there while packages are installed, and gone afterwards. What exists already is left alone.
lay_down() { # mode path text
    [ -e "$2" ] && return
    made+=("$2")
    "${as_root[@]}" mkdir -p "$(dirname "$2")"
    printf '%s\n' "$3" | "${as_root[@]}" tee "$2" >/dev/null
    "${as_root[@]}" chmod "$1" "$2"
}

apt_get() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 NEEDRESTART_SUSPEND=1 \
        apt-get -q -y -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confold "$@"
}
give_up() {
    echo "setup: $1; the last lines were:" >&2
    tail -n 25 "$log" >&2
    exit 1
}

echo "setup: ${#missing[@]} of ${#wanted[@]} packages are missing; reading the package lists"
# A machine that was just started reads the lists by itself; unlike for the packages', apt does not wait for their lock.
for ((tries = 1; ; ++tries)); do
    apt_get update >"$log" 2>&1 && break
    { [ "$tries" -lt 60 ] && grep -q 'Could not get lock' "$log"; } || give_up "apt-get update failed"
    [ "$tries" -gt 1 ] || echo "setup: another program is at the package lists; waiting up to ten minutes for it"
    sleep 10
done
choose
echo "setup: to be installed: ${chosen[*]}"
# Whether a name that fits the expression is to be installed.
is_chosen() { grep -qE -- "^($1)\$" <<<"$(printf '%s\n' "${chosen[@]}")"; }
# The programs are wanted, not running servers: no cluster main, and no service started by the installation.
is_chosen 'postgresql-[0-9].*' && lay_down 0644 "$no_cluster" "create_main_cluster = false"
lay_down 0755 "$no_services" "$(printf '#!/bin/sh\nexit 101')"
total=$(apt_get --no-install-recommends --simulate install "${chosen[@]}" 2>>"$log" | grep -c '^Inst ') \
    || give_up "the packages cannot be installed"
echo "setup: installing ${#chosen[@]} packages, $total with what they need"
# Line by line: awk reads ahead, and said nothing for minutes.
tell_progress() { # total
    local line unpacked=0 done=0
    while IFS= read -r line; do
        case $line in
        'Fetched '*) line=${line#Fetched }; echo "setup: downloaded ${line%% in *}" ;;
        'Unpacking '*) ((++unpacked % 100)) || echo "setup: unpacked $unpacked of $1" ;;
        'Setting up '*) ((++done % 100)) || echo "setup: set up $done of $1" ;;
        esac
    done
}
if ! apt_get --no-install-recommends install "${chosen[@]}" 2>&1 | tee -a "$log" | tell_progress "$total"; then
    give_up "apt-get install failed"
fi
for service in pgbouncer redis-server; do
    if is_chosen "$service" && command -v systemctl >/dev/null; then
        # Only tests use it; it shall not come up with the next boot either.
        "${as_root[@]}" systemctl disable --quiet "$service.service" >/dev/null 2>&1 || true
    fi
done
echo "setup: done"
