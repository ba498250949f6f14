#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a program with a home folder and a D-Bus session of its own, and a real keyring unlocked in it; with "none" first,
# without any session bus. Everything is gone afterwards.
set -eu
mode=$1
shift
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export HOME="$home" XDG_RUNTIME_DIR="$home" XDG_DATA_HOME="$home/data" XDG_CONFIG_HOME="$home/config" XDG_CACHE_HOME="$home/cache"
export IDEMDESK_TEST_KEYRING="$mode"
if [ "$mode" = none ]; then
    unset DBUS_SESSION_BUS_ADDRESS DISPLAY
    export DBUS_SESSION_BUS_ADDRESS=unix:path="$home/no-bus"
    "$@"
    exit
fi
dbus-run-session -- sh -c '
    eval "$(printf test | gnome-keyring-daemon --unlock --components=secrets 2>/dev/null)"
    "$@"
    status=$?
    exit $status' with_keyring "$@"
