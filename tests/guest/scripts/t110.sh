# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What the driver t110 has that other drivers do not, and what must not disturb traffic.

answers_once() { ping -n -c 1 -W 0.2 "$LH_PEER4" >/dev/null; }
fails() { ! "$@"; }
answers() { until_true 10 answers_once; }
pings() { ping -q -n -c 20 -i 0.002 -W 1 "$LH_PEER4"; }
time_of_pings() { pings | sed -n 's|^rtt [^=]*= [0-9.]*/\([0-9.]*\)/.*|\1|p'; }
address() { cat /sys/class/net/eth0/address; }
address_comes_from_vpd() {
  ethtool -e eth0 raw on | od -An -v -t x1 -j 20 -N 6 | tr -d '\n' | sed 's/^ //; s/ /:/g' >/tmp/vpd
  [ "$(cat /tmp/vpd)" = "$(address)" ]
}
set_mtu() { ip link set dev eth0 mtu "$1"; }
mtu_and_back() { set_mtu 9582 && answers && set_mtu "$LH_MTU" && answers; }
set_hold_off() { ethtool -C eth0 rx-usecs "$1" && ethtool -c eth0 | grep -qx "rx-usecs:[[:space:]]*$1"; }
set_rings() {
  ethtool -G eth0 rx "$1" rx-jumbo "$2" tx "$3" &&
    ethtool -g eth0 | sed '1,/Current/d' | grep -qx "TX:[[:space:]]*$3" && until_true 5 carrier_is 1 && answers
}
set_pause() {
  ethtool -A eth0 rx "$1" tx "$1" && ethtool -a eth0 | grep -qx "TX:[[:space:]]*$1" && answers
}
set_address() { ip link set dev eth0 address "$1" && [ "$(address)" = "$1" ] && answers; }
# An interface with an address of its own on top of eth0: the filter has to hold both.
second_address() {
  ip link add link eth0 name eth0.6 address 02:00:00:00:00:05 type vlan id 6 &&
    ip link set dev eth0.6 up && answers && ip link del dev eth0.6
}
tagged() {
  ip link add link eth0 name eth0.5 type vlan id 5 && ip link set dev eth0.5 up && answers &&
    ip link del dev eth0.5
}
by_ethtool() { ethtool --reset eth0 dma mac phy offload >/tmp/reset 2>&1 && until_true 8 carrier_is 1; }
unbind() { echo "$device" >"$driver/unbind" && [ ! -e /sys/class/net/eth0 ]; }
bind() { echo "$device" >"$driver/bind" && up_with_addresses && answers; }

check vpd address_comes_from_vpd
check largest-mtu mtu_and_back
check too-large-mtu fails set_mtu 9583
check hold-off set_hold_off 0
show time-0 time_of_pings
set_hold_off 500
show time-500 time_of_pings
set_hold_off 50
check rings set_rings 64 64 64
set_rings 1024 256 1024
check pause-off set_pause off
check pause-on set_pause on
own=$(address)
check another-address set_address 02:00:00:00:00:07
check own-address set_address "$own"
check second-address second_address
check tagged tagged
start_traffic
check traffic traffic_moves
during down-and-up down_and_up
during down-and-up-again down_and_up
during rings-under-load set_rings 2048 128 512
during mtu-under-load mtu_and_back
during reset-under-load by_ethtool
check quiet-before kernel_is_quiet
check unbind-under-load unbind
check after-unbind bind
check traffic-after traffic_moves
stop_traffic
check quiet kernel_is_quiet
