# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What an adapter of any type has to do under its driver: traffic, MTUs, unbinding and binding. LEAST_MTU: of driver and IPv4.
# HAS_HAD_TRAFFIC: traffic.sh stands before these lines.
# Down and up is not among it: Linux' ns83820 does not come back from that (models/nic/dp83820/README.md).

answers_once() { ping -n -c 1 -W 0.2 "$@" "$LH_PEER4" >/dev/null; }
answers() { until_true 5 answers_once "$@" && ping -n -c 5 -i 0.02 -W 1 "$@" "$LH_PEER4"; }
moves() { iperf "$@" -t 0.05 >/tmp/iperf 2>&1 && grep -q 'bits/sec' /tmp/iperf || { cat /tmp/iperf; return 1; }; }
with_least_mtu() {
  ip link set dev eth0 mtu "$LEAST_MTU" && answers -s $((LEAST_MTU - 28)) -M do || return
  ip link set dev eth0 mtu "$LH_MTU"
}
after() { "$@" && answers && moves -c "$LH_PEER4"; }
join() { ip maddr add 01:00:5e:01:02:03 dev eth0 && answers && ip maddr del 01:00:5e:01:02:03 dev eth0; }
promiscuous() { ip link set dev eth0 promisc on && answers && ip link set dev eth0 promisc off; }

show driver ethtool -i eth0
show dmesg dmesg
show address cat /sys/class/net/eth0/address
show interrupts-before grep eth0 /proc/interrupts
some_traffic() {
  check largest-ping4 answers -s $((LH_MTU - 28)) -M do
  check ping6 ping -n -c 5 -i 0.02 -W 1 "$LH_PEER6"
  check iperf4 moves -c "$LH_PEER4"
  check iperf6 moves -V -c "$LH_PEER6"
  check iperf4-back moves -c "$LH_PEER4" -R
  check iperf4-both moves -c "$LH_PEER4" -p 5003 --full-duplex
  check udp4 moves -u -c "$LH_PEER4" -p 5002 -b 300M -l $((LH_MTU - 28))
  check file4 file_arrives "$LH_PEER4"
}
[ -n "${HAS_HAD_TRAFFIC:-}" ] || some_traffic
check least-mtu with_least_mtu
check multicast join
check promiscuous promiscuous
show interrupts-after grep eth0 /proc/interrupts
check unbind-and-bind after unbind_and_bind
check unbind-and-bind-again after unbind_and_bind
check quiet kernel_is_quiet
show net-dev cat /proc/net/dev
