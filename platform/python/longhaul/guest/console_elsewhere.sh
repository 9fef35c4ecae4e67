# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What the guests read whose run has a console in another guest: that one may take as long as its user likes.
call_receiver() {
  until [ "$(echo "$1" | nc -w 10 "$LH_PEER" "$LH_CONTROL_PORT" 2>/dev/null)" = "heard $1" ]; do sleep 0.1; done
}
