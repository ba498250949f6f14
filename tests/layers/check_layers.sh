#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The rules of the house that no compiler checks. Prints "file:line: rule" for each breach; the exit status is 1 if any.
#
# usage: check_layers.sh SOURCE_FOLDER
set -euo pipefail
cd "$1"

folders=()
for folder in app ui models sql tests; do
    [ -d "$folder" ] && folders+=("$folder")
done
[ ${#folders[@]} -gt 0 ] || { echo "$1: there is nothing to check" >&2; exit 2; }

status=0
find "${folders[@]}" -type f \( -name '*.h' -o -name '*.cpp' \) -print0 | sort -z | xargs -0 awk '
    function breach(rule) { printf "%s:%d: %s\n", FILENAME, FNR, rule; bad = 1 }
    function rank(path) { # app -> ui -> models -> sql; tests may see everything
        if (path ~ /^sql\//) return 1
        if (path ~ /^models\//) return 2
        if (path ~ /^ui\//) return 3
        if (path ~ /^app\//) return 4
        if (path ~ /^tests\//) return 5
        return 0
    }
    function finish() {
        if (file == "") return
        if (file ~ /\.h$/ && !once) { printf "%s:1: a header says #pragma once\n", file; bad = 1 }
    }
    FNR == 1 {
        finish()
        file = FILENAME; mine = rank(FILENAME); once = 0; split("", opened)
        if ($0 !~ /SPDX-License-Identifier: GPL-3\.0-or-later/) breach("the first line names the licence (SPDX)")
    }
    # Functions are measured, not files: a class cut by length hides more than it tells.
    # One of a class stands deeper, its brace on a line of its own all the same.
    $0 ~ /^ *\{$/ { match($0, /^ */); opened[RLENGTH] = FNR }
    $0 ~ /^ *\}[^;]/ || $0 ~ /^ *\};/ { match($0, /^ */); delete opened[RLENGTH] }
    $0 ~ /^ *\}$/ {
        match($0, /^ */)
        if (mine < 5 && RLENGTH in opened && FNR - opened[RLENGTH] + 2 > 60) breach("a function has at most 60 lines")
        delete opened[RLENGTH]
    }
    { code = $0; sub(/(^|[[:space:]])\/\/.*/, "", code) }
    /^#pragma once/ { once = 1 }
    code ~ /^[[:space:]]*#[[:space:]]*include[[:space:]]*"/ {
        path = code
        sub(/^[^"]*"/, "", path); sub(/".*/, "", path)
        if (path ~ /^[A-Za-z0-9_]+\.moc$/ || path ~ /^moc_[a-z0-9_]+\.cpp$/ || path ~ /^ui_[a-z0-9_]+\.h$/) next # made by moc and uic
        other = rank(path)
        if (path ~ /\.\.\// || other == 0) breach("includes are rooted: \"" path "\"")
        else if (other > mine) breach("includes go app -> ui -> models -> sql: \"" path "\"")
        else if (mine == 3 && path ~ /^sql\// && path !~ /^sql\/types\//) breach("ui/ sees only sql/types/: \"" path "\"")
    }
    mine < 5 && code ~ /QSql(Table|Query|RelationalTable)Model/ { breach("Qt SQL models buffer whole tables on the thread of the window") }
    mine < 5 && code ~ /processEvents|QEventLoop/ { breach("no nested event loop") }
    mine == 3 && code ~ /(->|\.)exec\(/ { breach("no nested event loop: open(), popup() and show() return at once") }
    (mine == 2 || mine == 3) && code ~ /QSqlDatabase|QSqlQuery([^M]|$)|libpq-fe\.h/ { breach("only sql/ speaks to the database") }
    mine < 5 && code ~ /QToolTip::showText/ && FILENAME != "ui/widgets/plain_tool_tips.cpp" { breach("a tooltip is plain text: PlainToolTips::show()") }
    (mine == 1 || mine == 2) && code ~ /<(QtWidgets|QWidget|QDialog|QMessageBox|QTableView|QApplication)(\/|>)/ { breach("no widgets below ui/") }
    # What a program writes may hold data: one helper makes it private. The demo and its cluster keep their own folder.
    # A device that opens itself is no file.
    mine < 5 && FILENAME !~ /^(models\/keys\/private_file|sql\/local\/private_database|app\/cluster\/|app\/demo\/)/ \
        && code !~ /buffer\.open\(|open\(stdout,|^ *open\(QIODevice::/ \
        && code ~ /QSaveFile|QTemporaryFile|WriteOnly|ReadWrite|QIODevice::Append|ofstream|fopen\(|mkstemp|O_(WRONLY|RDWR|CREAT)|QFile::(copy|rename)\(|\.save\([a-zA-Z]*[pP]ath/ {
        breach("files are written through models/keys/private_file.h")
    }
    # A unit of the build holds several files of one library, whichever come together as files are added.
    mine < 5 && FILENAME ~ /\.cpp$/ && match(code, /^(static |inline )*(constexpr|const) [^=({;]* k[A-Z][A-Za-z0-9]*( =|\[| \{|\{|\()/) {
        name = substr(code, RSTART, RLENGTH); sub(/( =|\[| \{|\{|\()$/, "", name); sub(/.* /, "", name)
        library = FILENAME; sub(/\/[^\/]*$/, "", library)
        if (mine < 4) sub(/\/.*/, "", library)
        if ((library, name) in holder && holder[library, name] != FILENAME) breach(name " is also in " holder[library, name] ": one unit may hold both")
        holder[library, name] = FILENAME
    }
    FILENAME ~ /\.h$/ && code ~ /^[[:space:]]*using namespace / { breach("no using-directive in a header") }
    mine < 5 && $0 ~ /TODO|FIXME|XXX/ { breach("nothing is left for later in the code") }
    END { finish(); exit bad }
' || status=1

# In characters, which awk does not count everywhere.
for folder in app ui models sql; do
    [ -d "$folder" ] || continue
    if LC_ALL=C.UTF-8 grep -rnP --include='*.h' --include='*.cpp' '^.{121,}$' "$folder" \
        | sed 's/^\([^:]*:[0-9]*\):.*/\1: a line has at most 120 columns/' | grep .; then
        status=1
    fi
done
exit $status
