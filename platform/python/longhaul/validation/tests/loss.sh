# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
check file-there file_there
check file-back file_back
check no-wrong-packet no_packet_is_wrong
check_quiet
