# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# LiteEth's MAC under its driver: traffic, iperf3, MTUs, binding, and a look at the device tree.

iperf_moves() {
  iperf "$@" >/tmp/iperf 2>&1 && grep -q 'bits/sec' /tmp/iperf && ! grep -qi 'failed\|refused\|WARNING' /tmp/iperf || { cat /tmp/iperf; return 1; }
}
answers() { ping -n -c 5 -i 0.02 -W 1 "$@" "$LH_PEER4"; }
with_mtu() {
  ip link set dev eth0 mtu "$1" && answers -s $(($1 - 28)) -M do && iperf_moves -c "$LH_PEER4" -t 0.02 &&
    ip link set dev eth0 mtu "$LH_MTU"
}
short_file_arrives() {
  head -c 400000 /dev/urandom >/tmp/file
  theirs=$(nc "$LH_PEER4" 7001 </tmp/file)
  ours=$(sha256sum </tmp/file)
  [ "$ours" = "$theirs" ] || { echo "sent $ours, received $theirs"; return 1; }
}
too_large() { ! ip link set dev eth0 mtu 1501; }
after_binding() { unbind_and_bind && until_true 5 answers && iperf_moves -c "$LH_PEER4" -t 0.02; }

show driver readlink -f /sys/class/net/eth0/device/driver
show device readlink -f /sys/class/net/eth0/device
show address cat /sys/class/net/eth0/address
show tree find /sys/firmware/devicetree/base -name 'ethernet*'
show compatible tr '\0' '\n' </sys/firmware/devicetree/base/ethernet@e1001000/compatible
show iomem cat /proc/iomem
show interrupts-before grep eth0 /proc/interrupts
show command-line cat /proc/cmdline
check ping4 answers
check ping6 ping -n -c 5 -i 0.02 -W 1 "$LH_PEER6"
check largest-ping4 answers -s $((LH_MTU - 28)) -M do
check fragmented-ping4 answers -s $((3 * LH_MTU))
check iperf4 iperf_moves -c "$LH_PEER4" -t 0.05
check iperf4-back iperf_moves -c "$LH_PEER4" -t 0.05 -R
check iperf6 iperf_moves -V -c "$LH_PEER6" -t 0.05
check iperf3-4 iperf3 -c "$LH_PEER4" -n 500K
check iperf3-4-back iperf3 -c "$LH_PEER4" -n 500K -R
check iperf3-6 iperf3 -6 -c "$LH_PEER6" -n 300K
check udp4 iperf_moves -u -c "$LH_PEER4" -p 5002 -t 0.05 -b 20M -l $((LH_MTU - 28))
check file4 short_file_arrives
for mtu in 1280 576 68; do
  check "mtu-$mtu" with_mtu $mtu
done
check mtu-too-large too_large
check unbind-and-bind after_binding
check unbind-and-bind-again after_binding
show interrupts-after grep eth0 /proc/interrupts
show net-dev cat /proc/net/dev
show dmesg dmesg
check quiet kernel_is_quiet
