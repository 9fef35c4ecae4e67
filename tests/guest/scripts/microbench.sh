# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Loops whose rates are known of the real machine.

# timed WHAT...: simulated nanoseconds that /proc/longhaul/bench took for it
timed() {
  echo "$*" >/proc/longhaul/bench && cat /proc/longhaul/bench
}

# copied FILE TIMES: simulated nanoseconds of a read() of 64 KB after the other
copied() {
  copied_begin=$(timed clock)
  dd "if=$1" of=/dev/null bs=65536 "count=$2" 2>/dev/null
  echo $(($(timed clock) - copied_begin))
}

show loop timed loop 10000000
show chase-cached timed chase 262144 100000
show chase-memory timed chase 4194304 100000
head -c 67108864 /dev/zero >/tmp/large
show copy-memory copied /tmp/large 1024
show clear-cached copied /dev/zero 1024
check quiet kernel_is_quiet
