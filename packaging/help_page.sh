#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a manual page or a page of HTML from a page of the help.
#
# usage: help_page.sh man NAME SECTION VERSION SUMMARY   reads Markdown, writes roff
#        help_page.sh html NAME INDEX                    reads Markdown, writes HTML that works without a network
#
# SUMMARY is what the NAME section says; empty where the page has such a section itself. INDEX lists all pages.
set -euo pipefail

# The title becomes the NAME section, and each heading goes up a level: a manual page has sections, not chapters.
man_source() { # name summary
    if [ -z "$2" ]; then
        cat
        return
    fi
    printf '# NAME\n\n%s - %s\n\n# DESCRIPTION\n\n' "$1" "$2"
    # Links between pages are for a browser: only their words stay. Code keeps its signs.
    sed -E -e '1d' -e 's/^##/#/' -e '/^(    |<!--)/!s/\[([^]]*)\]\([a-z]+\.md\)/\1/g'
}

# What lowdown writes, as man-db and groff of each release read it: the heading beside its .SH, what is typed in bold
# (terminals have no font C), and its dashes as they are typed. Cells are too narrow to be filled to both sides.
man_finish() {
    sed -E -e '1d' -e 's/^\.TS/.na\n&/' -e 's/^\.TE/&\n.ad/' | sed -E -e '/^\.S[HS]$/{N;s/\n/ /}' -e 's/\\f(C|\(CR|\(CW)/\\f[B]/g' |
        perl -pe 's/(\\f\[B\])(.*?)(\\f[A-Z]|\\f\[)/my ($a, $b, $c) = ($1, $2, $3); $b =~ s{(?<!\\)-}{\\-}g; "$a$b$c"/ge;
            s/(?<!\\)-/\\-/g if $code; $code = 1 if /^\.EX/; $code = 0 if /^\.EE/' |
        perl -0pe 's/(\.SH NAME\n(?:\.LP\n)?\S+) - /$1 \\- /'
}

case ${1:-} in
man)
    [ $# -eq 5 ] || { sed -n '5,8p' "$0" >&2; exit 2; }
    echo "'\\\" t" # man and lintian run tbl only where the first line says so
    echo '.\" SPDX-License-Identifier: GPL-3.0-or-later'
    echo '.\" Made from a page of the help.'
    man_source "$2" "$5" | lowdown -s -t man --out-no-smarty -m "title=${2^^}" -m "section=$3" -m "source=Idemdesk $4" \
        -m "volume=Idemdesk" - | man_finish
    ;;
html)
    [ $# -eq 3 ] || { sed -n '5,8p' "$0" >&2; exit 2; }
    # Links to other pages lead to their HTML; the list of pages stands beside each of them.
    links='s/\]\(([a-z]+)\.md\)/](\1.html)/g'
    page=$(sed -E "$links" | lowdown -t html --out-no-smarty -)
    index=$(sed -E -e '1,/^$/d' -e 's/\): .*/)/' -e "$links" "$3" | lowdown -t html --out-no-smarty -)
    title=$(sed -nE 's/.*<h1[^>]*>(.*)<\/h1>.*/\1/p' <<<"$page" | head -n 1)
    cat <<END
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>$title – Idemdesk</title>
<link rel="stylesheet" href="help.css">
</head>
<body>
<nav aria-label="Pages of the help">
$index
</nav>
<main>
$page
</main>
</body>
</html>
END
    ;;
*)
    sed -n '5,8p' "$0" >&2
    exit 2
    ;;
esac
