# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Of a guest with several adapters, or with one that is not called eth0: LH_NAMES has the name of each, `0000:00:01.0=eth0 ...`.

# Gives every adapter its name. Linux numbers interfaces in the order in which its drivers find them, which is not that of the slots.
# A new name may be the present one of another adapter, so all that change take a name first that no scenario can give.
name_adapters() {
  away='' home='' number=0
  for adapter in $LH_NAMES; do
    name=${adapter#*=}
    slot=${adapter%%=*}
    wait_until 10 find_interface "$slot" || fail "no driver has made $name, the interface of PCI device $slot"
    [ "$interface" != "$name" ] || continue
    away="${away}link set dev $interface name new.$number
"
    home="${home}link set dev new.$number name $name
"
    number=$((number + 1))
  done
  if [ -n "$away" ]; then
    printf '%s%s' "$away" "$home" >"$LH_TMP/names"
    run ip -batch "$LH_TMP/names"
  fi
  # An adapter answers for its own address only, also where another one hears the question.
  run sysctl -q -w net.ipv4.conf.all.arp_ignore=1 net.ipv4.conf.all.arp_announce=2
}

# find_interface SLOT: sets `interface` to the present name.
find_interface() {
  for interface in "/sys/bus/pci/devices/$1/net"/*; do
    [ ! -e "$interface" ] || break
  done
  interface=${interface##*/}
  [ "$interface" != '*' ]
}

# each_other COMMAND...: does so for each adapter but the workload's, with its settings in place of those of the workload's.
each_other() {
  for adapter in "$LH_FILES"/adapters/*; do
    [ -e "$adapter" ] || continue
    (
      unset LH_RINGS LH_OFFLOADS LH_GSO_MAX_SEGS LH_GRO_MAX_SIZE LH_TXQUEUELEN LH_COALESCE LH_PAUSE LH_BQL LH_LINK \
        LH_MMRBC LH_OUTSTANDING LH_LATENCY_TIMER LH_PEER4 LH_PEER6 LH_ADDRESS4 LH_ADDRESS6
      # shellcheck source=/dev/null
      . "$adapter"
      "$@"
    ) || exit 1
  done
}
