#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The AppStream metainfo is valid to the validator of either release; remarks count as well as errors.
# usage: metainfo.sh FILE
set -euo pipefail
options=(--no-net --no-color --pedantic --strict --explain)
# From 1.0 on (Debian 13) it asks for three things more, which stay remarks that do not count: the developer in an
# element that the validator of Debian 12 does not know, of which two of them are, and a homepage, of which the project
# has none.
version=$(appstreamcli --version | sed -n 's/^AppStream version: *\([0-9]*\).*/\1/p')
if [ "${version:-0}" -ge 1 ]; then
    remarks=developer-name-tag-deprecated=pedantic,developer-info-missing=pedantic,url-homepage-missing=pedantic
    options+=("--override=$remarks")
fi
exec appstreamcli validate "${options[@]}" "$1"
