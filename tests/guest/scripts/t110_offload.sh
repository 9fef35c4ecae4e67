# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# TCP by the T110's chip: programs over it, sockets in ss, an adapter that goes away.
# The peer serves IPv4 with iperf at 5001 and 5003, iperf3, and a checksum at 7001.

moves() { iperf "$@" >/tmp/iperf 2>&1 && grep -q 'bits/sec' /tmp/iperf && ! grep -qi 'failed\|refused' /tmp/iperf || { cat /tmp/iperf; return 1; }; }
by_chip() { ss -4 -tinH state established "( dport = :5001 )" | grep -q tcp-ulp-toe; }
refused() { ! nc -w 5 "$LH_PEER4" 4444 </dev/null 2>/tmp/refused && grep -qi refused /tmp/refused || { cat /tmp/refused; return 1; }; }
short_connections() {
  i=0
  sum=$(echo short | sha256sum)
  while [ $i -lt 40 ]; do
    [ "$(echo short | nc -w 5 "$LH_PEER4" 7001)" = "$sum" ] || return 1
    i=$((i + 1))
  done
}
no_connections() { [ -z "$(ss -4 -tnHa | grep -v LISTEN)" ]; }
none_left() { until_true 5 no_connections || { ss -4 -tinae; return 1; }; }
up() { ip link set dev eth0 up && until_true 8 carrier_is 1; }
# A program whose adapter is gone is told by an error of the socket. iperf ends some seconds later.
program_ends() { until_true 20 program_has_ended && grep -qi 'network is down' /tmp/traffic || { cat /tmp/traffic; doing; return 1; }; }
doing() { for task in /proc/"$traffic"/task/*; do cut -c 1-40 "$task/stat"; cat "$task/wchan" "$task/syscall"; done; ss -4 -tinae; }
program_has_ended() { ! kill -0 "$traffic" 2>/dev/null; }
unbind() { echo "$device" >"$driver/unbind" && [ ! -e /sys/class/net/eth0 ]; }
bind() { echo "$device" >"$driver/bind" && up_with_addresses; }

check ping ping -n -c 2 -i 0.05 -W 1 "$LH_PEER4"
check to-peer moves -c "$LH_PEER4" -t 0.1
check from-peer moves -c "$LH_PEER4" -t 0.1 -R
check both-ways moves -c "$LH_PEER4" -p 5003 -t 0.1 --full-duplex
check streams moves -c "$LH_PEER4" -t 0.1 -P 8
check small-window moves -c "$LH_PEER4" -t 0.05 -w 32K
check small-writes moves -c "$LH_PEER4" -t 0.02 -l 100
check iperf3 iperf3 -c "$LH_PEER4" -n 20M
check file file_arrives "$LH_PEER4"
check refused refused
check short-connections short_connections
check none-left none_left
start_traffic
check traffic traffic_moves
check by-chip by_chip
show sockets ss -4 -tinHe
check down ip link set dev eth0 down
check told-of-down program_ends
check up up
check after-down moves -c "$LH_PEER4" -t 0.05
start_traffic
check traffic-again traffic_moves
check unbind unbind
check told-of-unbind program_ends
check bind bind
check after-bind moves -c "$LH_PEER4" -t 0.05
check none-left-at-the-end none_left
check quiet kernel_is_quiet
show statistics ethtool -S eth0
