# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
# The adapter goes away below open connections.

down() { ip link set dev eth0 down && sleep 0.1 && ip link set dev eth0 up; }
reset() { ethtool --reset eth0 dma mac phy offload >/tmp/reset 2>&1 || { cat /tmp/reset; return 1; }; }
unbind() { echo "$device" >"$driver/unbind" && echo "$device" >"$driver/bind" && up_with_addresses; }

crowd down 30 500 down
crowd reset 30 500 reset
show statistics ethtool -S eth0
crowd unbind 30 500 unbind
check quiet kernel_is_quiet
