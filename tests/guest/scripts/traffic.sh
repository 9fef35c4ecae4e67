# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Every kind of traffic at one MTU, and a file that must arrive as it is. HAS_HAD_TRAFFIC: behind
# these lines stands every_adapter.sh, which looks at the kernel's messages.

iperf_moves() {
  iperf "$@" >/tmp/iperf 2>&1 && grep -q 'bits/sec' /tmp/iperf && ! grep -qi 'failed\|refused\|WARNING' /tmp/iperf || { cat /tmp/iperf; return 1; }
}

check ping4 ping -n -c 10 -i 0.01 -W 2 "$LH_PEER4"
check ping6 ping -n -c 10 -i 0.01 -W 2 "$LH_PEER6"
check largest-ping4 ping -n -c 3 -i 0.01 -W 2 -M do -s $((LH_MTU - 28)) "$LH_PEER4"
check largest-ping6 ping -n -c 3 -i 0.01 -W 2 -M do -s $((LH_MTU - 48)) "$LH_PEER6"
check fragmented-ping4 ping -n -c 3 -i 0.01 -W 2 -s $((3 * LH_MTU)) "$LH_PEER4"
check iperf4 iperf_moves -c "$LH_PEER4" -t 0.05
check iperf6 iperf_moves -V -c "$LH_PEER6" -t 0.05
check iperf4-back iperf_moves -c "$LH_PEER4" -t 0.05 -R
# A server of its own: after such a run iperf 2.1.8 sometimes dies of a lock that it has freed (glibc: tpp.c) as the next connections come.
check iperf4-both iperf_moves -c "$LH_PEER4" -p 5003 -t 0.05 --full-duplex
check iperf4-streams iperf_moves -c "$LH_PEER4" -t 0.05 -P 4
check iperf3-4 iperf3 -c "$LH_PEER4" -n 20M
check iperf3-6 iperf3 -6 -c "$LH_PEER6" -n 20M
check udp4 iperf_moves -u -c "$LH_PEER4" -p 5002 -t 0.05 -b 500M -l $((LH_MTU - 28))
check udp6 iperf_moves -u -V -c "$LH_PEER6" -p 5002 -t 0.05 -b 500M -l $((LH_MTU - 48))
check file4 file_arrives "$LH_PEER4"
check file6 file_arrives "$LH_PEER6"
[ -n "${HAS_HAD_TRAFFIC:-}" ] || check quiet kernel_is_quiet
show ethtool-S ethtool -S eth0
