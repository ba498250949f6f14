#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The scripts parse, refuse words they do not know, and the list of packages is well formed.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
bad=0
complain() { echo "$1" >&2; bad=1; }

for script in *.sh checks/*.sh ../.ci/run; do
    bash -n "$script" || complain "$script does not parse"
done
for command in "./setup.sh nonsense" "./demo.sh --nonsense"; do
    status=0
    $command >/dev/null 2>&1 || status=$?
    [ "$status" -eq 2 ] || complain "$command ended with $status instead of 2"
done
awk '!/^[[:space:]]*(#|$)/ && ($1 !~ /^(build|run|test)$/ || NF < 3 || $2 !~ /^[a-z0-9][a-z0-9.+-]+$/) {
         print "dependencies.txt:" FNR ": expected: group package reason" > "/dev/stderr"; bad = 1 }
     !/^[[:space:]]*(#|$)/ && seen[$2]++ { print "dependencies.txt:" FNR ": twice: " $2 > "/dev/stderr"; bad = 1 }
     END { exit bad }' dependencies.txt || bad=1
# Where everything is installed (or this test would not run), nothing may be installed again.
./setup.sh | grep -q 'are installed$' || complain "setup.sh finds something missing"
exit $bad
