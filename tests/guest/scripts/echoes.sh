# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Echoes one by one: each is sent when the one before is answered, or after 10 ms. COALESCING: words for `ethtool -C`.

# shellcheck disable=SC2086 # words
[ -z "$COALESCING" ] || check coalescing ethtool -C eth0 $COALESCING
show echoes ping -n -f -c "$ECHOES" "$LH_PEER4"
check quiet kernel_is_quiet
