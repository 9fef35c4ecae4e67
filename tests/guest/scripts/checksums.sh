# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Little traffic of every kind with the adapter's checksums and segmentation in the given STATE.

show state echo "STATE=$STATE"
# The driver shows rx as off after its probe although the adapter checks; only a change reaches the adapter.
check rx-on ethtool -K eth0 rx on
check set ethtool -K eth0 rx "$STATE" tx "$STATE" tso "$STATE"
show before ethtool -S eth0
check ping4 ping -n -c 3 -i 0.01 -W 2 "$LH_PEER4"
check ping6 ping -n -c 3 -i 0.01 -W 2 "$LH_PEER6"
check tcp4 iperf -c "$LH_PEER4" -n 1M
check tcp6 iperf -V -c "$LH_PEER6" -n 1M
check udp4 iperf -u -c "$LH_PEER4" -p 5002 -t 0.01 -b 50M
check udp6 iperf -u -V -c "$LH_PEER6" -p 5002 -t 0.01 -b 50M
check quiet kernel_is_quiet
show after ethtool -S eth0
