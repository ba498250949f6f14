# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Sourced by the scripts of this folder, from the top of the source tree.
export LC_ALL=C.UTF-8
if command -v ld.lld >/dev/null; then
    export LDFLAGS="${LDFLAGS-} -fuse-ld=lld" # many test programs; taken where a preset names no flags of its own
fi

# A build folder that another compiler has used begins anew: CMake would keep it, and forget all else of the preset.
configure() { # preset
    local fresh=() cache=build/$1/CMakeCache.txt
    [ -f "$cache" ] && ! grep -q '^CMAKE_CXX_COMPILER:.*clang++$' "$cache" && fresh=(--fresh)
    cmake ${fresh[@]+"${fresh[@]}"} --preset "$1"
}

# How many compilers may run side by side: as many as there are processors, with 1.5 GB of free memory for each.
build_jobs() {
    awk -v processors="$(nproc)" '/^MemAvailable:/ { jobs = int($2 / 1572864) }
        END { print jobs < 1 ? 1 : (jobs < processors ? jobs : processors) }' /proc/meminfo
}

# For the compiler and the tests' servers alike: memory is asked for in large pages and kept once it is there. In a
# virtual machine each page that is touched first may cost 10 µs: clang takes a fifth less, a new connection that
# compiles the console's functions a third. In bytes.
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.trim_threshold=134217728:glibc.malloc.mmap_threshold=67108864
