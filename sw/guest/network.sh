# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Brings the network up as the settings say.

# each_other COMMAND...: does so for each adapter but the workload's; adapters.sh has it of guests with several.
each_other() { :; }

# Sets what is given and can be set while an adapter is down, then addresses; returns when all that have a link have a carrier.
configure_network() {
  status "configures $LH_IFACE"
  run ip link set dev lo up
  if [ -n "${LH_NAMES:-}" ]; then
    # shellcheck source=adapters.sh
    . "$LH_LIB/adapters.sh"
    name_adapters
  fi
  set_adapter
  each_other set_adapter
  tune_tcp
  start_adapter
  each_other start_adapter
  status 'waits for a carrier'
  use_adapter
  each_other use_adapter
}

set_adapter() {
  wait_until 10 [ -e "/sys/class/net/$LH_IFACE" ] || fail "no driver has made $LH_IFACE"
  tune_pcix
  run ip link set dev "$LH_IFACE" mtu "$LH_MTU"
  # shellcheck disable=SC2086  # lists of words
  {
    [ -z "${LH_RINGS:-}" ] || run ethtool -G "$LH_IFACE" $LH_RINGS
    [ -z "${LH_OFFLOADS:-}" ] || run ethtool -K "$LH_IFACE" $LH_OFFLOADS
    [ -z "${LH_GSO_MAX_SEGS:-}" ] || run ip link set dev "$LH_IFACE" gso_max_segs "$LH_GSO_MAX_SEGS"
    [ -z "${LH_GRO_MAX_SIZE:-}" ] || run ip link set dev "$LH_IFACE" gro_max_size "$LH_GRO_MAX_SIZE"
    [ -z "${LH_TXQUEUELEN:-}" ] || run ip link set dev "$LH_IFACE" txqueuelen "$LH_TXQUEUELEN"
    [ -z "${LH_COALESCE:-}" ] || run ethtool -C "$LH_IFACE" $LH_COALESCE
    [ -z "${LH_PAUSE:-}" ] || run ethtool -A "$LH_IFACE" $LH_PAUSE
  }
}

start_adapter() {
  add_addresses
  run ip link set dev "$LH_IFACE" up
}

use_adapter() {
  [ "${LH_LINK:-1}" = 0 ] || wait_until 30 has_carrier || fail "$LH_IFACE has no carrier"
  tune_routes
  [ "${LH_BQL:-1}" = 1 ] || lift_queue_limits
}

# Byte queue limits keep a ring short (Linux since 3.3): here it may hold what it has descriptors for.
lift_queue_limits() {
  for limit in /sys/class/net/"$LH_IFACE"/queues/tx-*/byte_queue_limits/limit_min; do
    echo 1000000000 >"$limit"
  done
}

# What TCP starts a connection with, as metrics of the routes to the other end. Linux before 5.6 took the slow start threshold
# from there; since then only where it is told to (tcp_no_ssthresh_metrics_save).
tune_routes() {
  metrics="${LH_INITCWND:+initcwnd $LH_INITCWND} ${LH_SSTHRESH:+ssthresh $LH_SSTHRESH}"
  [ "$metrics" != ' ' ] || return 0
  [ -z "${LH_SSTHRESH:-}" ] || run sysctl -q -w net.ipv4.tcp_no_ssthresh_metrics_save=0
  peers=${LH_PEER4:-}
  [ "$LH_MTU" -lt 1280 ] || peers="$peers ${LH_PEER6:-}"
  # shellcheck disable=SC2086  # lists of words
  for peer in $peers; do
    run ip route replace "$peer" dev "$LH_IFACE" $metrics
  done
}

has_carrier() { read -r carrier <"/sys/class/net/$LH_IFACE/carrier" && [ "$carrier" = 1 ]; } 2>/dev/null

# Nothing but neighbour discovery: no duplicate address detection, no routers, no addresses of its own accord.
# Below 1280 bytes of MTU there is no IPv6 (RFC 8200, 5): Linux takes it from the interface.
add_addresses() {
  if [ -n "${LH_ADDRESS6:-}" ] && [ "$LH_MTU" -ge 1280 ]; then
    conf=net.ipv6.conf.$LH_IFACE
    run sysctl -q -w "$conf.accept_dad=0" "$conf.dad_transmits=0" "$conf.accept_ra=0" "$conf.router_solicitations=0"
    run ip -6 address add "$LH_ADDRESS6" dev "$LH_IFACE" nodad
  fi
  [ -z "${LH_ADDRESS4:-}" ] || run ip -4 address add "$LH_ADDRESS4" dev "$LH_IFACE"
}

