#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# For developers: proves packaging/test.sh and packaging/demo.sh in a Debian 12 that holds nothing but apt.
#
# usage: packaging/prove-clean.sh [demo] [test]      without a word: both, each in its own fresh root
#
# Needs root and mmdebstrap. The root is made in a temporary folder and removed afterwards; it uses this machine's own
# package sources. What is committed is proved: the root gets a clone, not the working tree.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. packaging/clean_root.sh

words=("$@")
[ $# -gt 0 ] || words=(demo test)
for word in "${words[@]}"; do
    case $word in
    demo | test) ;;
    *) echo "usage: packaging/prove-clean.sh [demo] [test]" >&2; exit 2 ;;
    esac
done

for word in "${words[@]}"; do
    clean_root_make
    clean_root_clone
    echo "prove: packaging/$word.sh in a clean Debian 12"
    SECONDS=0
    clean_root_run "/root/idemdesk/packaging/$word.sh"
    echo "prove: packaging/$word.sh succeeded after $SECONDS s"
    SECONDS=0
    clean_root_run "/root/idemdesk/packaging/$word.sh" >"$clean_root.log" 2>&1 || {
        tail -n 40 "$clean_root.log" >&2
        echo "prove: packaging/$word.sh failed when run again" >&2
        exit 1
    }
    echo "prove: and again, after $SECONDS s"
    clean_root_check_quiet
    clean_root_remove
done
echo "prove: all of it succeeded: ${words[*]}"
