# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
coalescing_is() { ethtool -c eth0 | grep -q "^rx-usecs:[[:space:]]*$1$"; }
# Interrupts of a stream that comes in, with so much least time between two of them.
coalescing() {
  ethtool -C eth0 rx-usecs "$1" && coalescing_is "$1" || { ethtool -c eth0; return 1; }
  before=$(interrupts)
  moves -c "$LH_PEER4" -R -n 300K || return
  taken=$(($(interrupts) - before))
  figure "interrupts.usecs_$1" "$taken"
  echo $taken >/tmp/taken-"$1"
}
fewer() { [ "$(cat /tmp/taken-500)" -lt "$(cat /tmp/taken-0)" ] || { cat /tmp/taken-*; return 1; }; }
none_when_idle() {
  sleep 0.05 && before=$(interrupts) && sleep 0.2 && taken=$(($(interrupts) - before))
  # The far end may have something to say: a neighbour's probe or two.
  [ $taken -lt 20 ] || { echo "$taken interrupts in 0.2 s of silence"; return 1; }
}
not_too_many() {
  ip_packets && before=$(interrupts) packets=$((ip_in + ip_out))
  moves -c "$LH_PEER4" -n 300K || return
  ip_packets && taken=$(($(interrupts) - before)) packets=$((ip_in + ip_out - packets))
  figure interrupts.packets_each "$(awk "BEGIN { printf \"%.2f\", $packets / ($taken + 0.001) }")"
  [ $taken -le $((packets * 3)) ] && [ $taken -gt 0 ] || { echo "$taken interrupts for $packets packets"; return 1; }
}
# Frames with a pause between: each has to be reported by itself.
one_by_one() {
  ping -n -c 40 -i 0.005 -W 1 "$LH_PEER4" >/tmp/ping && ! grep -q ' time=[0-9]\{2,\}' /tmp/ping || { cat /tmp/ping; return 1; }
}
check answers answers
check one-by-one one_by_one
check not-too-many not_too_many
check none-when-idle none_when_idle
if ethtool -c eth0 | grep -q '^rx-usecs:[[:space:]]*[0-9]' && ethtool -C eth0 rx-usecs 20 2>/tmp/said; then
  for micros in 0 20 500; do
    check "coalescing-$micros" coalescing $micros
  done
  check coalescing-has-an-effect fewer
  check coalescing-back ethtool -C eth0 rx-usecs 20
else
  skip coalescing 'the driver does not set rx-usecs (ethtool -C)'
fi
check nobody-elses nobody_elses
check nothing-sent-again nothing_was_sent_again
check_quiet
