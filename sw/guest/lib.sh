# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What all guest scripts use: the way to the simulation, the control calls between the two ends, small tools.
# LH_PROC, LH_TMP and LH_LIB stand elsewhere in tests.

LH_PROC=${LH_PROC:-/proc/longhaul}
LH_TMP=${LH_TMP:-/tmp}
LH_CONTROL_PORT=6001
export LH_PROC LH_TMP LH_LIB

phase() { printf '%s\n' "$*" >"$LH_PROC/phase"; }
status() { phase "status $*"; }

# Ends the role; the simulator ends the run with this line.
fail() {
  phase "failed $(printf '%s' "$*" | tr '\n' ' ')"
  exit 1
}

# run COMMAND...: a step that must succeed; if it does not, what it said ends the run.
run() {
  said=$("$@" 2>&1) || fail "$*: $said"
}

# wait_until SECONDS COMMAND...: tries every 20 ms of simulated time.
wait_until() {
  tries=$(($1 * 50))
  shift
  until "$@"; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || return 1
    sleep 0.02
  done
}

last_line() { grep -v '^[[:space:]]*$' "$1" | tail -n 1; }

# calc EXPRESSION: a decimal number.
calc() { awk "BEGIN { printf \"%.10g\", $1 }" </dev/null; }

# in_steps_of SECONDS: how many such steps LH_DURATION takes, the last one whole.
in_steps_of() { awk "BEGIN { n = int($LH_DURATION / $1); if (n * $1 < $LH_DURATION - 1e-9) n++; print n }" </dev/null; }

# --- control calls -------------------------------------------------------------------------------------------------------

# call_receiver WORD: says WORD to the receiver until it answers; the first one waits for it to boot. A lost answer makes the
# sender say it again, so the receiver takes every word as often as it comes.
call_receiver() {
  tries=0
  until [ "$(echo "$1" | nc -w 10 "$LH_PEER" "$LH_CONTROL_PORT" 2>/dev/null)" = "heard $1" ]; do
    tries=$((tries + 1))
    [ $tries -lt 600 ] || fail "the receiver ($LH_PEER) does not answer to '$1'"
    sleep 0.1
  done
}

answer_calls() {
  nc -ll -p "$LH_CONTROL_PORT" -e "$LH_LIB/answer" &
}

# iputils' ping takes a clock whose seconds are still zero for one that it has not read yet, and sends as fast as answers come.
ping_peer() {
  while read -r seconds _ </proc/uptime && [ "${seconds%.*}" -lt 1 ]; do
    left=$((300 - 1${seconds#*.})) # hundredths, with a 1 ahead of them
    sleep "0.${left#?}"
  done
  ping -n "$@" "$LH_PEER"
}
