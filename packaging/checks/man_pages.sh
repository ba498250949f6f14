#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Each page formats without a warning, and its NAME line can be indexed.
# usage: man_pages.sh PAGE…
set -euo pipefail
bad=0
[ $# -gt 0 ] || { echo "no page to look at" >&2; exit 1; }
for page in "$@"; do
    # No --local-file in minimal systems' dpkg excludes: man reads the path itself.
    warnings=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
    if [ -n "$warnings" ]; then
        echo "$page: $warnings" >&2
        bad=1
    fi
    lexgrog "$page" >/dev/null || { echo "$page: the NAME section cannot be parsed" >&2; bad=1; }
done
exit $bad
