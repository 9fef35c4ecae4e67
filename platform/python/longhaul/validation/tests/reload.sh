# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
module=$(basename "$(readlink -f "$driver/module")")
file=/run/longhaul/modules/$module.ko
loads() {
  # shellcheck disable=SC2046 # parameters are words
  insmod "$file" $(cat "${file%.ko}.parameters" 2>/dev/null) && up_with_addresses
}
reload() {
  rmmod "$module" && [ ! -e /sys/class/net/eth0 ] && ! grep -q eth0 /proc/interrupts || return
  loads
}
if [ -e "$file" ]; then
  check unload-load reload
  check answers answers
  start_load
  check load traffic_moves
  during under-load-1 reload
  during under-load-2 reload
  check load-ends stop_load
  check file-there file_there 200000
else
  skip reload 'the driver is part of the kernel, no module'
fi
check_quiet
