# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
# Runs the program that comes with it, compressed and in base64, alone and beside itself.

echo "$PROGRAM" | base64 -d | gunzip >/tmp/program
chmod +x /tmp/program

# twice: both at once, each with several processes.
twice() {
  /tmp/program &
  /tmp/program && wait $!
}

check alone /tmp/program
check twice twice
check quiet kernel_is_quiet
