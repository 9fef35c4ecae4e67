# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# A path that loses and damages frames: what arrives is whole.

file_there() {
  head -c 500000 /dev/urandom >/tmp/file
  theirs=$(nc "$LH_PEER4" 7001 </tmp/file)
  ours=$(sha256sum </tmp/file)
  [ "$ours" = "$theirs" ] || { echo "sent $ours, received $theirs"; return 1; }
}
# The far end's port 7003 answers with a file, and with its sum ahead of it.
file_back() {
  nc "$LH_PEER4" 7003 >/tmp/back </dev/null
  [ "$(head -n 1 /tmp/back)" = "$(tail -n +2 /tmp/back | sha256sum)" ] &&
    [ "$(wc -c </tmp/back)" -gt 300000 ]
}

check there file_there
check back file_back
check quiet kernel_is_quiet
show ethtool-S ethtool -S eth0
