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
  check "ping-${adapter%%=*}" ping -n -c 3 -i 0.01 -W 2 "${adapter#*=}"
  [ "${adapter%%=*}" = "$MEASURED" ] || check "stream-${adapter%%=*}" iperf -c "${adapter#*=}" -t 0.05
done
# Everybody who answers for the peer's address.
for adapter in $ADAPTERS; do
  show "answers-${adapter%%=*}" busybox arping -c 2 -w 1 -I "${adapter%%=*}" "${adapter#*=}"
done
# The measured window closes with the last of the marks, which is the workload's own: so the measured stream is the last.
for adapter in $ADAPTERS; do
  [ "${adapter%%=*}" = "$MEASURED" ] || continue
  echo measure-begin >/proc/longhaul/phase
  check "stream-$MEASURED" iperf -c "${adapter#*=}" -t 0.05
  echo measure-end >/proc/longhaul/phase
done
show interrupts cat /proc/interrupts
check quiet kernel_is_quiet
