# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
iperf -s -u -p 5002 >/dev/null 2>&1 &
# resets DIRECTION: while frames come or leave back to back the driver stops and starts the adapter.
resets() {
  for number in 1 2 3; do
    if [ "$1" = out ]; then
      iperf -u -c "$LH_PEER4" -p 5002 -b 20G -l 1470 -t 1 >/tmp/loud 2>&1 &
      loud=$!
    else
      far "iperf -u -c $own_address -p 5002 -b 20G -l 1470 -t 0.02 >/dev/null 2>&1 &"
      loud=''
    fi
    ip_packets && enough=$((ip_in + ip_out + 60)) tries=0
    until ip_packets && [ $((ip_in + ip_out)) -ge $enough ]; do
      tries=$((tries + 1))
      [ $tries -lt 2000 ] || { echo "no traffic: $(cat /tmp/loud)"; return 1; }
    done
    ip link set dev eth0 down || return
    [ -z "$loud" ] || { kill $loud; wait $loud; }
    sleep 0.02
    ip link set dev eth0 up && until_true 5 carrier_is 1 && answers || return
  done
}
by_ethtool() { ethtool --reset eth0 all && until_true 5 carrier_is 1 && answers; }
check answers answers
check out resets out
check in resets in
if ethtool --reset eth0 all >/tmp/said 2>&1 || ! grep -q 'not supported' /tmp/said; then
  check ethtool-reset by_ethtool
else
  skip ethtool-reset 'the driver has no reset (ethtool --reset)'
fi
check file-there file_there 200000
check file-back file_back
check no-wrong-packet no_packet_is_wrong
check_quiet
