# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Of a guest with a root of its own: what its packages and files have in folders that must be written comes into memory. init has
# put empty file systems over /var, /root, /run and /tmp; those of the root lie under them.
own_root() {
  under=$LH_TMP/under
  run mkdir -p "$under" "$LH_TMP/etc" /dev/shm
  run mount -o bind / "$under"
  for folder in var root run tmp; do
    run cp -a "$under/$folder/." "/$folder/"
  done
  run mount -t tmpfs none "$LH_TMP/etc"
  run cp -a /etc/. "$LH_TMP/etc/"
  run mount -o move "$LH_TMP/etc" /etc
  run cp "$LH_FILES/hosts" /etc/hosts
  run mount -t tmpfs none /dev/shm
  run umount "$under"
  run rmdir "$under" "$LH_TMP/etc"
  # What programs that log expect of /dev, and devtmpfs does not have.
  [ -e /dev/fd ] || run ln -s /proc/self/fd /dev/fd
  [ -e /dev/stdout ] || run ln -s /proc/self/fd/1 /dev/stdout
  [ -e /dev/stderr ] || run ln -s /proc/self/fd/2 /dev/stderr
}
own_root
