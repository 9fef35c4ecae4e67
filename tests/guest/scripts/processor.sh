# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What a guest sees of its processor and its files, and what it cannot write; for the test to read.

show cpuinfo cat /proc/cpuinfo
show build uname -v
show machine uname -m
show loader /lib64/ld-linux-x86-64.so.2 --help
show file-systems cat /proc/filesystems
show mounts cat /proc/mounts

# refused COMMAND...: fails, and says why.
refused() {
  refused_said=$("$@" 2>&1) && {
    echo "it succeeded: $refused_said"
    return 1
  }
  [ -n "$refused_said" ]
}

# The host's folders.
mkdir /tmp/host
check no-hostfs refused mount -t hostfs none /tmp/host -o /
check no-hostfs-folder [ -z "$(ls /tmp/host)" ]

# A disk's bytes: those that are there already, so that a success would harm nobody.
write_disk() { dd if="$1" of="$1" bs=4096 count=1 conv=notrunc,fsync; }
disk_is_read_only() {
  [ "$(blockdev --getro "$1")" = 1 ] || { echo 'it may be written'; return 1; }
  refused write_disk "$1" || return
  blockdev --setrw "$1"
  refused write_disk "$1"
}
check is-root [ "$(id -u)" = 0 ]
check root-disk disk_is_read_only /dev/lhda
check settings-disk disk_is_read_only /dev/lhdb

# Files in them. EROFS may take the option "rw"; a write must fail all the same.
folder_is_read_only() {
  refused touch "$1/new" || return
  mount -o remount,rw "$1"
  refused touch "$1/new" && refused sh -c "echo >>$1/$2" && refused rm "$1/$2"
}
check root-folder folder_is_read_only / etc/passwd
check settings-folder folder_is_read_only /run/longhaul settings
check memory-folder touch /tmp/new

show dmesg dmesg
