#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# For developers: proves packaging/test.sh and packaging/demo.sh in a Debian 12 or 13 that holds nothing but apt.
#
# usage: packaging/prove-clean.sh [bookworm] [trixie] [demo] [test] [demo-user] [test-user]
#
# bookworm is Debian 12, trixie is 13; without either: both, one after the other.
# demo and test run as root, demo-user and test-user as an ordinary user who may use sudo; each in its own fresh root.
# Without one of these: demo-user and test, so that both scripts and both kinds of account are covered.
# Needs root and mmdebstrap. The root is made in a temporary folder and removed afterwards; it uses this machine's own
# package sources. What is committed is proved: the root gets a clone, not the working tree.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

usage() {
    echo "usage: packaging/prove-clean.sh [bookworm] [trixie] [demo] [test] [demo-user] [test-user]" >&2
    exit 2
}
releases=() words=()
for word in "$@"; do
    case $word in
    bookworm | trixie) releases+=("$word") ;;
    demo | test | demo-user | test-user) words+=("$word") ;;
    *) usage ;;
    esac
done
[ ${#releases[@]} -gt 0 ] || releases=(bookworm trixie)
[ ${#words[@]} -gt 0 ] || words=(demo-user test)
. packaging/clean_root.sh

prove() { # release word
    local release=$1 word=$2 script account=root home=/root
    script=packaging/${word%-user}.sh
    clean_root_make "$release"
    if [ "$word" != "${word%-user}" ]; then
        account=person home=/home/person
        clean_root_add_user "$account"
    fi
    clean_root_clone "$home/idemdesk" "$account"
    echo "prove: $script as $account in a clean Debian $release"
    SECONDS=0
    clean_root_run_as "$account" "$home" "$home/idemdesk/$script"
    echo "prove: $script succeeded as $account in $release after $SECONDS s"
    # Once more: nothing may be installed or left over. Of the tests the quick ones will do.
    local again=("$home/idemdesk/$script")
    [ "${word%-user}" = demo ] || again+=(-L quick)
    SECONDS=0
    clean_root_run_as "$account" "$home" "${again[@]}" >"$clean_root.log" 2>&1 || {
        tail -n 40 "$clean_root.log" >&2
        echo "prove: $script failed when run again" >&2
        exit 1
    }
    if ! grep -q '^setup: all .* are installed$' "$clean_root.log"; then
        echo "prove: the second run installed something" >&2
        exit 1
    fi
    echo "prove: and again, after $SECONDS s"
    clean_root_check_quiet
    clean_root_remove
}

for release in "${releases[@]}"; do
    for word in "${words[@]}"; do
        prove "$release" "$word"
    done
done
echo "prove: all of it succeeded: ${words[*]} in ${releases[*]}"
