# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
sizes() {
  set_mtu "$1" && until_true 10 answers_once || return
  for size in 0 1 17 18 19 $((($1 - 28) / 2)) $(($1 - 30)) $(($1 - 29)) $(($1 - 28)); do
    pings -c 2 -M do -p 5ac3 -s $size "$LH_PEER4" >/tmp/ping && ! grep -q wrong /tmp/ping || { cat /tmp/ping; return 1; }
  done
}
least=$(limit minmtu) largest=$(limit maxmtu)
[ "$least" -ge 68 ] || least=68 # RFC 791
theirs=$(far "ip -d link show dev eth0 | sed -n 's/.* maxmtu \([0-9]*\).*/\1/p'")
[ "$largest" != 0 ] && [ "$largest" -le "$theirs" ] || largest=$theirs
figure mtu.least "$least"
figure mtu.largest "$largest"
check far-end far_mtu "$largest"
for mtu in $least 576 1500 1501 1504 4074 $largest; do
  [ "$mtu" -le "$largest" ] || continue
  check "sizes-$mtu" sizes "$mtu"
  [ "$mtu" -lt 500 ] || check "out-$mtu" moves -c "$LH_PEER4" -n 150K
  [ "$mtu" -lt 500 ] || check "in-$mtu" moves -c "$LH_PEER4" -R -n 150K
done
check file-there file_there
check file-back file_back
check far-end-back far_mtu 1500
check back sizes 1500
check no-wrong-packet no_packet_is_wrong
check_quiet
