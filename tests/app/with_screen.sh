#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a program with a home folder, a D-Bus session and an X server of its own. Programs in it tell an accessibility
# bus what they show, as they do for a screen reader. Everything is gone afterwards.
set -eu
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export HOME="$home" XDG_RUNTIME_DIR="$home" XDG_DATA_HOME="$home/data" XDG_CONFIG_HOME="$home/config" XDG_CACHE_HOME="$home/cache"
export QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 QT_ACCESSIBILITY=1 LC_ALL=C.UTF-8
chmod 700 "$home"
# An X server begins anew when its last client leaves, and refuses who comes meanwhile. The launcher of the accessibility
# bus is such a client, and the window comes right after it.
xvfb-run -a -s "-screen 0 1400x900x24 -noreset" dbus-run-session -- "$@"
