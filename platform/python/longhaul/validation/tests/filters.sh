# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
groups() {
  for i in 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12; do
    ip maddr "$1" "01:00:5e:7f:00:$i" dev eth0 || return
  done
}
answered_with() { ip link set dev eth0 "$1" on && flag_is "${2:-$1}" && answers && ip link set dev eth0 "$1" off && answers; }
# The far end asks the group of all nodes, of which this end is a member.
group_reaches() {
  far 'ping -n -c 3 -i 0.01 -W 0.5 ff02::1%eth0' >/tmp/ping
  grep -q ' 3 received' /tmp/ping || { cat /tmp/ping; return 1; }
}
tagged() {
  far 'ip link add link eth0 name eth0.5 type vlan id 5; ip address add 10.5.0.2/24 dev eth0.5; ip link set dev eth0.5 up' || return
  ip link add link eth0 name eth0.5 type vlan id 5 && ip address add 10.5.0.1/24 dev eth0.5 && ip link set dev eth0.5 up || return
  until_true 5 ping -n -c 1 -W 0.2 10.5.0.2 || return
  for size in 1 13 14 15 16 17 18 46 700 $((LH_MTU - 28)); do
    pings -c 2 -M do -p 5ac3 -s $size 10.5.0.2 >/tmp/ping && ! grep -q wrong /tmp/ping || { cat /tmp/ping; return 1; }
  done
  moves -c 10.5.0.2 -n 100K
}
other_address() {
  was=$(cat /sys/class/net/eth0/address)
  ip link set dev eth0 down && ip link set dev eth0 address "$1" && ip link set dev eth0 up && until_true 5 carrier_is 1 &&
    far 'ip neigh flush dev eth0' && answers || return
  ip link set dev eth0 down && ip link set dev eth0 address "$was" && ip link set dev eth0 up && until_true 5 carrier_is 1 && answers
}
# Frames for others do not reach the host.
others_stay_out() {
  far 'ip neigh replace 10.77.0.9 lladdr 02:00:00:00:77:09 dev eth0; ip route replace 10.77.0.9 dev eth0'
  before=$(statistic rx_packets)
  far 'ping -n -c 20 -i 0.001 -W 0.01 10.77.0.9' >/dev/null
  came=$(($(statistic rx_packets) - before))
  [ $came -lt 20 ] || { echo "$came frames reached the host; 20 were for another station"; return 1; }
}
check answers answers
check others-stay-out others_stay_out
check groups-join groups add
check groups-answers answers
check group-reaches group_reaches
check groups-leave groups del
check all-groups answered_with allmulticast ALLMULTI
check promiscuous answered_with promisc 'promiscuity [1-9]'
check tagged tagged
check tagged-ends ip link delete eth0.5
check other-address other_address 02:12:34:56:78:9a
check answers-after answers
check no-wrong-packet no_packet_is_wrong
check_quiet
