# SPDX-License-Identifier: Apache-2.0
"""How much disk a run may take: told before it starts, so that it does not end for want of it."""

from __future__ import annotations

from longhaul.topology import (
    Command,
    Connect,
    Iperf,
    Iperf3,
    Machine,
    Ping,
    Programs,
    Scenario,
    Udp,
    Workload,
)
from longhaul.units import Size

BASE = Size(128 * 10**6)  # series, console and report: 15 MB are the most of `report --all`'s runs
CAPTURE_OVERHEAD = 1.15  # blocks, options and headers around the user data, at MTU 1500
TIMELINE_PER_S = Size(650 * 10**6)  # spans, their sorted copy and the trace at full rate, measured
PACKETS = Size(600 * 10**6)  # the most of packets.bin and packets.ftr together
RECORD_PER_S = Size(250 * 10**6)  # lines of record.bin of a modelled host at full rate
BOOT_S = 3.0  # ahead of the traffic, when guests boot and set up


def needed(
    scenario: Scenario,
    *,
    pcap: bool,
    timeline: bool,
    record: bool = False,
    packets: bool = False,
) -> Size:
    """Return what a run may take, at the most that its traffic can be.

    What a user's command line sends is not known; it counts for nothing.
    """
    extra = 0.0
    if pcap:
        extra += CAPTURE_OVERHEAD * most_traffic(scenario).bytes * len(scenario.links)
    if timeline:
        extra += TIMELINE_PER_S.bytes * scenario.check().traffic.seconds
    if packets:
        extra += PACKETS.bytes
    if record:
        machines = sum(isinstance(part, Machine) for part in scenario.parts.values())
        extra += RECORD_PER_S.bytes * machines * (scenario.check().traffic.seconds + BOOT_S)
    return BASE + Size(round(extra))


def most_traffic(scenario: Scenario) -> Size:
    """Return how many bytes the workloads can send: at line rate, or as their windows let them."""
    scenario.check()
    return sum((_most(scenario, workload) for workload in scenario.workloads), start=Size(0))


def _most(scenario: Scenario, workload: Workload) -> Size:
    """Return the same of one workload."""
    way = scenario.path(workload)
    on_it = {port.part for link in way for port in (link.a, link.b)}
    rtt_s = sum(scenario.parts[name].round_trip().seconds for name in on_it)
    line = min(link.gbps for link in way) * 1e9 / 8  # bytes per second
    match workload:
        case Ping() | Command() | Connect() | Programs():
            return Size(0)
        case Udp() as udp:
            return Size(round(min(udp.rate.count / 8, line) * udp.traffic.seconds))
        case Iperf() | Iperf3() as tcp:
            buffers = 2 * tcp.buffers().bytes  # Linux doubles what is asked for
            rate = min(line, buffers / rtt_s) if rtt_s and buffers else line
            return Size(round(rate * tcp.traffic.seconds) + buffers)
        case _:
            return Size(round(line * workload.traffic.seconds))
