# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2029
# nginx and sshd of Debian serve at the peer; curl and ssh ask. Both ends are in chips.

count() { ethtool -S eth0 | sed -n "s/.*toe_$1: //p"; }
ssh_there() { ssh -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR "root@$LH_PEER4" "$@"; }
sum_of() { sha256sum | cut -d ' ' -f 1; }
file() { curl -sS "http://$LH_PEER4/file" | sum_of >/tmp/theirs && [ "$(cat /tmp/theirs)" = "$FILE_SUM" ] || { cat /tmp/theirs; return 1; }; }
pages() { i=0; while [ $i -lt 30 ]; do curl -sS "http://$LH_PEER4/page" | grep -qx 'a page' || return 1; i=$((i + 1)); done; }
kept_alive() { curl -sS "http://$LH_PEER4/page" "http://$LH_PEER4/page" "http://$LH_PEER4/page" | grep -c 'a page' | grep -qx 3; }
command_there() { [ "$(ssh_there 'ss -4 -tnieH state established "( sport = :22 )" | grep -c tcp-ulp-toe')" = 1 ]; }
file_there() { head -c 1000000 /dev/urandom >/tmp/file && [ "$(ssh_there sha256sum </tmp/file | cut -d ' ' -f 1)" = "$(sum_of </tmp/file)" ]; }
file_back() { ssh_there 'cat /srv/site/file' | sum_of | grep -qx "$FILE_SUM"; }
status_back() { ssh_there 'exit 7'; [ $? = 7 ]; }
by_chip() { [ "$(count opened)" -ge 36 ] && [ "$(count software)" = 0 ]; }
none_left() { [ "$(count opened)" = "$(count closed)" ]; }

until_true 10 nc -z "$LH_PEER4" 22
check file file
check pages pages
check kept-alive kept_alive
check command-there command_there
check file-there file_there
check file-back file_back
check status-back status_back
check by-chip by_chip
check none-left until_true 5 none_left
check quiet kernel_is_quiet
