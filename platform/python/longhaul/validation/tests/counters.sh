# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Between two echoes of sizes that no other has nothing is reset (verdict.py compares with the cable).
mark() { pings -c 1 -s "$1" "$LH_PEER4" && sleep 0.02; }
count() {
  sleep 2.5
  for each in rx_packets tx_packets rx_errors tx_errors rx_dropped tx_dropped; do
    figure "$1.$each" "$(cat /sys/class/net/eth0/statistics/$each)"
  done
}
# Nobody answers.
to_a_group() { ! ping -n -c 2 -i 0.002 -W 0.05 -I eth0 239.1.2.4; }
check answers answers
# Reports of groups come within two seconds of the link (RFC 3810, 9.11), and would be counted on the cable alone.
sleep 2.5
check begin mark 701
count begin
check out moves -c "$LH_PEER4" -n 200K
check in moves -c "$LH_PEER4" -R -n 200K
check group to_a_group
check end mark 702
count end
check_quiet
