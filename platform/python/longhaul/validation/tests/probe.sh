# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
has_driver() { ethtool -i eth0 | grep -q '^driver: .' && [ -e /sys/class/net/eth0/device/driver ]; }
has_address() {
  address=$(cat /sys/class/net/eth0/address)
  case $address in
    00:00:00:00:00:00) echo 'the address is all zeros' && return 1 ;;
    ?[13579bdf]:*) echo "$address is the address of a group" && return 1 ;;
  esac
}
has_interrupt() { grep eth0 /proc/interrupts || { cat /proc/interrupts; return 1; }; }
check driver has_driver
check address has_address
check carrier carrier_is 1
check interrupt has_interrupt
check answers answers
for option in i S k a g c d T l; do
  # A driver without the operation says so.
  if ethtool "-$option" eth0 >/tmp/said 2>&1; then check "ethtool-$option" true
  elif grep -q 'not supported' /tmp/said; then skip "ethtool-$option" 'the driver does not have it'
  else check "ethtool-$option" cat /tmp/said /nonexistent; fi
done
check_quiet
