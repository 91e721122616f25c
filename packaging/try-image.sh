#!/bin/sh
# packaging/try-image.sh ARCHIVE DATA [ARGUMENT ...]: starts the server like the image of the Containerfile, for machines
# without a container engine: in its own namespaces, without capabilities, on a read-only root with the package in
# /opt/pult. DATA is the volume. Uses /usr of this machine. Needs util-linux 2.38 and user namespaces.
set -eu
[ $# -ge 2 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 64; }
archive=$(readlink -f "$1")
data=$(readlink -f "$2")
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/pult" "$work/root"
tar -C "$work/pult" --strip-components=1 -xzf "$archive"

export work data
unshare --user --map-user=10001 --map-group=10001 --keep-caps --mount --pid --ipc --fork --kill-child \
  sh -euc '
    cd "$work/root"
    mount -t tmpfs -o mode=755 tmpfs .
    cd "$work/root"
    mkdir -p dev/shm etc opt/pult proc tmp usr var/lib/pult
    for folder in bin lib lib64 sbin; do [ ! -e "/usr/$folder" ] || ln -s "usr/$folder" "$folder"; done
    echo "pult:x:10001:10001::/var/lib/pult:/usr/sbin/nologin" > etc/passwd
    echo "pult:x:10001:" > etc/group
    for file in hosts resolv.conf nsswitch.conf; do [ ! -e "/etc/$file" ] || cat "/etc/$file" > "etc/$file"; done
    for device in null random urandom zero; do : > "dev/$device"; mount --bind "/dev/$device" "dev/$device"; done
    mount --rbind /usr usr
    mount -o remount,bind,ro usr
    mount --bind "$work/pult" opt/pult
    mount -o remount,bind,ro opt/pult
    mount --bind "$data" var/lib/pult
    mount -t tmpfs tmpfs tmp
    mount -t tmpfs tmpfs dev/shm
    mount -t proc proc proc
    mount -o remount,ro .
    exec chroot . /usr/bin/setpriv --no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all \
      /usr/bin/env -i PATH=/usr/bin PULT_DATA=/var/lib/pult HOST=:: ${PORT:+"PORT=$PORT"} /opt/pult/pult "$@"
  ' sh "$@"
