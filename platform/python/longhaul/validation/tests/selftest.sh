# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
passes() {
  ethtool -t eth0 "$1" >/tmp/test 2>&1 && grep -q 'result is PASS' /tmp/test || { cat /tmp/test; return 1; }
}
if ethtool -t eth0 online >/tmp/said 2>&1 || ! grep -q 'not supported' /tmp/said; then
  check online passes online
  check offline passes offline
  check answers answers
  start_load
  check load traffic_moves
  during under-load passes offline
  check load-ends stop_load
else
  skip ethtool-t 'the driver has no test (ethtool -t)'
fi
check_quiet