# Lets sockets have the memory that is asked for. Linux gives a socket that asks for W a buffer of 2 W, 2^31 - 2 bytes at most
# (net/core/sock.c: SO_RCVBUF), of which tcp_adv_win_scale says how much may become window; and all TCP together a part of the
# memory that is small beside such buffers (net.ipv4.tcp_mem, an eighth or less), so TCP may have three quarters.
tune_tcp() {
  most=${LH_WINDOW:-0}
  [ "$most" -gt 4194304 ] || most=4194304
  both=$((2 * most))
  [ "$both" -le 2147483647 ] || both=2147483647
  pages=$(awk '/^MemTotal:/ { print int($2 / 4 * 3 / 4) }' /proc/meminfo)
  set -- "net.core.rmem_max=$most" "net.core.wmem_max=$most" "net.ipv4.tcp_rmem=${LH_TCP_RMEM:-4096 131072 $both}" \
    "net.ipv4.tcp_wmem=${LH_TCP_WMEM:-4096 16384 $both}" "net.ipv4.tcp_mem=$pages $pages $pages"
  [ -z "${LH_TCP_MODERATE_RCVBUF:-}" ] || set -- "$@" "net.ipv4.tcp_moderate_rcvbuf=$LH_TCP_MODERATE_RCVBUF"
  [ -z "${LH_ADV_WIN_SCALE:-}" ] || set -- "$@" "net.ipv4.tcp_adv_win_scale=$LH_ADV_WIN_SCALE"
  [ -z "${LH_CONGESTION:-}" ] || set -- "$@" "net.ipv4.tcp_congestion_control=$LH_CONGESTION"
  run sysctl -q -w "$@"
  [ "${LH_TCP_SMALL_QUEUES:-1}" = 1 ] || lift_small_queues
}

# TCP keeps a millisecond of its pacing rate in the device's queue (tcp_small_queue_check(), since 3.6). Nobody paces here: with the
# highest ratio that millisecond is ten of what cwnd lets.
lift_small_queues() {
  run sysctl -q -w net.ipv4.tcp_pacing_ss_ratio=1000 net.ipv4.tcp_pacing_ca_ratio=1000 \
    net.ipv4.tcp_limit_output_bytes=1000000000
}

# The PCI-X command register of the capability (ixgb: at 0xe6, as Linux' ixgb.rst says): bits 2-3 MMRBC, 4-6 outstanding
# split transactions. The latency timer is byte 0x0d of every header. What is not given stays as the firmware left it.
tune_pcix() {
  slot=$(basename "$(readlink -f "/sys/class/net/$LH_IFACE/device")")
  [ -z "${LH_LATENCY_TIMER:-}" ] || run setpci -s "$slot" "LATENCY_TIMER=$(printf %02x "$LH_LATENCY_TIMER")"
  if [ -n "${LH_MMRBC:-}" ]; then
    case $LH_MMRBC in
      512) code=0 ;;
      1024) code=4 ;;
      2048) code=8 ;;
      4096) code=c ;;
      *) fail "MMRBC of $LH_MMRBC: wants 512, 1024, 2048 or 4096" ;;
    esac
    run setpci -s "$slot" "CAP_PCIX+2.w=$code:c"
  fi
  if [ -n "${LH_OUTSTANDING:-}" ]; then
    case $LH_OUTSTANDING in
      1) code=00 ;;
      2) code=10 ;;
      3) code=20 ;;
      4) code=30 ;;
      8) code=40 ;;
      12) code=50 ;;
      16) code=60 ;;
      32) code=70 ;;
      *) fail "$LH_OUTSTANDING outstanding splits: wants 1, 2, 3, 4, 8, 12, 16 or 32" ;;
    esac
    run setpci -s "$slot" "CAP_PCIX+2.w=$code:70"
  fi
}
