# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Files over IPv4 and IPv6 that must arrive as they are.

check file4 file_arrives "$LH_PEER4"
check file6 file_arrives "$LH_PEER6"
check quiet kernel_is_quiet
