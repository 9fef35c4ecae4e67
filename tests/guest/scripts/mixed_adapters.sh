# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What the kernel says of each adapter, and a stream over each. ADAPTERS: `NAME=ADDRESS` of each, the peer's address on its network;
# MEASURED: the name of the one whose stream is the measured window.

of_adapter() {
  ethtool -i "$1"
  for value in address mtu speed tx_queue_len; do
    echo "$value: $(cat "/sys/class/net/$1/$value")"
  done
  ip -o -4 address show dev "$1"
  ethtool -k "$1" | grep '^tcp-segmentation-offload:'
  ethtool -g "$1" | sed -n '/^Current/,$p'
}

for adapter in $ADAPTERS; do
  show "${adapter%%=*}" of_adapter "${adapter%%=*}"
done
show order ls /sys/class/net
for adapter in $ADAPTERS; do
  name=${adapter%%=*}
  check "ping-$name" ping -n -c 3 -i 0.01 -W 2 "${adapter#*=}"
  [ "$name" != "$MEASURED" ] || echo measure-begin >/proc/longhaul/phase
  check "stream-$name" iperf -c "${adapter#*=}" -t 0.05
  [ "$name" != "$MEASURED" ] || echo measure-end >/proc/longhaul/phase
done
show interrupts cat /proc/interrupts
check quiet kernel_is_quiet
