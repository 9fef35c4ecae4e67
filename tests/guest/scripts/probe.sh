# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What the driver found out about the adapter, for the test to read. With SELF_TEST, it is asked
# for a self test, too.

show dmesg dmesg
show address cat /sys/class/net/eth0/address
show driver ethtool -i eth0
show registers ethtool -d eth0
show eeprom ethtool -e eth0 raw off
eeprom_words() { ethtool -e eth0 raw on | od -An -v -t u2 -w2 | awk '{ print $1 }'; }
show eeprom-words eeprom_words
show link ethtool eth0
show pci lspci -vvn -s "$(basename "$(readlink -f /sys/class/net/eth0/device)")"
[ -z "${SELF_TEST:-}" ] || show self-test ethtool -t eth0 offline
show interrupts-before grep eth0 /proc/interrupts
check ping4 ping -n -c 5 -i 0.01 -W 2 "$LH_PEER4"
check ping6 ping -n -c 5 -i 0.01 -W 2 "$LH_PEER6"
check largest-ping ping -n -c 3 -i 0.01 -W 2 -M do -s $((LH_MTU - 28)) "$LH_PEER4"
check iperf4 iperf -c "$LH_PEER4" -t 0.05
check quiet kernel_is_quiet
show interrupts-after grep eth0 /proc/interrupts
