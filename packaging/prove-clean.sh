#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# For developers: proves packaging/test.sh and packaging/demo.sh in a Debian 12 that holds nothing but apt.
#
# usage: packaging/prove-clean.sh [demo] [test] [demo-user] [test-user]
#
# demo and test run as root, demo-user and test-user as an ordinary user who may use sudo; each in its own fresh root.
# Without a word: demo-user and test, so that both scripts and both kinds of account are covered.
# Needs root and mmdebstrap. The root is made in a temporary folder and removed afterwards; it uses this machine's own
# package sources. What is committed is proved: the root gets a clone, not the working tree.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. packaging/clean_root.sh

words=("$@")
[ $# -gt 0 ] || words=(demo-user test)
for word in "${words[@]}"; do
    case $word in
    demo | test | demo-user | test-user) ;;
    *) echo "usage: packaging/prove-clean.sh [demo] [test] [demo-user] [test-user]" >&2; exit 2 ;;
    esac
done

for word in "${words[@]}"; do
    script=packaging/${word%-user}.sh
    account=root home=/root
    clean_root_make
    if [ "$word" != "${word%-user}" ]; then
        account=person home=/home/person
        clean_root_add_user "$account"
    fi
    clean_root_clone "$home/idemdesk" "$account"
    echo "prove: $script as $account in a clean Debian 12"
    SECONDS=0
    clean_root_run_as "$account" "$home" "$home/idemdesk/$script"
    echo "prove: $script succeeded as $account after $SECONDS s"
    SECONDS=0
    clean_root_run_as "$account" "$home" "$home/idemdesk/$script" >"$clean_root.log" 2>&1 || {
        tail -n 40 "$clean_root.log" >&2
        echo "prove: $script failed when run again" >&2
        exit 1
    }
    grep -q '^setup: all .* are installed$' "$clean_root.log" || { echo "prove: the second run installed something" >&2; exit 1; }
    echo "prove: and again, after $SECONDS s"
    clean_root_check_quiet
    clean_root_remove
done
echo "prove: all of it succeeded: ${words[*]}"
