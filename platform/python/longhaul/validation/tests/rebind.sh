# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
memory() { awk '/^MemAvailable/ { print $2 }' /proc/meminfo; }
# Ten more times may cost no memory that ten times did not.
leaks_nothing() {
  for number in 1 2; do unbind_and_bind || return; done
  before=$(memory)
  for number in 1 2 3 4 5 6; do
    note "bound again: $number of 6"
    unbind_and_bind || return
  done
  lost=$((before - $(memory)))
  figure rebind.kilobytes_lost "$lost"
  [ $lost -lt 1024 ] || { echo "six times cost $lost KB"; return 1; }
}
check unbind-bind unbind_and_bind
check answers answers
start_load
check load traffic_moves
for number in 1 2 3; do
  during "under-load-$number" unbind_and_bind
done
check load-ends stop_load
check leaks-nothing leaks_nothing
check file-there file_there 200000
check_quiet
