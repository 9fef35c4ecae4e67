# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
feature_is() { ethtool -k eth0 | grep -qE "^[[:space:]]*$1: $2( |$)"; }
switched() { ethtool -K eth0 "$1" "$2" && feature_is "$1" "$2" || { ethtool -k eth0 | grep "$1:"; return 1; }; }
# Those that can be switched, without the three that stand for several.
features=$(ethtool -k eth0 | sed -n 's/^[[:space:]]*\([a-z0-9-]*\): \(on\|off\)$/\1/p' |
  grep -vx 'tx-checksumming\|scatter-gather\|tcp-segmentation-offload\|loopback')
figure offloads.number "$(echo "$features" | grep -c .)"
start_load
check load traffic_moves
for feature in $features; do
  was=$(ethtool -k eth0 | sed -n "s/^[[:space:]]*$feature: //p")
  other=$([ "$was" = on ] && echo off || echo on)
  during "$feature-$other" switched "$feature" "$other"
  during "$feature-$was" switched "$feature" "$was"
done
check load-ends stop_load
check file-there file_there 200000
check file-back file_back
check no-wrong-packet no_packet_is_wrong
check_quiet
