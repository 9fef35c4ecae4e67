# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Echoes one by one: each is sent when the one before is answered, or after 10 ms.

# The first one finds the neighbour.
check neighbour until_true 10 ping -n -c 1 -W 1 "$LH_PEER4"
show echoes ping -n -f -c "$ECHOES" "$LH_PEER4"
check quiet kernel_is_quiet
