# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
# Runs each program that comes with it, compressed and in base64, alone and beside itself.

# both PROGRAM: both at once, each with several processes.
both() {
  "$1" &
  "$1" && wait $!
}
# program NAME BASE64
program() {
  echo "$2" | base64 -d | gunzip >"/tmp/$1"
  chmod +x "/tmp/$1"
  check "$1-alone" "/tmp/$1"
  check "$1-twice" both "/tmp/$1"
  check "$1-quiet" kernel_is_quiet
}

program registers "$REGISTERS"
program faults "$FAULTS"
