# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# A known number of bytes over TCP and what everybody has counted since the adapter's probe. The driver copies the adapter's
# statistics into the kernel's only every two seconds and when ethtool asks, so ethtool comes first.

counters() {
  show "ethtool-$1" ethtool -S eth0
  show "net-dev-$1" cat /proc/net/dev
}

# The window of the simulation is this script's, with silence before and after: what is read beside its ends has not changed since.
# Three seconds: the peer's multicast reports, which this adapter filters, are over.
sleep 3
counters before
echo measure-begin >/proc/longhaul/phase
check transfer iperf -c "$LH_PEER" -f b -w 32K -n "$BYTES"
sleep 0.5
echo measure-end >/proc/longhaul/phase
counters after
