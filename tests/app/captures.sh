#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Takes the pictures that packaging/demo.sh takes without a display: each page can be brought to what they show.
#
# usage: captures.sh IDEMDESK
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder" # the server's account goes through it to its cluster
# A demo that somebody has running stays as it is.
HOME=$folder IDEMDESK_CLUSTERS=$folder QT_QPA_PLATFORM=offscreen timeout 540 "$1" --demo --capture "$folder/pages" --capture-parts light \
    >"$folder/said" 2>&1 || { tail -n 20 "$folder/said" >&2; echo "captures: it ended before its end" >&2; exit 1; }
told=$(sed -n 's/^idemdesk: \([0-9]*\) pictures written\.$/\1/p' "$folder/said")
there=$(find "$folder/pages" -name '*.png' -size +2k | wc -l)
if [ "${told:-0}" -lt 90 ] || [ "$there" -ne "$told" ]; then
    echo "captures: ${told:-no} pictures told, $there there" >&2
    exit 1
fi
echo "captures: $there pictures"
