# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
# Runs the program that comes with it, compressed and in base64, alone and beside itself.

echo "$PROGRAM" | base64 -d | gunzip >/tmp/registers
chmod +x /tmp/registers

# twice: both at once, each with several processes.
twice() {
  /tmp/registers &
  /tmp/registers && wait $!
}

check alone /tmp/registers
check twice twice
check quiet kernel_is_quiet
