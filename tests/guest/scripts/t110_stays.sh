# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
# Connections that nothing ends, for SECONDS_OPEN, with BYTES of data on their way in each.

crowd stays "$SECONDS_OPEN" "$BYTES" true
check quiet kernel_is_quiet
show statistics ethtool -S eth0
show carrier-changes cat /sys/class/net/eth0/carrier_changes
