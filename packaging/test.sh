#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# From a fresh Debian 12 to the result of every test: set up, configure, build, run. Can be run again at any time.
#
# usage: packaging/test.sh [ctest options, such as -R keys or -L sql]
#
# The last lines are ctest's own summary, and its exit status is this script's.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

packaging/setup.sh build run test
. packaging/build_environment.sh

cmake --preset dev
cmake --build --preset dev
exec ctest --preset dev "$@"
