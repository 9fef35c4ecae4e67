# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What the driver is told of (a done bit, an interrupt) ahead of the bytes that it stands for is late
# or wrong here. An event that is lost waits for the next one, which an echo alone does not have.
in_time() {
  ping -n -c 200 -i 0.002 -W 1 "$LH_PEER4" >/tmp/ping || { cat /tmp/ping; return 1; }
  worst=$(sed -n 's/^rtt .* = [^/]*\/[^/]*\/\([0-9.]*\)\/.*/\1/p' /tmp/ping)
  figure memory.worst "$worst ms"
  awk "BEGIN { exit !($worst < 1.5) }" || { grep -v ttl= /tmp/ping; return 1; }
}
whole() { pings -c 100 -p 5ac3 -s 1000 "$LH_PEER4" >/tmp/ping && ! grep -q wrong /tmp/ping || { cat /tmp/ping; return 1; }; }
check answers answers
check in-time in_time
check whole whole
check out moves -c "$LH_PEER4" -n 300K
check in moves -c "$LH_PEER4" -R -n 300K
check file-there file_there 200000
check file-back file_back
check no-wrong-packet no_packet_is_wrong
check_quiet
