#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Shows that check_layers.sh finds each breach, and nothing in a clean tree.
set -euo pipefail
checker=$(dirname "$(readlink -f "$0")")/check_layers.sh
root=$(mktemp -d -t idemdesk-layers.XXXXXX)
trap 'rm -rf -- "$root"' EXIT
bad=0
spdx='// SPDX-License-Identifier: GPL-3.0-or-later'

# try EXPECTED FILE LINE...: the file alone must give that rule; an empty EXPECTED means no breach.
try() {
    local expected=$1 file=$2 output status=0
    shift 2
    rm -rf "$root/tree"
    mkdir -p "$root/tree/$(dirname "$file")"
    printf '%s\n' "$@" >"$root/tree/$file"
    output=$("$checker" "$root/tree" 2>&1) || status=$?
    if [ -z "$expected" ]; then
        if [ "$status" -ne 0 ] || [ -n "$output" ]; then
            echo "$file: should pass: $* -> $output" >&2
            bad=1
        fi
    elif [ "$status" -ne 1 ] || ! grep -qF -- "$expected" <<<"$output" || [ "$(wc -l <<<"$output")" -ne 1 ]; then
        echo "$file: expected \"$expected\" alone, got status $status: $output" >&2
        bad=1
    fi
}

try '' sql/a.cpp "$spdx" '#include "sql/types/error.h"' '#include <QString>' '#include "a.moc"' '#include "moc_a.cpp"'
try '' models/a.h "$spdx" '#pragma once' '#include "sql/keys/page_reader.h"' '#include "models/b.h"'
try '' ui/a.cpp "$spdx" '#include "models/a.h"' '#include "sql/types/cell.h"' '#include "ui_dialog.h"'
try '' app/a.cpp "$spdx" '#include "ui/a.h"' '#include "sql/lanes/database.h"' 'return application.exec();'
try '' tests/sql/a.cpp "$spdx" '#include "app/cluster/private_cluster.h"' '#include "tests/support/test_cluster.h"' 'QSqlQueryModel model;'
try '' models/a.cpp "$spdx" '// Unlike QSqlQueryModel this never runs a QEventLoop.'
try 'includes go' sql/a.cpp "$spdx" '#include "models/filter/filter_parser.h"'
try 'includes go' models/a.cpp "$spdx" '#include "ui/pages/keys/keys_page.h"'
try 'includes go' ui/a.cpp "$spdx" '  #  include "app/demo/demo.h"'
try 'includes go' app/a.cpp "$spdx" '#include "tests/support/test_cluster.h"'
try 'ui/ sees only sql/types/' ui/a.cpp "$spdx" '#include "sql/lanes/database.h"'
try 'includes are rooted' sql/a.cpp "$spdx" '#include "error.h"'
try 'includes are rooted' sql/driver/a.cpp "$spdx" '#include "../types/error.h"'
try 'includes are rooted' sql/driver/a.cpp "$spdx" '#include "sql/driver/../../models/a.h"'
try 'buffer whole tables' models/a.cpp "$spdx" '#include <QSqlQueryModel>'
try 'buffer whole tables' sql/a.cpp "$spdx" 'QSqlTableModel model;'
try 'no nested event loop' ui/a.cpp "$spdx" 'QCoreApplication::processEvents();'
try 'no nested event loop' app/a.cpp "$spdx" 'QEventLoop loop; // only for a moment'
try 'no nested event loop' ui/a.cpp "$spdx" 'if (dialog->exec() == QDialog::Accepted) {'
try 'only sql/ speaks' models/a.cpp "$spdx" 'QSqlQuery query;'
try 'only sql/ speaks' ui/a.cpp "$spdx" '#include <libpq-fe.h>'
try 'a tooltip is plain text' ui/a.cpp "$spdx" 'QToolTip::showText(place, scope, this);'
try 'files are written through' app/ctl/a.cpp "$spdx" 'if (!file.open(QIODevice::WriteOnly | QIODevice::NewOnly)) {'
try 'files are written through' models/a.cpp "$spdx" '#include <QSaveFile>'
try 'files are written through' sql/a.cpp "$spdx" 'std::ofstream out(path);'
try 'files are written through' ui/a.cpp "$spdx" 'widget->grab().save(path);'
try '' models/a.cpp "$spdx" 'buffer.open(QIODevice::WriteOnly);' 'if (!out.open(stdout, QIODevice::WriteOnly)) {'
try '' models/keys/private_file.cpp "$spdx" 'file.open(handle, QIODevice::WriteOnly);'
try 'no widgets below ui/' models/a.cpp "$spdx" '#include <QMessageBox>'
try 'no using-directive' sql/a.h "$spdx" '#pragma once' 'using namespace Qt::StringLiterals;'
try 'pragma once' sql/a.h "$spdx" 'class A;'
try 'names the licence' sql/a.cpp '#include <QString>'
try 'left for later' sql/a.cpp "$spdx" '// TODO: the rest'
mapfile -t body < <(for _ in $(seq 57); do echo '    a();'; done)
try '' models/a.cpp "$spdx" 'void a()' '{' "${body[@]}" '}' 'void b()' '{' "${body[@]}" '}'
try 'at most 60 lines' models/a.cpp "$spdx" 'void a()' '{' "${body[@]}" '    b();' '}'
for folder in sql app ui; do
    try 'at most 60 lines' $folder/a.cpp "$spdx" 'void a()' '{' "${body[@]}" '    b();' '}'
done
deep=('class A' '{' '    void a()' '    {' "${body[@]}")
try '' sql/a.cpp "$spdx" "${deep[@]}" '    }' '' '    void b()' '    {' "${body[@]}" '    }' '};'
try 'at most 60 lines' sql/a.cpp "$spdx" "${deep[@]}" '        b();' '    }' '};'
wide=$(printf '%121s' '')
for folder in sql models ui app; do
    try 'at most 120 columns' $folder/a.cpp "$spdx" "${wide// /a}"
done

# Two files of one library, which the build may put into one unit.
shared() { # EXPECTED_STATUS FIRST_FILE SECOND_FILE
    rm -rf "$root/tree"
    for file in "$2" "$3"; do
        mkdir -p "$root/tree/$(dirname "$file")"
        printf '%s\n' "$spdx" 'namespace {' 'constexpr int kMost = 3; // of them' '}' >"$root/tree/$file"
    done
    local output status=0
    output=$("$checker" "$root/tree" 2>&1) || status=$?
    if [ "$status" -ne "$1" ] || { [ "$1" -eq 1 ] && ! grep -qF 'kMost is also in' <<<"$output"; }; then
        echo "$2, $3: one name in both: status $status: $output" >&2
        bad=1
    fi
}
shared 1 ui/a.cpp ui/pages/keys/b.cpp
shared 1 app/ctl/a.cpp app/ctl/b.cpp
shared 0 app/ctl/a.cpp app/desktop/b.cpp
shared 0 models/a.cpp ui/a.cpp

status=0
"$checker" "$root/nowhere" >/dev/null 2>&1 || status=$?
[ "$status" -ne 0 ] || { echo "a missing folder passed" >&2; bad=1; }
mkdir -p "$root/empty"
status=0
"$checker" "$root/empty" >/dev/null 2>&1 || status=$?
[ "$status" -eq 2 ] || { echo "an empty tree ended with $status" >&2; bad=1; }
exit $bad
