# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# An adapter by a port map: echoes of all sizes, a file each way, and what the kernel has of it.

file_there() {
  head -c 500000 /dev/urandom >/tmp/file
  [ "$(sha256sum </tmp/file)" = "$(nc "$LH_PEER4" 7001 </tmp/file)" ]
}
file_back() {
  nc "$LH_PEER4" 7003 >/tmp/back </dev/null
  [ "$(head -n 1 /tmp/back)" = "$(tail -n +2 /tmp/back | sha256sum)" ] &&
    [ "$(wc -c </tmp/back)" -gt 300000 ]
}
every_size() {
  for size in $(seq 0 60) 100 1000 1471 1472; do
    ping -n -q -c 1 -W 1 -s "$size" "$LH_PEER4" >/tmp/ping || { echo "$size"; return 1; }
  done
}

check answers ping -n -c 5 -i 0.01 -W 2 "$LH_PEER4"
check sizes every_size
check there file_there
check back file_back
check quiet kernel_is_quiet
show interrupts cat /proc/interrupts
show resources cat /sys/class/net/eth0/device/resource
show dmesg dmesg
