# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
if ethtool -g eth0 >/tmp/rings 2>&1; then
  rx=$(sed -n 's/^RX:[[:space:]]*//p' /tmp/rings | tail -n 1) tx=$(sed -n 's/^TX:[[:space:]]*//p' /tmp/rings | tail -n 1)
  most_rx=$(sed -n 's/^RX:[[:space:]]*//p' /tmp/rings | head -n 1) most_tx=$(sed -n 's/^TX:[[:space:]]*//p' /tmp/rings | head -n 1)
  start_load
  check load traffic_moves
  if ethtool -G eth0 rx "$most_rx" 2>/tmp/said || ! grep -q 'not supported' /tmp/said; then
    for count in 64 128 1024; do
      [ $count -le "$most_rx" ] && [ $count -le "$most_tx" ] || continue
      during "rings-$count" set_rings $count $count
    done
    during rings-largest set_rings "$most_rx" "$most_tx"
    during rings-back set_rings "$rx" "$tx"
  else
    skip rings 'the driver does not set its rings (ethtool -G)'
  fi
  check load-ends stop_load
  # The index of the smallest ring wraps many times.
  if ethtool -G eth0 rx 64 tx 64 2>/dev/null; then
    check wraps-out moves -c "$LH_PEER4" -n 600K
    check wraps-in moves -c "$LH_PEER4" -R -n 600K
    check wraps-file file_there
  fi
else
  skip rings 'the driver does not tell its rings (ethtool -g)'
fi
check_quiet
