# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154,SC2034
# The cable is dark for longer than a connection waits, once below connections of the chip and once
# below those of Linux' own TCP. Then the chip has new ones.

echo "$RETRIES" >/proc/sys/net/ipv4/tcp_retries2
went_dark() { until_true "$EVERY" carrier_is 0; }
sockets() { sed -n 's/^TCP: //p' /proc/net/sockstat; }
objects() { sed -n '3,$s/^\([^ ]*\) *\([0-9]*\) .*/\1 \2/p' /proc/slabinfo; }
holdings() {
  show "sockets-$1" sockets
  show "objects-$1" objects
}

crowd first 0.1 500 true
holdings before
crowd_words="0.5 chip"
crowd chip "$OPEN_FOR" 500 went_dark
holdings chip
crowd_words="0.5 software"
crowd software "$OPEN_FOR" 500 went_dark
crowd_words=
crowd again 0.1 500 true
holdings after
check quiet kernel_is_quiet
show statistics ethtool -S eth0
