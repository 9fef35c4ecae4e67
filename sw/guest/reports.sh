# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What a guest reports: its state before and after the measured part, and the workload's own words.
# Files in $LH_TMP/report are sent at the end, when it disturbs nothing.

report_dir() {
  mkdir -p "$LH_TMP/report"
  echo "$LH_TMP/report"
}

snapshot() {
  to=$(report_dir)
  cat /proc/interrupts >"$to/interrupts-$1.txt"
  cat /proc/stat >"$to/stat-$1.txt"
  cat /proc/net/dev >"$to/proc-net-dev-$1.txt"
}

# nstat's history, in a file of ours: what nstat --json then tells are the increments since.
reports_before() {
  snapshot before
  NSTAT_HISTORY=$LH_TMP/nstat nstat -n
}

reports_after() {
  to=$(report_dir)
  NSTAT_HISTORY=$LH_TMP/nstat nstat --json >"$to/nstat.json"
  snapshot after
  mv "$to/proc-net-dev-after.txt" "$to/proc-net-dev.txt"
}

# send_texts FILE...: sends texts, as lh-report does, all with one process: to start one costs more than what it does here. A write
# has no more than a kilobyte, which is what awk collects for a file of /proc before it writes.
send_texts() {
  LC_ALL=C awk 'BEGIN {
    RS = "\001" # in no text: a file is one record, with its last newline or without
    out = ENVIRON["LH_PROC"] "/report"
    for (i = 1; i < ARGC; i++) {
      if ((getline text <ARGV[i]) <= 0) text = ""
      close(ARGV[i])
      name = ARGV[i]
      sub(/.*\//, "", name)
      at = 1
      do {
        printf "@%s\n%s", name, substr(text, at, 900) >out
        if (close(out) != 0) exit 1
        at += 900
      } while (at <= length(text))
    }
  }' "$@"
}

# send_output FILE: what a program said, which may be anything.
send_output() {
  if is_text "$1"; then send_texts "$1"; else "$LH_LIB/lh-report" "${1##*/}" <"$1"; fi
}

# fail_with FILE WORDS...: as fail, but what the program said in FILE is sent before; the simulator shows its last lines.
fail_with() {
  send_output "$1" || status 'cannot send what the program said'
  shift
  fail "$*"
}

is_text() { tr -d '\000\001' <"$1" | cmp -s - "$1"; }

# report_adapter SUFFIX: what ethtool tells of it, in ethtool-iSUFFIX.txt and so on.
report_adapter() {
  for option in i S k a g c; do
    # An adapter need not know each of them.
    ethtool "-$option" "$LH_IFACE" >"$to/ethtool-$option$1.txt" 2>&1 || true
  done
}

report_other() { report_adapter "-$LH_IFACE"; }

send_reports() {
  to=$(report_dir)
  read -r release </proc/sys/kernel/osrelease
  echo "$release" >"$to/uname.txt"
  report_adapter ''
  each_other report_other
  [ ! -e "$LH_TMP/ping.txt" ] || mv "$LH_TMP/ping.txt" "$to/ping.txt"
  # What a command line of the user's said may be anything.
  for file in "$to/command.txt" "$to/serve.txt"; do
    if [ -e "$file" ] && ! is_text "$file"; then
      send_output "$file" || fail "cannot send the report ${file##*/}"
      rm "$file"
    fi
  done
  send_texts "$to"/* || fail 'cannot send the reports'
}
