# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Some are lost where the sender is faster than line or receiver: that is no mistake.
floods() {
  ip_packets && before=$ip_out
  timeout 30 iperf -u -c "$LH_PEER4" -p 5002 -b 20G -l "$1" -n "$2" >/tmp/flood 2>&1
  ip_packets && [ $((ip_out - before)) -gt 50 ] || { cat /tmp/flood; return 1; }
  answers
}
flooded() {
  ip_packets && before=$ip_in
  far "iperf -u -c $own_address -p 5002 -b 20G -l $1 -n $2" >/tmp/flood
  ip_packets && [ $((ip_in - before)) -gt 50 ] || { cat /tmp/flood; return 1; }
  answers
}
# All buffers that were given to the adapter have come back.
nothing_waits() {
  sleep 0.05
  limits=/sys/class/net/eth0/queues/tx-0/byte_queue_limits/inflight
  [ "$(cat $limits)" = 0 ] || { echo "$(cat $limits) bytes were sent and never reported as sent"; return 1; }
}
iperf -s -u -p 5002 >/dev/null 2>&1 &
check answers answers
for size in 18 200 1470; do
  check "out-$size" floods $size 200K
done
for size in 18 200 1470; do
  check "in-$size" flooded $size 200K
done
check nothing-waits nothing_waits
check no-wrong-packet no_packet_is_wrong
check_quiet
