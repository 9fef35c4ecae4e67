# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The same program over both stacks: TCP of the chip, which its sockets ask for, and Linux' own.

show chip python3 /root/socket_semantics.py "$LH_PEER4" 5999 chip
show software python3 /root/socket_semantics.py "$LH_PEER4" 5999 software
check quiet kernel_is_quiet
show statistics ethtool -S eth0
