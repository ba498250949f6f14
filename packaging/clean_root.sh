# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Sourced by the prove-*.sh scripts: a minimal Debian of the release asked for, in a temporary folder.
[ "$(id -u)" -eq 0 ] || { echo "prove: this needs root" >&2; exit 1; }
command -v mmdebstrap >/dev/null || { echo "prove: install mmdebstrap first" >&2; exit 1; }

clean_root=

# A fresh root, from this machine's Debian sources (deb822 or one-line form; foreign repositories are left out). For
# another release than this machine's own the same lines are taken with its name in them.
clean_root_make() { # release
    local release=$1 own file sources=()
    # shellcheck source=/dev/null
    own=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
    clean_root=$(mktemp -d /var/tmp/idemdesk-root.XXXXXX)
    chmod 0755 "$clean_root"
    mkdir "$clean_root.sources"
    for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
        [ -s "$file" ] || continue
        sed "s/\b${own:-$release}\b/$release/g" "$file" >"$clean_root.sources/${file##*/}"
        grep -qE "^[^#]*\b$release\b" "$clean_root.sources/${file##*/}" && sources+=("$clean_root.sources/${file##*/}")
    done
    echo "prove: making a clean Debian $release in $clean_root"
    # Files named as mirrors replace the default one; without any, mmdebstrap takes the default.
    if ! mmdebstrap --quiet --variant=minbase "$release" "$clean_root" "${sources[@]}" >"$clean_root.log" 2>&1; then
        tail -n 30 "$clean_root.log" >&2
        exit 1
    fi
    cp /etc/resolv.conf "$clean_root/etc/resolv.conf"
    cp /etc/hosts "$clean_root/etc/hosts"
    mount -t proc proc "$clean_root/proc"
    mount --bind /dev "$clean_root/dev"
    mount --make-private "$clean_root/dev" # what is mounted in it must not appear in this machine's own
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$clean_root/dev/pts" 2>/dev/null || true
    mount -t tmpfs -o mode=1777 tmpfs "$clean_root/dev/shm" 2>/dev/null || true
}

clean_root_clone() { # path account
    git clone --quiet --no-hardlinks . "$clean_root$1"
    chroot "$clean_root" chown -R "$2:" "$1"
}

# A user who may use sudo, as Debian's installer makes one; sudo itself is all that is installed for it.
clean_root_add_user() { # account
    echo "prove: installing sudo for the user $1"
    { clean_root_run apt-get -qq update && clean_root_run env DEBIAN_FRONTEND=noninteractive apt-get -qq -y install sudo; } \
        >"$clean_root.log" 2>&1 || { tail -n 30 "$clean_root.log" >&2; exit 1; }
    chroot "$clean_root" useradd --create-home --shell /bin/bash "$1"
    echo "$1 ALL=(ALL) NOPASSWD: ALL" >"$clean_root/etc/sudoers.d/$1"
    chmod 0440 "$clean_root/etc/sudoers.d/$1"
}

clean_root_run() {
    clean_root_run_as root /root "$@"
}

# An environment of its own: nothing of this session's leaks in, but for a proxy where one is set.
clean_root_run_as() { # account home command...
    local account=$1 home=$2 keep=()
    shift 2
    for name in http_proxy https_proxy no_proxy; do
        [ -n "${!name-}" ] && keep+=("$name=${!name}")
    done
    chroot --userspec="$account:$account" "$clean_root" /usr/bin/env -i \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME="$home" USER="$account" LOGNAME="$account" LC_ALL=C.UTF-8 "${keep[@]}" "$@"
}

# Nothing may be left that runs inside the root, and no cluster but the demo's own may have been made.
clean_root_check_quiet() {
    local left
    left=$(clean_root_processes)
    if [ -n "$left" ]; then
        echo "prove: processes left over:" >&2
        ps -o pid,args -p "$(tr '\n' ',' <<<"$left" | sed 's/,$//')" >&2
        exit 1
    fi
    if compgen -G "$clean_root/var/lib/postgresql/*/main" >/dev/null; then
        echo "prove: the installation made a cluster main" >&2
        exit 1
    fi
    if [ -e "$clean_root/usr/sbin/policy-rc.d" ]; then
        echo "prove: setup.sh left its policy-rc.d behind" >&2
        exit 1
    fi
}

clean_root_processes() {
    local link
    for link in /proc/[0-9]*/root; do
        if [ "$(readlink "$link" 2>/dev/null)" = "$clean_root" ]; then
            link=${link#/proc/}
            echo "${link%/root}"
        fi
    done
}

clean_root_remove() {
    [ -n "$clean_root" ] || return 0
    local pid
    for pid in $(clean_root_processes); do
        kill -TERM "$pid" 2>/dev/null || true
    done
    for _ in $(seq 50); do
        [ -z "$(clean_root_processes)" ] && break
        sleep 0.1
    done
    for place in dev/shm dev/pts dev proc; do
        if mountpoint -q "$clean_root/$place"; then
            umount "$clean_root/$place" || umount --lazy "$clean_root/$place" || true
        fi
    done
    # Never through a mount that did not come off: it shows folders of this machine.
    if grep -qF " $clean_root/" /proc/self/mounts; then
        echo "prove: something is still mounted in $clean_root; remove it by hand" >&2
        return 1
    fi
    rm -rf --one-file-system -- "$clean_root" "$clean_root.log" "$clean_root.sources"
    clean_root=
}
trap clean_root_remove EXIT
trap 'exit 130' INT TERM
