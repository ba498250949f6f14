#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Each file of a unity build, compiled by itself: none may lean on what its neighbour in the unit includes. Only reads
# them (-fsyntax-only); what nearly every file includes anyway, and what it includes itself and costs most, is read once,
# as a precompiled header.
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

# Our own headers that cost most: half of all the time was theirs. One is read beforehand where the file itself, or what
# it includes, includes it. "FILE HEADER…" in the order of this list; what includes none of them has no line.
costly=(sql/types/profile.h sql/types/target.h sql/session/session.h ui/theme/theme.h)
source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' CMakeCache.txt)
(cd "$source" && grep -rE --include='*.h' --include='*.cpp' '^ *# *include *"' app ui models sql tests) \
    | sed -E 's/:[^"]*"/ /; s/".*//' \
    | awk -v costly="${costly[*]}" '
        { by[$2] = by[$2] " " $1 }
        function mark(header, asked,    file, i, count, files) {
            if ((header, asked) in seen) return
            seen[header, asked] = 1
            if (header != asked) includes[header] = includes[header] " " asked
            count = split(by[header], files, " ")
            for (i = 1; i <= count; ++i) mark(files[i], asked)
        }
        END {
            count = split(costly, headers, " ")
            for (h = 1; h <= count; ++h) mark(headers[h], headers[h])
            for (file in includes) print file includes[file]
        }' >"$work/includes"
declare -A included=()
while read -r file headers; do
    included[$file]=$headers
done <"$work/includes"

# What clang itself calls, so that one process reads many files: its memory is there once the first of them is read.
compiler_call() { # its options
    eval "$1 -fsyntax-only -x c++ /dev/null -###" 2>&1 | tail -n 1 \
        | sed -E 's/ "-disable-free"//; s/ "-clear-ast-before-backend"//; s/ "-main-file-name" "[^"]*"//; s/ "-x" "c\+\+" "[^"]*"$//'
}

# The command of a unit is that of all its files. Lines: "command": "COMPILER … -o OBJECT -c UNIT",
# Libraries are compiled with -fPIC and programs with -fPIE, but a precompiled header serves one of them.
# What CMake defines for each shared library is used by no file, and a header read with one serves no other.
grep -E '"command": .*/Unity/unity_[0-9]+_cxx\.cxx",?$' compile_commands.json \
    | sed -E -e 's/^ *"command": "(.*)",?$/\1/; s/\\"/"/g; s/\\\\/\\/g; s/^([^ ]*ccache )?[^ ]+ /clang++ /' \
        -e 's/ --param ggc-[^ ]+ / /; s/ -Winvalid-pch .*cmake_pch\.hxx / /; s/ -g([0-9]|gdb)? / /g; s/ -fPIE / -fPIC /g; s/ -D[a-z_]+_EXPORTS / /g' >"$work/commands"
declare -A files_of=()
while read -r command; do
    unit=${command##* }
    command=$(sed -E 's/ -o [^ ]+ -c [^ ]+$//' <<<"$command")
    base=core
    [[ $command != *QT_WIDGETS_LIB* ]] || base=widgets
    while read -r file; do
        [[ $file == *mocs_compilation.cpp || $file != *"$pattern"* ]] && continue
        read -r -a own <<<"${included[${file#"$source"/}]-}"
        header=$(IFS=_; echo "$work/$base${own[*]//[^a-z]/_}.h")
        if [ ! -f "$header" ]; then
            [ $base = core ] || echo '#include <QWidget>' >>"$header"
            printf '#include <%s>\n' "${wide[@]}" >>"$header"
            [ ${#own[@]} -eq 0 ] || printf '#include "%s"\n' "${own[@]}" >>"$header"
            # A precompiled header serves where every macro of its own command is set, so it gets none that only some
            # targets have.
            printf '%s -fpch-instantiate-templates -x c++-header %q -o %q\0' \
                "$(sed -E 's/ -DQT_[A-Z]+_LIB//g' <<<"$command")" "$header" "$header.pch" >>"$work/headers"
        fi
        files_of[$command -include-pch $header.pch]+=" $file"
    done < <(sed -n 's/^#include "\(.*\.cpp\)"$/\1/p' "$unit")
done <"$work/commands"
[ ${#files_of[@]} -gt 0 ] || { echo "compile_alone: no file was found" >&2; exit 1; }
xargs -0 -P "$(nproc)" -n 1 bash -c <"$work/headers"

count=0
for options in "${!files_of[@]}"; do
    call=$(compiler_call "$options")
    read -r -a files <<<"${files_of[$options]}"
    count=$((count + ${#files[@]}))
    for ((i = 0; i < ${#files[@]}; i += 12)); do
        chunk=("${files[@]:i:12}")
        printf '%s -x c++ %s || { echo "compile_alone: one of these does not stand alone: %s" >&2; exit 1; }\0' \
            "$call" "${chunk[*]@Q}" "${chunk[*]}"
    done
done >"$work/jobs"
xargs -0 -P "$(nproc)" -n 1 bash -c <"$work/jobs"
echo "compile_alone: $count files stand alone"
