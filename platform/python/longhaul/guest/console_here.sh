# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Opens the console of `longhaul run --console` in this guest: LH_CONSOLE says when (before, after, failure). The guest reads this
# among its settings, when the functions that it stands in for are there already; each calls the one that it replaces.

# open_console: a shell on the user's terminal, until it ends. Then the role goes on.
open_console() {
  [ -e /dev/ttyLH0 ] || run insmod "$LH_FILES/console/longhaul_console.ko"
  status 'has an open console' # the simulator knows by these words that it may be silent (run_control.cc)
  (
    shell=/bin/sh
    [ ! -x /bin/bash ] || shell=/bin/bash
    HOME=/root TERM=$LH_CONSOLE_TERM PEER=$LH_PEER PS1="$LH_NAME# " PS2='> '
    # No terminal is at the other end: what comes out is the programs' words, and no more.
    [ "$TERM" ] || { PS1='' PS2='' TERM=dumb && stty -echo -onlcr; }
    export HOME TERM PEER PS1 PS2
    cd "$HOME" || exit
    exec setsid -c "$shell" -i
  ) </dev/ttyLH0 >/dev/ttyLH0 2>&1
  status 'goes on after its console'
}

# replaced SCRIPT: reads the functions anew that the console stands in for, with what the user's commands have put in their place.
replaced() {
  # shellcheck source=/dev/null
  if [ -r "$LH_FILES/own_commands.sh" ]; then . "$LH_FILES/own_commands.sh"; else . "$LH_LIB/$1"; fi
}

case $LH_CONSOLE in
  before)
    configure_network() {
      replaced network.sh
      configure_network
      open_console
    }
    ;;
  after)
    send_reports() {
      replaced reports.sh
      open_console
      send_reports
    }
    ;;
  failure)
    fail() {
      text=$(printf '%s' "$*" | tr '\n' ' ')
      printf '%s: %s\n' "$LH_NAME" "$text" >"$LH_TMP/failure"
      open_console
      phase "failed $text"
      exit 1
    }
    ;;
esac
