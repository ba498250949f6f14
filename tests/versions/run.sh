#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the tests that need a server on each PostgreSQL server found, and says for each version what passed.
#
# usage: tests/versions/run.sh [ctest options, such as -R keys]
#
# IDEMDESK_PG_BINS lists the servers' bin folders (colons or blanks between them); without it, those installed are
# taken. packaging/fetch-servers.sh fetches servers of other versions. BUILD names the build folder; without it:
# build/unity, as packaging/test.sh makes it.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
build=${BUILD:-build/unity}
[ -f "$build/CTestTestfile.cmake" ] || { echo "versions: $build holds no build; make one, or set BUILD" >&2; exit 2; }

if [ -n "${IDEMDESK_PG_BINS:-}" ]; then
    read -r -a servers <<<"${IDEMDESK_PG_BINS//:/ }"
else
    shopt -s nullglob
    servers=(/usr/lib/postgresql/*/bin)
fi
found=()
for server in "${servers[@]}"; do
    if [ -x "$server/initdb" ] && [ -x "$server/postgres" ]; then
        found+=("$server")
    elif [ -n "${IDEMDESK_PG_BINS:-}" ]; then
        echo "versions: there is no PostgreSQL server in $server" >&2
        exit 1
    fi
done
# A run without any server would pass and prove nothing.
if [ ${#found[@]} -eq 0 ]; then
    echo "versions: no PostgreSQL server was found; see packaging/fetch-servers.sh" >&2
    exit 1
fi

# What each server runs unless the call says otherwise: the SQL, the faults, the demo, the terminal, and end to end.
chosen=("$@")
[ $# -gt 0 ] || chosen=(-R '^(sql|faults|versions)/|^app/(attacks_ctl|ctl|demo)')
# As the preset has it; more than four programs side by side want more memory than a small machine has.
export CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-4}
logs=$(mktemp -d -t idemdesk-versions.XXXXXX)
rows=()
bad=0
for server in "${found[@]}"; do
    version=$("$server/postgres" --version | sed 's/.* \([0-9][0-9.a-z]*\).*/\1/')
    leave=()
    note=
    if ! ls "$server"/../lib/pg_cron.so "$server"/../lib/postgresql/pg_cron.so >/dev/null 2>&1; then
        leave+=('sql/cron') # a package of its own, made for one server
        note="without pg_cron"
    fi
    dump=$server/pg_dump
    [ -x "$dump" ] || dump=pg_dump
    dump=$("$dump" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
    if [ "$dump" -lt "${version%%.*}" ]; then
        leave+=('app/ctl_adopt') # pg_dump refuses a server newer than itself
        note+="${note:+, }without its pg_dump"
    fi
    echo "versions: PostgreSQL $version in $server"
    status=0
    IDEMDESK_PG_BIN=$server IDEMDESK_PG_BINS=$server ctest --test-dir "$build" --output-on-failure --no-tests=error \
        "${chosen[@]}" ${leave[0]+-E "^($(IFS='|'; echo "${leave[*]}"))\$"} 2>&1 | tee "$logs/$version.log" || status=$?
    [ "$status" -eq 0 ] || bad=1
    summary=$(sed -n 's/^\([0-9]*% tests passed, .*\)$/\1/p' "$logs/$version.log")
    failed=$(sed -n 's/^\t *[0-9]* - \([^ ]*\) .*/\1/p' "$logs/$version.log" | tr '\n' ' ')
    rows+=("$(printf '%-10s %-48s %s%s' "$version" "${summary:-did not run}" "$note" "${failed:+ failed: $failed}")")
done
printf '\n%-10s %s\n' VERSION RESULT
printf '%s\n' "${rows[@]}"
echo "versions: the output of each is in $logs"
exit $bad
