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

send_reports() {
  to=$(report_dir)
  uname -r >"$to/uname.txt"
  for option in i S k a g c; do
    # An adapter need not know each of them.
    ethtool "-$option" "$LH_IFACE" >"$to/ethtool-$option.txt" 2>&1 || true
  done
  [ ! -e "$LH_TMP/ping.txt" ] || mv "$LH_TMP/ping.txt" "$to/ping.txt"
  for file in "$to"/*; do
    "$LH_LIB/lh-report" "${file##*/}" <"$file" || fail "cannot send the report ${file##*/}"
  done
}
