# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What scripts that check an adapter use. Each check prints `ok NAME` or `not ok NAME: what was said`.
# With NOTED=1 the simulator notes it too, with its time (raw/notes.txt of the run).

# check NAME COMMAND...
check() {
  check_name=$1
  shift
  note "check $check_name"
  if check_said=$("$@" 2>&1); then
    verdict "ok $check_name"
  else
    verdict "not ok $check_name: $(printf '%s' "${check_said:-exit code $?}" | tr -s '[:space:]' ' ')"
  fi
}

# skip NAME WHY: a check that this adapter, driver or kernel cannot have.
skip() { verdict "skip $1: $2"; }

# figure NAME VALUE: a number that was measured on the way.
figure() { note "figure $1 $2"; }

verdict() {
  echo "$1"
  note "$(printf '%s' "$1" | head -c 600)"
}

note() { [ -z "${NOTED:-}" ] || printf 'note %s\n' "$1" >/proc/longhaul/phase; }

# show NAME COMMAND...: what it prints, for the test to read.
show() {
  echo "<<< $1"
  shift
  "$@" 2>&1
  echo '>>>'
}

# until_true SECONDS COMMAND...
until_true() {
  until_tries=$(($1 * 50))
  shift
  until "$@"; do
    until_tries=$((until_tries - 1))
    [ $until_tries -gt 0 ] || return 1
    sleep 0.02
  done
}

# What the kernel prints when something is wrong in it or in the adapter.
kernel_is_quiet() {
  ! dmesg | grep -E 'WARNING:|BUG:|Oops|Call Trace|NETDEV WATCHDOG|Tx Unit Hang|nobody cared|page allocation failure'
}

# --- the adapter ---------------------------------------------------------------------------------------------------------

device=$(basename "$(readlink -f /sys/class/net/eth0/device)")
driver=$(readlink -f /sys/class/net/eth0/device/driver)

carrier_is() { [ "$(cat /sys/class/net/eth0/carrier 2>/dev/null)" = "$1" ]; }

down_and_up() {
  ip link set dev eth0 down && sleep 0.05 && ip link set dev eth0 up && until_true 5 carrier_is 1
}

up_with_addresses() {
  until_true 5 [ -e /sys/class/net/eth0 ] && ip link set dev eth0 mtu "$LH_MTU" &&
    ip address add "$LH_ADDRESS4" dev eth0 && ip link set dev eth0 up && until_true 5 carrier_is 1
}

unbind_and_bind() {
  echo "$device" >"$driver/unbind" && [ ! -e /sys/class/net/eth0 ] && ! grep -q eth0 /proc/interrupts || return
  echo "$device" >"$driver/bind" && up_with_addresses
}

# --- traffic -------------------------------------------------------------------------------------------------------------

# start_traffic IPERF-WORDS...: one TCP connection that lasts until stop_traffic.
start_traffic() {
  iperf -c "$LH_PEER" -t 1000 "$@" >/tmp/traffic 2>&1 &
  traffic=$!
}

stop_traffic() {
  kill "$traffic"
  wait "$traffic"
  true
}

# Bytes of user data that have passed so far, in both directions.
passed() {
  ss -tinH state established "( dport = :5001 )" | tr ' ' '\n' |
    awk -F: '/^bytes_(acked|received):/ { sum += $2 } END { printf "%d", sum }'
}

passed_more_than() { [ "$(passed)" -gt "$1" ]; }

# The connection carries at least a megabyte more, within 20 s: time for retransmission timers after an outage.
traffic_moves() {
  kill -0 "$traffic" || return 1
  until_true 20 passed_more_than $(($(passed) + 1000000)) || {
    echo "no traffic: $(passed) bytes so far; $(cat /tmp/traffic) $(ss -tinH state established)"
    return 1
  }
}

# during NAME COMMAND...: the command succeeds while traffic runs, the traffic goes on, and the kernel has nothing to say.
during() { check "$1" during_steps "$@"; }
during_steps() {
  shift
  "$@" || return
  traffic_moves || return
  kernel_is_quiet
}

# file_arrives ADDRESS: eight megabytes that nobody can guess; port 7001 there answers with the sum of what arrived.
file_arrives() {
  head -c 8000000 /dev/urandom >/tmp/file
  theirs=$(nc "$1" 7001 </tmp/file)
  ours=$(sha256sum </tmp/file)
  [ "$ours" = "$theirs" ] || { echo "sent $ours, received $theirs"; return 1; }
}
