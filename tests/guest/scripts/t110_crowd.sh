# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154,SC2086
# COUNT connections of the chip, and what happens to them.

ulimit -n 4096
# crowd NAME SECONDS BYTES COMMAND...: the command comes when all connections are open.
# $crowd_words are socket_crowd.py's last.
crowd_words=
crowd() {
  crowd_name=$1
  python3 /root/socket_crowd.py "$LH_PEER4" 5999 "$COUNT" "$2" "$3" $crowd_words >/tmp/crowd 2>&1 &
  crowd=$!
  shift 3
  check "$crowd_name-opens" until_true 60 grep -q 'ready True' /tmp/crowd
  check "$crowd_name" "$@"
  check "$crowd_name-back" until_true 8 carrier_is 1
  wait $crowd
  show "$crowd_name-crowd" cat /tmp/crowd
  check "$crowd_name-none-left" until_true 5 none_left
}
none_left() {
  [ -z "$(ss -tnH state all "( dport = :6000 )" | grep -v TIME-WAIT)" ] &&
    [ "$(count opened)" = "$(count closed)" ]
}
count() { ethtool -S eth0 | sed -n "s/.*toe_$1: //p"; }
