# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# A path that loses and damages frames: what arrives is whole.

check there file_there
check back file_back
check quiet kernel_is_quiet
show ethtool-S ethtool -S eth0
