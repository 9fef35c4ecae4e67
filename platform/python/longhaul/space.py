# SPDX-License-Identifier: Apache-2.0
"""How much disk a run may take: told before it starts, so that it does not end for want of it."""

from __future__ import annotations

from longhaul.topology import Command, Iperf, Iperf3, Ping, Scenario, Udp
from longhaul.units import Size

BASE = Size(512 * 10**6)  # series, console and the report of any run
CAPTURE_OVERHEAD = 1.15  # blocks, options and headers around the user data, at MTU 1500
TIMELINE_PER_S = Size(650 * 10**6)  # spans, their sorted copy and the trace at full rate, measured


def needed(scenario: Scenario, *, pcap: bool, timeline: bool) -> Size:
    """Return what a run may take, at the most that its traffic can be.

    What a user's command line sends is not known; it counts for nothing.
    """
    extra = 0.0
    if pcap:
        extra += CAPTURE_OVERHEAD * most_traffic(scenario).bytes * len(scenario.links)
    if timeline:
        extra += TIMELINE_PER_S.bytes * scenario.check().traffic.seconds
    return BASE + Size(round(extra))


def most_traffic(scenario: Scenario) -> Size:
    """Return how many bytes the workload can send: at line rate, or as its windows let it."""
    line_bits_per_s = min(link.gbps for link in scenario.links) * 1e9
    match scenario.check():
        case Ping() | Command():
            return Size(0)
        case Udp() as udp:
            return Size(round(min(udp.rate.count, line_bits_per_s) / 8 * udp.traffic.seconds))
        case Iperf() | Iperf3() as tcp:
            rtt_s = sum(part.round_trip().seconds for part in scenario.parts.values())
            buffers = 2 * tcp.buffers().bytes  # Linux doubles what is asked for
            line = line_bits_per_s / 8
            rate = min(line, buffers / rtt_s) if rtt_s else line
            return Size(round(rate * tcp.traffic.seconds) + buffers)
        case _:
            return Size(0)
