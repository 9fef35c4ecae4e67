# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Scripts of TCP from a raw socket, against sockets of the other guest over each of its stacks.

ethtool -K eth0 gro off
show chip python3 /root/tcp_scripts.py "$LH_PEER4" 5999 chip
show software python3 /root/tcp_scripts.py "$LH_PEER4" 5999 software
check quiet kernel_is_quiet
