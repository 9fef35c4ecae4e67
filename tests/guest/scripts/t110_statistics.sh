# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Connections of the T110's chip over a path that loses frames, then what TP has counted of them.
# The peer serves a checksum at 7001, and a file behind its checksum at 7003; nobody is at 4444.

file_comes() {
  nc -w 20 "$LH_PEER4" 7003 </dev/null >/tmp/got
  [ "$(head -n 1 /tmp/got)" = "$(tail -n +2 /tmp/got | sha256sum)" ]
}
refused() { ! nc -w 5 "$LH_PEER4" 4444 </dev/null 2>/dev/null; }

check there file_arrives "$LH_PEER4"
check back file_comes
check refused refused
sleep 1
show statistics ethtool -S eth0
check quiet kernel_is_quiet
