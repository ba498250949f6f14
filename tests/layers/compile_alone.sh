#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Each file of a unity build, compiled by itself: none may lean on what its neighbour in the unit includes. Only reads
# them (-fsyntax-only); what nearly every file includes anyway is read once, as a precompiled header.
#
# By clang, whichever compiler the build has: GCC instantiates anew for each file what such a header asks for, and takes
# twice as long.
#
# usage: compile_alone.sh BUILD_FOLDER [FILE_PATTERN]     the pattern picks files by a part of their path
set -euo pipefail
# Linux shares the processors between sessions first, and niceness counts within one only. In a session of its own this
# gives way to the servers of the tests beside it, too.
if [ "${COMPILE_ALONE_SESSION-}" != own ]; then
    COMPILE_ALONE_SESSION=own setsid "$0" "$@" &
    trap 'kill -- -$!' INT TERM
    wait $! && exit
    exit 1
fi
{ echo 19 >/proc/self/autogroup; } 2>/dev/null || true

cd "$1"
pattern=${2-}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Qt and the standard library at their widest use: models/async.h and models/table/row_model.h bring the last line to
# nearly every file. Everything else each file must ask for itself.
wide=(QList QObject QString QStringList algorithm functional memory optional
    QAbstractTableModel QDateTime QFuture QPointer QPromise QVariant)
printf '#include <%s>\n' "${wide[@]}" >"$work/core.h"
printf '#include <%s>\n' QWidget "${wide[@]}" >"$work/widgets.h"

# The command of a unit is that of all its files. Lines: "command": "COMPILER … -o OBJECT -c UNIT",
# Libraries are compiled with -fPIC and programs with -fPIE, but a precompiled header serves one of them.
# What CMake defines for each shared library is used by no file, and a header read with one serves no other.
grep -E '"command": .*/Unity/unity_[0-9]+_cxx\.cxx",?$' compile_commands.json \
    | sed -E -e 's/^ *"command": "(.*)",?$/\1/; s/\\"/"/g; s/\\\\/\\/g; s/^([^ ]*ccache )?[^ ]+ /clang++ /' \
        -e 's/ --param ggc-[^ ]+ / /; s/ -Winvalid-pch .*cmake_pch\.hxx / /; s/ -g([0-9]|gdb)? / /g; s/ -fPIE / -fPIC /g; s/ -D[a-z_]+_EXPORTS / /g' >"$work/commands"
while read -r command; do
    unit=${command##* }
    header=$work/core.h
    [[ $command != *QT_WIDGETS_LIB* ]] || header=$work/widgets.h
    command=$(sed -E 's/ -o [^ ]+ -c [^ ]+$//' <<<"$command")
    # A precompiled header serves where every macro of its own command is set, so it gets none that only some targets
    # have.
    [ -f "$header.pch" ] || eval "$(sed -E 's/ -DQT_[A-Z]+_LIB//g' <<<"$command") -fpch-instantiate-templates \
        -x c++-header '$header' -o '$header.pch'"
    while read -r file; do
        [[ $file == *mocs_compilation.cpp || $file != *"$pattern"* ]] && continue
        printf '%s\0' "$command -fsyntax-only -include-pch '$header.pch' '$file' \
            || { echo 'compile_alone: $file does not stand alone' >&2; exit 1; }"
    done < <(sed -n 's/^#include "\(.*\.cpp\)"$/\1/p' "$unit")
done <"$work/commands" >"$work/jobs"
count=$(tr -cd '\0' <"$work/jobs" | wc -c)
[ "$count" -gt 0 ] || { echo "compile_alone: no file was found" >&2; exit 1; }
xargs -0 -P "$(nproc)" -n 1 bash -c <"$work/jobs"
echo "compile_alone: $count files stand alone"
