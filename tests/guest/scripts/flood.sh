# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# A flood of UDP for a receiver that is too slow for it. PAUSE: on or off. QUIET_AFTER: seconds
# after which both ends are quiet. The flood begins two seconds after the counters are read: the
# receiver reads its own in that silence.

ethtool -A eth0 rx "$PAUSE" tx "$PAUSE"
sleep 2
show before ethtool -S eth0
sleep 2
iperf -u -c "$LH_PEER" -p 5002 -b 5000M -l 1470 -n "$BYTES" >/dev/null 2>&1 &
sleep "$QUIET_AFTER"
show after ethtool -S eth0
sleep 2
check ping ping -n -c 3 -i 0.1 -W 2 "$LH_PEER4"
check quiet kernel_is_quiet
