# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
# Loads a module that faults in the kernel.
echo "$WILD" | base64 -d | gunzip >/tmp/wild.ko
insmod /tmp/wild.ko
