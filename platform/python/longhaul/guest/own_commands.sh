# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Runs the user's commands before and after the workload: a script each, in LH_FILES/commands. A guest reads this at the end of
# its settings, when the functions that it stands in for are there already; each calls the one that it replaces.

# own_commands before|after: runs them in their order; what they say is the report commands-before.txt or commands-after.txt.
own_commands() {
  report=$(report_dir)/commands-$1.txt
  for script in "$LH_FILES/commands/$1"-*; do
    case $script in
      *.may_fail | *'*') continue ;;
    esac
    read -r line <"$script" || :
    status "runs a command $1 the workload: $line" # the simulator knows by these words that it may be silent (run_control.cc)
    sed 's/^/$ /' "$script" >>"$report"
    sh "$script" >>"$report" 2>&1 </dev/null
    code=$?
    [ $code -ne 0 ] || continue
    echo "[status $code]" >>"$report"
    [ -e "$script.may_fail" ] ||
      fail_with "$report" "a command $1 the workload ended with status $code: $(head -n 1 "$script")"
  done
}

configure_network() {
  # shellcheck source=/dev/null
  . "$LH_LIB/network.sh"
  configure_network
  own_commands before
}

send_reports() {
  own_commands after
  for report in "$(report_dir)"/commands-*.txt; do
    if [ -e "$report" ] && ! is_text "$report"; then
      send_output "$report" || fail "cannot send the report ${report##*/}"
      rm "$report"
    fi
  done
  # shellcheck source=/dev/null
  . "$LH_LIB/reports.sh"
  send_reports
}
