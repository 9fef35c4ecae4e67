# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Plays the role of a guest that runs programs of the user's (docs/guest-files.md, Programs). It is read at the end of the settings,
# and ends the role.
#
# LH_FILES/programs/list has a line for each program: its number, `server` or `client`, and the port that a server listens on.
# One guest is the coordinator: it waits until the servers of all guests listen, tells all to begin, and when the last client
# of all has ended, tells all to end. The guests meet on the control port; what one is told comes to it through a pipe.

programs=$LH_FILES/programs
report=$(report_dir)

# each_program KIND COMMAND...: runs COMMAND NUMBER PORT for each program of that kind.
each_program() {
  wanted=$1
  shift
  while read -r number kind port <&7; do
    [ "$kind" != "$wanted" ] || "$@" "$number" "$port"
  done 7<"$programs/list"
}

# run_program KIND NUMBER: to its end; one that fails ends the run, unless it may, or all is at its end.
run_program() {
  output=$report/program-$2.txt
  phase "note program $2 begin"
  setsid /bin/sh "$programs/$2" >"$output" 2>&1 </dev/null 7<&- 8<&- &
  echo $! >"$LH_TMP/program-$2"
  wait $!
  code=$?
  phase "note program $2 end $code"
  [ $code -eq 0 ] || [ -e "$programs/$2.may_fail" ] || [ -e "$LH_TMP/ending" ] ||
    fail_with "$output" "the program '$(head -n 1 "$programs/$2")' ended with status $code"
  [ "$1" = server ] || echo client >&8
}

start_program() { run_program "$1" "$2" & }

listens() { [ -n "$(ss -Hln -t -u "sport = :$1")" ]; }

await_port() { wait_until 10 listens "$2" || fail "no program listens on port $2 after 10 s: '$(head -n 1 "$programs/$1")'"; }

# end_program NUMBER: with all that it has started.
end_program() {
  [ -e "$LH_TMP/program-$1" ] || return 0
  read -r group <"$LH_TMP/program-$1"
  kill -TERM "-$group" 2>/dev/null || return 0
  wait_until 5 gone "$group" || kill -KILL "-$group" 2>/dev/null
}

gone() { ! kill -0 "-$1" 2>/dev/null; }

# tell ADDRESS WORD: until the other guest has heard it.
tell() {
  LH_PEER=$1
  call_receiver "$2"
}

# hear WORD TIMES: returns when it has been heard so often.
hear() {
  left=$2
  while [ "$left" -gt 0 ]; do
    read -r heard <&8
    [ "$heard" != "$1" ] || left=$((left - 1))
  done
}

text_only() {
  for output in "$report"/program-*.txt; do
    if [ -e "$output" ] && ! is_text "$output"; then
      send_output "$output" || fail "cannot send the report ${output##*/}"
      rm "$output"
    fi
  done
}

hostname "$LH_NAME"
run mount -o bind "$LH_FILES/hosts" /etc/hosts
configure_network
mkfifo "$LH_TMP/heard"
exec 8<>"$LH_TMP/heard"
status 'starts its servers'
each_program server start_program server
each_program server await_port
reports_before
nc -ll -p "$LH_CONTROL_PORT" -e "$programs/answer" 8>&- &

if [ -z "$LH_COORDINATOR" ]; then
  status 'looks for the other guests'
  for other in $LH_OTHERS; do tell "$other" hello; done
  phase measure-begin
  for other in $LH_OTHERS; do tell "$other" begin; done
else
  status 'is ready'
  hear begin 1
fi
status 'runs its programs'
each_program client start_program client
if [ -z "$LH_COORDINATOR" ]; then
  # Its own clients and, of each other guest that has some, one word for all.
  hear client $((LH_CLIENTS + LH_OTHERS_WITH_CLIENTS))
  phase measure-end
  : >"$LH_TMP/ending"
  for other in $LH_OTHERS; do tell "$other" end; done
else
  hear client "$LH_CLIENTS"
  [ "$LH_CLIENTS" = 0 ] || tell "$LH_COORDINATOR" "client-$LH_NAME"
  hear end 1
  : >"$LH_TMP/ending"
fi
reports_after
each_program server end_program
text_only
send_reports
phase "done"
exit 0
