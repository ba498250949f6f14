#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the Debian package of a finished build and shows that it holds what it should and that lintian has no complaint.
# usage: deb.sh CPACK BUILD_FOLDER OUTPUT_FOLDER
set -euo pipefail
cpack=$1 build=$2 out=$3
umask 022
rm -rf -- "$out"
mkdir -p "$out"
# One date for everything inside, so that the same sources make the same package.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(date -u -d 2026-11-20 +%s)}
export SOURCE_DATE_EPOCH
# What is shipped is packed tighter, which takes half a minute here and shows nothing more.
if ! "$cpack" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip --config "$build/CPackConfig.cmake" -G DEB -B "$out" >"$out/cpack.log" 2>&1; then
    tail -n 40 "$out/cpack.log" >&2
    exit 1
fi
mapfile -t packages < <(find "$out" -maxdepth 1 -name '*.deb')
[ ${#packages[@]} -eq 1 ] || { echo "expected one package, found ${#packages[@]}" >&2; exit 1; }
package=${packages[0]}

bad=0
complain() { echo "$1" >&2; bad=1; }
contents=$(dpkg-deb --contents "$package")
for path in usr/bin/idemdesk usr/bin/idemdeskctl usr/share/man/man1/idemdesk.1.gz usr/share/man/man1/idemdeskctl.1.gz \
    usr/share/applications/io.github.idemdesk.idemdesk.desktop usr/share/metainfo/io.github.idemdesk.idemdesk.metainfo.xml \
    usr/share/icons/hicolor/scalable/apps/io.github.idemdesk.idemdesk.svg usr/share/doc/idemdesk/copyright \
    usr/share/doc/idemdesk/changelog.gz usr/share/bash-completion/completions/idemdeskctl \
    usr/share/zsh/vendor-completions/_idemdeskctl usr/share/fish/vendor_completions.d/idemdeskctl.fish \
    usr/share/idemdesk/schemas/error.json usr/share/man/man5/idemdesk-profile.5.gz usr/share/man/man7/idemdesk-filter.7.gz \
    usr/share/man/man7/idemdesk-concepts.7.gz usr/share/man/man7/idemdesk-dba.7.gz usr/share/idemdesk/help/html/index.html \
    usr/share/idemdesk/help/html/filter.html usr/share/idemdesk/help/html/profile.html usr/share/idemdesk/help/html/help.css; do
    grep -qF -- " ./$path" <<<"$contents" || complain "the package lacks $path"
done
! grep -qE '\.(a|h|cmake)$' <<<"$contents" || complain "the package holds files for developers"
depends=$(dpkg-deb --field "$package" Depends)
# In Debian 13 some names end in t64.
for library in libc6 libqt6core6 libqt6widgets6 libqt6sql6 libpq5; do
    grep -qE "(^|, )$library(t64)?( |,|$)" <<<"$depends" || complain "Depends lacks $library: $depends"
done
# SQLite keeps what stays on this computer. The console has its own driver for a server, and no server may come in with it.
! grep -qE 'libqt6sql6-(psql|mysql|odbc|ibase)|postgresql' <<<"$depends, $(dpkg-deb --field "$package" Recommends)" || complain "too much comes in: $depends"
options=(--allow-root --no-cfg --tag-display-limit 0 --fail-on error,warning)
# What it lets another program say of the metainfo: metainfo.sh asks the same one and knows which remarks do not count.
# An older lintian does not know the tag, and stops at it.
elsewhere=appstream-metadata-validation-failed
if grep -qx "$elsewhere" <<<"$(lintian-explain-tags --list-tags)"; then
    options+=(--suppress-tags "$elsewhere")
fi
lintian "${options[@]}" "$package" || complain "lintian complains"
echo "made $package"
exit $bad
