# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The kernel drops frames of a type that it does not know, once the driver has handed them on. The box
# in the cable (models/wan/frame_injector) begins with the adapter's first frame: it is counted from then.
dropped() { cat /sys/class/net/eth0/statistics/rx_dropped; }
check answers answers
check survives sleep 0.2
check answers-after answers
figure odd.handed_on "$(dropped)"
check out moves -c "$LH_PEER4" -n 200K
check in moves -c "$LH_PEER4" -R -n 200K
check file-there file_there 200000
check file-back file_back
check_quiet
