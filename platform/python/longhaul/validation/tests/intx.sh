# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
no_message() { ! grep eth0 /proc/interrupts | grep -i msi; }
check answers answers
check no-message no_message
check one-by-one ping -n -c 20 -i 0.005 -W 1 "$LH_PEER4"
check out moves -c "$LH_PEER4" -n 300K
check in moves -c "$LH_PEER4" -R -n 300K
check both moves -c "$LH_PEER4" -p 5003 --full-duplex -n 200K
check down-up down_and_up
check unbind-bind unbind_and_bind
check answers-after answers
check nobody-elses nobody_elses
check nothing-sent-again nothing_was_sent_again
check_quiet
