# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# sizes FROM TO: one echo of each; ping compares the bytes.
sizes() {
  size=$1
  while [ $size -le "$2" ]; do
    pings -c 1 -p 5ac3 -s $size "$LH_PEER4" >/tmp/ping && ! grep -q wrong /tmp/ping || {
      echo "an echo of $size bytes does not come back as it was: $(cat /tmp/ping)"
      return 1
    }
    size=$((size + 1))
  done
}
# Where an interrupt is lost, an echo comes back with the next one only.
in_time() {
  ping -n -c 30 -i 0.01 -W 1 "$LH_PEER4" >/tmp/ping || { cat /tmp/ping; return 1; }
  worst=$(sed -n 's/^rtt .* = [^/]*\/[^/]*\/\([0-9.]*\)\/.*/\1/p' /tmp/ping)
  figure ping.worst "$worst ms"
  awk "BEGIN { exit !($worst < 5) }" || { cat /tmp/ping; return 1; }
}
largest=$((LH_MTU - 28))
check answers answers
check in-time in_time
from=0
while [ $from -le $largest ]; do
  to=$((from + 255 < largest ? from + 255 : largest))
  check "sizes-$from-$to" sizes $from $to
  from=$((to + 1))
done
for pattern in 00 ff 55 aa; do
  check "pattern-$pattern" pings -c 3 -p $pattern -s 1111 "$LH_PEER4"
done
check many-at-once pings -f -c 300 -s 64 "$LH_PEER4"
check fragments pings -c 4 -s 20000 "$LH_PEER4"
check ipv6 ping -n -c 4 -i 0.002 -W 1 -s 1001 "$LH_PEER6"
check no-wrong-packet no_packet_is_wrong
check_quiet
