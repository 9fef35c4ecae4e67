# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The box in the cable (models/wan/frame_injector) is dark for 40 ms each second of simulated time.
changes() { cat /sys/class/net/eth0/carrier_changes; }
over_a_cut() { sleep 1 && traffic_moves; }
before=$(changes)
start_load
check load traffic_moves
for number in 1 2 3 4; do
  check "cut-$number" over_a_cut
done
check load-ends stop_load
check file-there file_there 200000
check file-back file_back
check carrier-comes-back until_true 5 carrier_is 1
told=$(($(changes) - before))
figure cut.carrier_changes "$told"
if [ "$told" = 0 ]; then
  skip carrier-told "the driver told of no change: it looks at the link too rarely (e1000: each 2 s), or nothing tells it (GMII, MII and XGMII have no pin for it)"
else
  check carrier-told [ "$told" -ge 8 ]
fi
check_quiet
