# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What several tests do. The far end's port 7002 is a shell, 7003 answers with a file.

far() { printf 'exec 2>&1; %s\n' "$1" | nc -w 5 "$LH_PEER4" 7002; }
answers_once() { ping -n -c 1 -W 0.2 "$@" "$LH_PEER4" >/dev/null; }
answers() { until_true 10 answers_once && ping -n -c 2 -i 0.002 -W 0.2 "$@" "$LH_PEER4"; }
pings() { ping -n -i 0.002 -W 0.2 -S 200000 "$@"; }
moves() {
  timeout 30 iperf "$@" >/tmp/iperf 2>&1
  grep -q 'bits/sec' /tmp/iperf && ! grep -qi 'error\|warning' /tmp/iperf || {
    cat /tmp/iperf
    return 1
  }
}
# Gb/s of the last run.
gbps() { sed -n 's/.* \([0-9.]*\) bits\/sec.*/\1/p' /tmp/iperf | tail -n 1 | awk '{ printf "%.4f", $1 / 1e9 }'; }
measured() {
  measured_name=$1
  shift
  moves -f b "$@" && figure "$measured_name" "$(gbps) Gb/s"
}
# A connection that goes on carries 40 KB more.
traffic_moves() {
  kill -0 "$traffic" || return 1
  until_true 20 passed_more_than $(($(passed) + 40000)) || {
    echo "no traffic: $(passed) bytes so far; $(cat /tmp/traffic) $(ss -tinH state established)"
    return 1
  }
}
start_load() {
  iperf -c "$LH_PEER" -t 1000 --full-duplex -b 20M >/tmp/traffic 2>&1 &
  traffic=$!
}
stop_load() {
  kill "$traffic"
  wait "$traffic"
  answers
}

# Some drivers bring the interface's counters up to date every two seconds only.
statistic() {
  sleep 2.5
  cat "/sys/class/net/eth0/statistics/$1"
}
# Sets ip_in and ip_out to the packets that IPv4 has received and sent; without a process, which would
# take longer than many frames.
ip_packets() {
  while read -r protocol _ _ in _ _ _ _ _ _ out _; do
    [ "$protocol" != Ip: ] || ip_in=$in ip_out=$out
  done </proc/net/snmp
}
own_address=${LH_ADDRESS4%/*}
# As much as the kernel knows of interrupts that were nobody's.
nobody_elses() {
  number=$(awk '/eth0/ { sub(":", "", $1); print $1; exit }' /proc/interrupts)
  grep -q '^unhandled 0$' "/proc/irq/$number/spurious" || { cat "/proc/irq/$number/spurious"; return 1; }
}
interrupts() { awk '/eth0/ { for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++) n += $i } END { print n + 0 }' /proc/interrupts; }
far_mtu() { far "ip link set dev eth0 mtu $1" && until_true 10 answers_once; }
limit() { ip -d link show dev eth0 | sed -n "s/.* $1 \([0-9]*\).*/\1/p"; }
set_mtu() { ip link set dev eth0 mtu "$1" && [ "$(cat /sys/class/net/eth0/mtu)" = "$1" ]; }
flag_is() { ip -d link show dev eth0 | grep -q "$1"; }

rings_are() { [ "$(ethtool -g eth0 | sed -n 's/^\(RX\|TX\):[[:space:]]*//p' | tail -n 2 | tr '\n' ' ')" = "$1 $2 " ]; }
set_rings() {
  ethtool -G eth0 rx "$1" tx "$2" && rings_are "$1" "$2" || {
    ethtool -g eth0
    return 1
  }
}

file_there() {
  head -c "${1:-500000}" /dev/urandom >/tmp/file
  theirs=$(timeout 60 nc "$LH_PEER4" 7001 </tmp/file)
  ours=$(sha256sum </tmp/file)
  [ "$ours" = "$theirs" ] || { echo "sent $ours, received $theirs"; return 1; }
}
file_back() {
  timeout 60 nc "$LH_PEER4" 7003 >/tmp/back </dev/null
  [ "$(head -n 1 /tmp/back)" = "$(tail -n +2 /tmp/back | sha256sum)" ] || {
    echo "the file that came back is not the one that was sent: $(wc -c </tmp/back) bytes"
    return 1
  }
}

# What the kernel counts as wrong; a test of wrong packets leaves this out.
counted_wrong() {
  nstat -as --json | tr ',{}' '\n\n\n' | tr -d ' "' |
    grep -E '^(IpInHdrErrors|IpInTruncatedPkts|IpExtInCsumErrors|IcmpInCsumErrors|TcpInErrs|TcpInCsumErrors|UdpInCsumErrors|Ip6InHdrErrors|Icmp6InCsumErrors|Udp6InCsumErrors):[1-9]'
}
no_packet_is_wrong() { ! counted_wrong; }
sent_again() { nstat -as --json | tr ',{}' '\n\n\n' | tr -d ' "' | grep -E '^(TcpRetransSegs|TcpExtTCPLostRetransmit):[1-9]'; }
nothing_was_sent_again() { ! sent_again; }
far_text() { far "$1" | tr -d '\r'; }

# Lines of the driver's with the level of a warning, or a worse one.
driver_is_quiet() {
  name=$(basename "$driver")
  ! dmesg -r | grep -E '^<[0-4]>' | grep -E "eth0|$device|[] ]$name[: ]" | grep -Ev 'module verification failed|loading out-of-tree module'
}
check_quiet() {
  check driver-is-quiet driver_is_quiet
  check kernel-is-quiet kernel_is_quiet
}
