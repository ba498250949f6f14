#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The scripts parse and refuse words they do not know; the list of packages is well formed, and setup.sh chooses well.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
bad=0
complain() { echo "$1" >&2; bad=1; }

for script in *.sh *.in checks/*.sh ../.ci/run; do
    bash -n "$script" || complain "$script does not parse"
done
for command in "./setup.sh nonsense" "./demo.sh --nonsense" "./prove-clean.sh nonsense" "./prove-deb.sh nonsense"; do
    status=0
    $command >/dev/null 2>&1 || status=$?
    [ "$status" -eq 2 ] || complain "$command ended with $status instead of 2"
done
awk '/^[[:space:]]*(#|$)/ { next }
     $1 !~ /^(build|run|test)$/ || NF < 3 || $2 !~ /^[a-z0-9][a-z0-9.+-]+(\|[a-z0-9][a-z0-9.+-]+)*$/ {
         print "dependencies.txt:" FNR ": expected: group package[|package...] reason" > "/dev/stderr"; bad = 1 }
     { for (i = split($2, names, "|"); i > 0; --i)
           if (seen[names[i]]++) { print "dependencies.txt:" FNR ": twice: " names[i] > "/dev/stderr"; bad = 1 } }
     END { exit bad }' dependencies.txt || bad=1

# What setup.sh would install on other machines: dpkg-query and apt-cache answer from two lists.
fakes=$(mktemp -d)
trap 'rm -rf -- "$fakes"' EXIT
cat >"$fakes/dpkg-query" <<'END'
#!/bin/bash
cat "${0%/*}/installed"
END
cat >"$fakes/apt-cache" <<'END'
#!/bin/bash
grep -qxF -- "$2" "${0%/*}/offered" || exit 0
# A long list of versions follows: whoever stops reading before its end makes this program fail.
printf '%s:\n  Installed: (none)\n  Candidate: 1.0\n  Version table:\n' "$2"
seq 20000
END
chmod +x "$fakes/dpkg-query" "$fakes/apt-cache"
expect_choice() { # what installed offered expected unexpected
    local chosen name
    tr ' ' '\n' <<<"$2" | sed 's/\([^=]*\)=*\(.*\)/installed|\1|\2 (= 1.0)/' >"$fakes/installed"
    echo 'config-files|jq|' >>"$fakes/installed"
    tr ' ' '\n' <<<"$3" >"$fakes/offered"
    chosen=" $(PATH="$fakes:$PATH" ./setup.sh --dry-run | sed -n 's/^setup: would install: //p') "
    for name in $4; do [[ $chosen == *" $name "* ]] || complain "$1: setup.sh leaves out $name:$chosen"; done
    for name in $5; do [[ $chosen != *" $name "* ]] || complain "$1: setup.sh would install $name:$chosen"; done
}
debian_12="postgresql-15 postgresql-15-cron" debian_13="postgresql-17 postgresql-17-cron"
expect_choice "a bare Debian 12" "apt" "$debian_12" "$debian_12 libqt6opengl6-dev jq" "$debian_13"
expect_choice "a bare Debian 13" "apt qt6-base-dev=libqt6opengl6-dev" "$debian_13" "$debian_13 jq" \
    "$debian_12 libqt6opengl6-dev"
expect_choice "an older server is there" "postgresql-15" "$debian_12 $debian_13" "postgresql-15-cron" \
    "$debian_13 postgresql-15"
expect_choice "the newest server counts" "postgresql-17 $debian_12" "$debian_12 $debian_13" "postgresql-17-cron" \
    "$debian_12 postgresql-17"
expect_choice "a server of another source" "postgresql-18" "$debian_12" "postgresql-18-cron" "$debian_12 postgresql-18"

# Where everything is installed (or this test would not run), nothing may be installed again.
./setup.sh | grep -q 'are installed$' || complain "setup.sh finds something missing"
exit $bad
