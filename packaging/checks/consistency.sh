#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The version and the application's id stand in several files; they must agree.
# usage: consistency.sh VERSION APP_ID MANUAL_PAGE…
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
version=$1 id=$2 bad=0
shift 2

expect() { # file pattern
    grep -qF -- "$2" "$1" || { echo "packaging/$1: expected: $2" >&2; bad=1; }
}
expect "$id.metainfo.xml" "<id>$id</id>"
expect "$id.metainfo.xml" ">$id.desktop</launchable>"
expect "$id.metainfo.xml" "<release version=\"$version\""
expect "$id.desktop" "Icon=$id"
expect deb/changelog "idemdesk ($version) "
for page in "$@"; do
    grep -qF -- "Idemdesk $version" "$page" || { echo "$page: expected: Idemdesk $version" >&2; bad=1; }
done
exit $bad
