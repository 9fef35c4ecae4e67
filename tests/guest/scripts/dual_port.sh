# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Traffic over both ports of a board. The second is brought up here and, by the same lines with END 2, at the peer.

ip link set dev eth1 up
for _ in $(seq 1000); do
  [ "$(cat /sys/class/net/eth1/carrier)" = 1 ] && break
  sleep 0.01
done
ip address add "10.9.0.$END/24" dev eth1
[ "$END" = 1 ] || exec iperf -s

show dmesg dmesg
show pci lspci -vvn
show addresses cat /sys/class/net/eth0/address /sys/class/net/eth1/address
check first-ping ping -n -c 3 -i 0.01 -W 2 "$LH_PEER4"
check second-ping until_true 10 ping -n -c 1 -W 1 -I eth1 10.9.0.2
both_at_once() {
  iperf -c "$LH_PEER4" -t 0.05 &
  first=$!
  iperf -c 10.9.0.2 -t 0.05 && wait "$first"
}
check both both_at_once
show interrupts cat /proc/interrupts
check quiet kernel_is_quiet
