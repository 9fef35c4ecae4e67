# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The driver's own tests of each of the adapter's PORTS, and traffic before and after. The second port is brought up here
# and, by the same lines with END 2, at the peer. Both at once carry traffic, too.

carrier_is() { [ "$(cat "/sys/class/net/$1/carrier" 2>/dev/null)" = "$2" ]; }

case $PORTS in
  *eth1*)
    ip link set dev eth1 up && until_true 10 carrier_is eth1 1
    ip address add "10.9.0.$END/24" dev eth1
    ;;
esac
[ "$END" = 1 ] || exec iperf -s

peer_of() { if [ "$1" = eth0 ]; then echo "$LH_PEER4"; else echo 10.9.0.2; fi; }

# traffic PORT: echoes, and a megabyte by TCP.
traffic() {
  until_true 10 carrier_is "$1" 1 && until_true 5 ping -n -c 1 -W 1 -I "$1" "$(peer_of "$1")" || return
  ping -n -c 10 -i 0.01 -W 1 -I "$1" "$(peer_of "$1")" && iperf -c "$(peer_of "$1")" -n 1M
}

both_at_once() {
  iperf -c "$LH_PEER4" -t 0.05 &
  first=$!
  iperf -c 10.9.0.2 -t 0.05 && wait "$first"
}
show pci lspci -vvn
for port in $PORTS; do
  show "address-$port" cat "/sys/class/net/$port/address"
  check "before-$port" traffic "$port"
done
case $PORTS in
  *eth1*) check both both_at_once ;;
esac
show interrupts cat /proc/interrupts

for port in $PORTS; do
  for kind in $KINDS; do
    show "$kind-$port" ethtool -t "$port" "$kind"
    check "after-$kind-$port" traffic "$port"
  done
  show "statistics-$port" ethtool -S "$port"
done
check quiet kernel_is_quiet
