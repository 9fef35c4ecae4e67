# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Everything that an administrator does to an adapter, while TCP runs over it. DIRECTION: what this end does. OTHER_MTU: an MTU
# that the connection survives. FEW_RINGS, MANY_RINGS: receive and transmit descriptors. PAUSE_WORDS: what ethtool -A has to be
# told beside the two directions. AT_REST: operations that the driver does not survive while it sends. FEATURES: what ethtool -K can
# switch. TAG_ROOM: bytes by which a frame with a tag has to be smaller.
# LEFT_OUT: steps that the driver does not have or survive.

flag_is() { ip -d link show dev eth0 | grep -q "$1"; }
feature_is() { ethtool -k eth0 | grep -qx "$1: $2"; }

set_feature() {
  ethtool -K eth0 "$1" "$3" && feature_is "$2" "$3"
}

rings_are() { [ "$(ethtool -g eth0 | sed -n 's/^\(RX\|TX\):[[:space:]]*//p' | tail -n 2 | tr '\n' ' ')" = "$1 $2 " ]; }
# careful NAME COMMAND...: the command, with the program stopped and its data delivered if AT_REST has the name.
careful() {
  case " $AT_REST " in
    *" $1 "*) ;;
    *)
      shift
      "$@"
      return
      ;;
  esac
  shift
  kill -STOP "$traffic" && sleep 0.3
  "$@"
  careful_code=$?
  kill -CONT "$traffic"
  return $careful_code
}

# A step of a name and a command, unless LEFT_OUT has the name.
wanted() {
  case " $LEFT_OUT " in
    *" $1 "*) ;;
    *) during "$@" ;;
  esac
}

set_rings() { careful rings ethtool -G eth0 rx "$1" tx "$2" && rings_are "$1" "$2"; }

pause_is() { [ "$(ethtool -a eth0 | sed -n 's/^\(RX\|TX\):[[:space:]]*//p' | tr '\n' ' ')" = "$1 $2 " ]; }
# shellcheck disable=SC2086 # words
set_pause() { careful pause ethtool -A eth0 $PAUSE_WORDS rx "$1" tx "$2" && pause_is "$1" "$2"; }

set_mtu() { careful mtu ip link set dev eth0 mtu "$1" && [ "$(cat /sys/class/net/eth0/mtu)" = "$1" ]; }

join_and_leave() {
  ip maddr add 01:00:5e:01:02:03 dev eth0 && ip maddr show dev eth0 | grep -q 01:00:5e:01:02:03 &&
    ip maddr del 01:00:5e:01:02:03 dev eth0 && ! ip maddr show dev eth0 | grep -q 01:00:5e:01:02:03
}

# More groups than the adapter has exact filters: the hash table takes over.
many_groups() {
  for i in 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 17 18 19 1a; do
    ip maddr add "01:00:5e:7f:00:$i" dev eth0 || return
  done
  traffic_moves || return
  for i in 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 17 18 19 1a; do
    ip maddr del "01:00:5e:7f:00:$i" dev eth0 || return
  done
}

add_vlan() {
  ip link add link eth0 name eth0.5 type vlan id 5 && ip address add 10.5.0.1/24 dev eth0.5 && ip link set dev eth0.5 up
}

case $DIRECTION in
  sends) start_traffic ;;
  receives) start_traffic -R ;;
esac
check starts traffic_moves

for option in S i d k a g; do
  during "ethtool-$option" ethtool "-$option" eth0
done
long_name() {
  case $1 in
    tso) echo tcp-segmentation-offload ;;
    gso) echo generic-segmentation-offload ;;
    gro) echo generic-receive-offload ;;
    rx) echo rx-checksumming ;;
    tx) echo tx-checksumming ;;
    sg) echo scatter-gather ;;
    rxvlan) echo rx-vlan-offload ;;
  esac
}
for feature in $FEATURES; do
  for state in off on; do
    during "$feature-$state" set_feature "$feature" "$(long_name "$feature")" $state
  done
done
case " $FEATURES " in
  # Without checksums there is no segmentation either; both come back.
  *' tso '*) during tso-again set_feature tso tcp-segmentation-offload on ;;
esac
# shellcheck disable=SC2086 # two numbers each
wanted rings-few set_rings $FEW_RINGS
# shellcheck disable=SC2086
wanted rings-many set_rings $MANY_RINGS
during pause-off set_pause off off
during pause-on set_pause on on
# A receiver below the sender's MTU would rightly drop its frames.
during mtu-other set_mtu "$OTHER_MTU"
during mtu-back set_mtu "$LH_MTU"
wanted link-down-up careful link down_and_up
during promiscuous-on ip link set dev eth0 promisc on
during promiscuous-shown flag_is 'promiscuity [1-9]'
during promiscuous-off ip link set dev eth0 promisc off
during allmulticast-on ip link set dev eth0 allmulticast on
during allmulticast-off ip link set dev eth0 allmulticast off
during multicast-group join_and_leave
during many-groups many_groups
during vlan-add add_vlan
during vlan-ping ping -n -c 3 -i 0.02 -W 0.3 10.5.0.2
during vlan-jumbo-ping ping -n -c 3 -i 0.02 -W 0.3 -M do -s $((LH_MTU - 28 - TAG_ROOM)) 10.5.0.2
during vlan-delete ip link delete eth0.5
during unbind-bind careful link unbind_and_bind
during unbind-bind-again careful link unbind_and_bind
during identify-after ethtool -i eth0

show ethtool-S ethtool -S eth0
show dmesg dmesg
stop_traffic
