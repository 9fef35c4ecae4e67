# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
check answers answers
check out measured tcp.out -c "$LH_PEER4" -n 1500K
check in measured tcp.in -c "$LH_PEER4" -R -n 1500K
check both moves -c "$LH_PEER4" -p 5003 --full-duplex -n 400K
check four-connections moves -c "$LH_PEER4" -P 4 -n 100K
check ipv6 moves -V -c "$LH_PEER6" -n 200K
check file-there file_there
check file-back file_back
check nothing-sent-again nothing_was_sent_again
check no-wrong-packet no_packet_is_wrong
check_quiet
