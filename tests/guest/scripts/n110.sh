# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What cxgb has that other drivers do not.

hold_off_is() { ethtool -c eth0 | grep -qx "rx-usecs:[[:space:]]*$1"; }
set_hold_off() { ethtool -C eth0 rx-usecs "$1" && hold_off_is "$1"; }
pings() { ping -n -c 20 -i 0.002 -W 1 "$LH_PEER4"; }
fixed_rings() { ! ethtool -G eth0 rx 1024 2>/tmp/rings && grep -qi busy /tmp/rings; }
address_comes_from_vpd() {
  ethtool -e eth0 raw on | od -An -v -t x1 -j 20 -N 6 | tr -d '\n' | sed 's/^ //; s/ /:/g' >/tmp/vpd
  [ "$(cat /tmp/vpd)" = "$(cat /sys/class/net/eth0/address)" ]
}
time_of_pings() { ping -q -n -c 20 -i 0.002 -W 1 "$LH_PEER4" | sed -n 's|^rtt [^=]*= [0-9.]*/\([0-9.]*\)/.*|\1|p'; }

show dmesg dmesg
show link ethtool eth0
show rings ethtool -g eth0
show coalesce ethtool -c eth0
show features ethtool -k eth0
show registers ethtool -d eth0
check vpd address_comes_from_vpd
check rings-are-fixed fixed_rings
check default-hold-off hold_off_is 50
check pings pings
show time-50 time_of_pings
check hold-off-0 set_hold_off 0
show time-0 time_of_pings
check hold-off-500 set_hold_off 500
show time-500 time_of_pings
check hold-off-back set_hold_off 50
check pings-after pings
start_traffic
check traffic traffic_moves
during hold-off-under-load set_hold_off 20
during registers-under-load ethtool -d eth0
# The interface is closed once only: cxgb does not survive a second time
# (models/nic/terminator/README.md).
during down-and-up down_and_up
during statistics-after ethtool -S eth0
check quiet kernel_is_quiet
stop_traffic
