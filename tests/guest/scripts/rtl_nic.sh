# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What an administrator does to the NIC of the template rtl-nic, and the traffic that it has to carry.
# The far end's port 7002 is a shell.

# --- MTU, sizes ----------------------------------------------------------------------------------

sizes() {
  ip link set dev eth0 mtu "$1" && until_true 10 answers_once || return
  for size in 1 18 19 46 1472 1473 8972; do
    ping -n -c 2 -i 0.002 -W 0.2 -S 200000 -s $size "$LH_PEER4" || return
  done
}

# --- rings, coalescing, counters -----------------------------------------------------------------

coalescing_is() { ethtool -c eth0 | grep -q "^rx-usecs:[[:space:]]*$1$"; }
# Interrupts of a stream that comes in, by the least time between two of them.
coalescing() {
  ethtool -C eth0 rx-usecs "$1" && coalescing_is "$1" || return
  before=$(interrupts)
  moves -c "$LH_PEER4" -R -n 200K || return
  echo "interrupts-$1: $(($(interrupts) - before))" >&3
}

# --- filter, tags --------------------------------------------------------------------------------

promiscuous() {
  ip link set dev eth0 promisc on && flag_is 'promiscuity [1-9]' && traffic_moves &&
    ip link set dev eth0 promisc off && flag_is 'promiscuity 0'
}
groups() {
  for i in 01 02 03 04 05 06 07 08; do
    ip maddr add "01:00:5e:7f:00:$i" dev eth0 || return
  done
  traffic_moves || return
  for i in 01 02 03 04 05 06 07 08; do
    ip maddr del "01:00:5e:7f:00:$i" dev eth0 || return
  done
}
filtered() { ethtool -S eth0 | sed -n 's/^ *rx_filtered: //p'; }
# strange_group NAME: the far end sends three echoes to a group of which nobody is a member.
strange_group() {
  far 'ip route replace 239.1.2.3 dev eth0'
  before=$(filtered)
  far '/usr/bin/ping -n -c 3 -i 0.002 -W 0.01 239.1.2.3'
  echo "filtered-$1: $(($(filtered) - before))" >&3
}
group_with() {
  ip link set dev eth0 "$1" on && strange_group "$1" && ip link set dev eth0 "$1" off
}
tagged() {
  ip link add link eth0 name eth0.5 type vlan id 5 && ip address add 10.5.0.1/24 dev eth0.5 &&
    ip link set dev eth0.5 up || return
  for size in 1 46 $((LH_MTU - 28)); do
    ping -n -c 2 -i 0.002 -W 0.2 -M do -s $size 10.5.0.2 || return
  done
  ip link delete eth0.5
}

far_flap() {
  far '(sleep 0.01; ip link set dev eth0 down; sleep 0.02; ip link set dev eth0 up) >/dev/null 2>&1 &' &&
    sleep 0.05 && ! answers_once
}
up_and_down() { ip link set dev eth0 down && sleep 0.01 && ip link set dev eth0 up; }
sent() { cat /sys/class/net/eth0/statistics/tx_packets; }
# While frames leave back to back the driver resets the NIC, which may cut none of them.
resets_at_full_rate() {
  iperf -u -c "$LH_PEER4" -p 5002 -b 2G -l 8972 -t 10 >/tmp/loud 2>&1 &
  loud=$!
  for count in 64 128 256; do
    enough=$(($(sent) + 80))
    while [ "$(sent)" -lt $enough ] && kill -0 $loud; do :; done
    ethtool -G eth0 tx $count || return
  done
  ip link set dev eth0 down && kill $loud && wait $loud
  ip link set dev eth0 up && answers
}

# -------------------------------------------------------------------------------------------------

exec 3>/tmp/notes
show driver ethtool -i eth0
show interrupts grep eth0 /proc/interrupts
check answers answers
# Between the two marks, echoes of sizes that no other has, nothing is reset.
check mark-1 ping -n -c 1 -W 1 -s 701 "$LH_PEER4"
show counters-1 ethtool -S eth0
show net-dev-1 cat /proc/net/dev
for micros in 0 20 500; do
  check "coalescing-$micros" coalescing $micros
done
check coalescing-back ethtool -C eth0 rx-usecs 20
check out moves -c "$LH_PEER4" -n 300K
check in moves -c "$LH_PEER4" -R -n 300K
check both moves -c "$LH_PEER4" --full-duplex -n 200K
check udp moves -u -c "$LH_PEER4" -p 5002 -b 900M -n 200K
check ping6 ping -n -c 2 -i 0.002 -W 1 "$LH_PEER6"
check strange-group strange_group none
check mark-2 ping -n -c 1 -W 1 -s 702 "$LH_PEER4"
show counters-2 ethtool -S eth0
show net-dev-2 cat /proc/net/dev
show self-test ethtool -t eth0 offline
check self-test-online ethtool -t eth0 online
check answers-after answers
for mtu in 68 1500; do
  check "sizes-$mtu" sizes $mtu
  check "out-$mtu" moves -c "$LH_PEER4" -n 20K
  check "in-$mtu" moves -c "$LH_PEER4" -R -n 20K
done
check far-jumbo far_mtu 9000
check sizes-9000 sizes 9000
check out-9000 moves -c "$LH_PEER4" -n 300K
check in-9000 moves -c "$LH_PEER4" -R -n 300K
check resets-at-full-rate resets_at_full_rate
check far-back far_mtu 1500
check mtu-back sizes 1500
check all-groups group_with allmulticast
check promiscuous-group group_with promisc
check tagged tagged

iperf -c "$LH_PEER" -t 1000 --full-duplex -b 20M >/tmp/traffic 2>&1 &
traffic=$!
check starts traffic_moves
for option in S i c g; do
  during "ethtool-$option" ethtool "-$option" eth0
done
during rings-few set_rings 64 64
during rings-many set_rings 4096 4096
during rings-back set_rings 256 256
during promiscuous promiscuous
during groups groups
during down-up up_and_down
during self-test-busy ethtool -t eth0 offline
during far-flap far_flap
during unbind-bind unbind_and_bind
during unbind-bind-again unbind_and_bind
show ethtool-S ethtool -S eth0
show notes cat /tmp/notes
show spurious cat /proc/irq/"$(awk '/eth0/ { sub(":", "", $1); print $1 }' /proc/interrupts)"/spurious
stop_traffic
check quiet kernel_is_quiet
show dmesg dmesg
