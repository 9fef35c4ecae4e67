# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What a guest's root may try against its host; for the test to read.

# refused COMMAND...: fails, and says why.
refused() {
  refused_said=$("$@" 2>&1) && {
    echo "it succeeded: $refused_said"
    return 1
  }
  [ -n "$refused_said" ]
}

# --- ways to the host's files and memory ---------------------------------------------------------

mkdir /tmp/host
for kind in hostfs 9p virtiofs fuse nfs cifs; do
  check "mount-$kind" refused mount -t "$kind" none /tmp/host -o /
done
check nothing-mounted [ -z "$(ls /tmp/host)" ]

# device KIND MAJOR MINOR: a device file leads nowhere.
device() {
  rm -f /tmp/device
  mknod /tmp/device "$1" "$2" "$3" || return
  refused head -c 1 /tmp/device && refused sh -c 'echo x >/tmp/device'
}
for major in 1 7 8 43 98 252 253 254; do # ramdisk, loop, sd, nbd, UBD, virtio and others
  check "block-$major" device b "$major" 0
done
for minor in 1 2; do # mem, kmem; port (4) is of the simulated machine
  check "memory-$minor" device c 1 "$minor"
done
for minor in 200 229 232 237; do # tun, fuse, kvm, loop-control
  check "misc-$minor" device c 10 "$minor"
done
check no-kcore [ ! -e /proc/kcore ]
check no-management-console [ ! -e /proc/mconsole ]
show disks ls /sys/block

# --- its processes -------------------------------------------------------------------------------

# Processes until there can be no more, each with an address space of its own.
bomb() {
  (
    while :; do
      sleep 1000 &
    done
  ) 2>&1
  true
}
show bomb bomb
# No process can be started here.
set -- /proc/[0-9]*/mem
left=0
for mem; do
  pid=${mem#/proc/}
  pid=${pid%/mem}
  read -r name <"/proc/$pid/comm"
  [ "$name" != sleep ] || { left=$((left + 1)); kill -9 "$pid"; }
done
printf '<<< processes\n%s\n>>>\n' "$left"
sleep 1
check forks-again sh -c 'ls / >/dev/null'
show complaint dmesg
