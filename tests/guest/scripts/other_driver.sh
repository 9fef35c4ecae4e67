# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The adapter of eth0 gets the driver of the module MODULE in place of its own. END is the last byte
# of this end's address.

slot=$(readlink -f /sys/class/net/eth0/device)
echo "$MODULE" | base64 -d | gunzip >/tmp/other.ko
basename "$slot" >"$slot/driver/unbind"
check loaded insmod /tmp/other.ko
ip address add "10.10.0.$END/24" dev eth0
ip link set dev eth0 up
check carrier until_true 10 grep -q 1 /sys/class/net/eth0/carrier
show driver readlink "$slot/driver"
