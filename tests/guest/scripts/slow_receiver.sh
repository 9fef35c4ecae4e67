# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The receiver of a flood: a server, and its adapter's counters in the silence before and after the
# flood. PAUSE: on or off. Its instants fit those of flood.sh.

ethtool -A eth0 rx "$PAUSE" tx "$PAUSE"
sleep 3
show before ethtool -S eth0
show pause ethtool -a eth0
iperf -s -u -p 5002 >/dev/null 2>&1 &
sleep "$QUIET_AFTER"
show after ethtool -S eth0
show quiet kernel_is_quiet
