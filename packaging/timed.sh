# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Sourced by demo.sh and test.sh: says where the time goes.
timed_parts=()

timed() { # name command...
    local name=$1 begin=$SECONDS
    shift
    "$@"
    timed_parts+=("$name $((SECONDS - begin)) s")
}

timed_summary() { # script
    local IFS=,
    echo "$1: time so far:${timed_parts[*]/#/ }"
}
