# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
# Loads the modules that come with it, compressed and in base64: counted, without a table, and a module that faults.

# unpack NAME BASE64
unpack() { echo "$2" | base64 -d | gunzip >"/tmp/$1.ko"; }

# refused NAME WORDS: it cannot be loaded, and the kernel says why.
refused() {
  ! insmod "/tmp/$1.ko" 2>/dev/null || { echo "was loaded"; return 1; }
  dmesg | grep -q "$2" || dmesg | tail -n 3
  dmesg | grep -q "$2"
}

unpack multiply "$MULTIPLY"
unpack tableless "$TABLELESS"
check refused refused tableless 'has no table of its basic blocks'
check loaded insmod /tmp/multiply.ko "times=$TIMES"
show dmesg dmesg
check quiet kernel_is_quiet
