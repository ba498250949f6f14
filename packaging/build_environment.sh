# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Sourced by the scripts of this folder, from the top of the source tree.
export LC_ALL=C.UTF-8
if command -v ccache >/dev/null; then
    # Paths relative to the tree, so that a second copy of it hits the same cache.
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
fi
if command -v ld.lld >/dev/null; then
    export LDFLAGS="${LDFLAGS-} -fuse-ld=lld" # 130 test programs; taken where a preset names no flags of its own
fi
