# SPDX-License-Identifier: Apache-2.0
"""results.json: measured figures beside published ones, and what limited the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from longhaul.errors import LonghaulError
from longhaul.registry import ScenarioEntry
from longhaul.results import (
    bottleneck,
    connections,
    directions,
    measures,
    rtl_rules,
    unclaimed,
    user_programs,
)
from longhaul.results.directions import Direction
from longhaul.results.simdata import SimData
from longhaul.results.workload_reports import WORKLOAD_FILES, Reports
from longhaul.settings import values
from longhaul.topology import (
    Connect,
    Iperf,
    Iperf3,
    Machine,
    NetperfRr,
    Ping,
    Programs,
    Scenario,
    Smb,
    Udp,
    Workload,
)
from longhaul.topology.workloads import Command
from longhaul.units import Time


def results(
    entry: ScenarioEntry,
    settings: Any,
    scenario: Scenario,
    sim: SimData,
    guests: Path,
    own: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the whole results.json of a run with one case, `own` the scenario's own figures."""
    workload = scenario.check()
    line_gbps = min(link.gbps for link in scenario.path(workload))
    reports = Reports(guests)
    measured = measure(workload, sim, reports, line_gbps)
    measured |= beside(scenario.workloads, sim, reports) | (own or {})
    references = entry.references
    row = references.match(settings)
    reference = dict(row.reference) if row else {}
    causes = measures.drop_causes(sim)
    ways = directions.notable(measured)
    verdicts = {way.name: verdict(scenario.workloads, measured, way, causes) for way in ways}
    case: dict[str, Any] = {
        "case": values(settings),
        "measured": measured,
        "own": list(own or {}),
        "own_of": entry.own_of if own else "",
        "reference": reference,
        "error_pct": references.errors_pct(measured, row),
        "bottleneck": verdicts[measured[directions.MAIN]],
        "bottleneck_by_direction": verdicts,
    }
    if broken := rtl_rules.of_run(sim):
        case[rtl_rules.KEY] = broken
    if lost := unclaimed.lines(sim.unclaimed):
        case[unclaimed.KEY] = lost
    if isinstance(workload, Programs):
        case["programs"] = user_programs.listed(workload, guests.parent)
    if row:
        case["reference_source"] = ". ".join(filter(None, (row.source, row.note)))
        case["error_reason"] = {name: row.reason_of(name) for name in case["error_pct"]}
    return {
        "scenario": entry.name,
        "simulated_s": sim.simulated_s,
        "wall_s": sim.wall_s,
        "window_wall_s": sim.window_wall_s,
        "window_wall_per_simulated_s": round(sim.window_wall_s / sim.window.seconds, 6),
        "cases": [case],
    }


def verdict(
    workloads: Sequence[Workload],
    measured: Mapping[str, Any],
    direction: Direction,
    causes: Mapping[str, str],
) -> dict[str, Any]:
    """Return what limited the data of one direction between the first workload's hosts."""
    workload = workloads[0]
    return bottleneck.judge(
        measured,
        direction=direction,
        window_bytes=window_bytes(workloads, direction),
        offered_gbps=_offered(workload) if direction is directions.FORWARD else None,
        causes=causes,
    ).as_json()


def measure(workload: Workload, sim: SimData, reports: Reports, line_gbps: float) -> dict[str, Any]:
    """Return `measured`; a figure that the workload does not have is null."""
    _check_window(workload, sim)
    sender, receiver = workload.sender.name, workload.receiver.name
    ends = {"sender": workload.sender, "receiver": workload.receiver}
    ports = {role: str(end.workload_port) for role, end in ends.items()}
    said = reports.transfer(receiver)
    forward, reverse = (
        _rates(workload, sim, reports, line_gbps, ends[each.sink]) for each in directions.BOTH
    )
    found: dict[str, Any] = forward | {
        "rtt_ms": reports.rtt_ms(sender),
        "retransmits": measures.retransmits(sim, ports["sender"]),
        "drops": measures.drops(sim),
        "window_s": sim.window.seconds,
    }
    if pauses := measures.pauses(sim):
        found["pause"] = pauses
    roles = {role: end.name for role, end in ends.items()}
    listed = connections.listed(sim.connections, roles, sim.window.seconds)
    found |= {directions.REVERSE.key(name): value for name, value in reverse.items()}
    found |= {
        "reverse_retransmits": measures.retransmits(sim, ports["receiver"]),
        "before_window": {
            "retransmits": measures.retransmits_before(sim, ports["sender"]),
            "reverse_retransmits": measures.retransmits_before(sim, ports["receiver"]),
            "drops": measures.drops_before(sim),
        },
        **connections.path_rtt_ms(listed),
        "in_flight": measures.in_flight(sim, ports["sender"]),
        "reverse_in_flight": measures.in_flight(sim, ports["receiver"]),
        "connections": listed,
        "connections_not_listed": connections.others(sim.connections),
    }
    direction = directions.main(found)
    goodput = forward["goodput_gbps"]
    found |= {
        directions.MAIN: direction.name,
        **{
            role: measures.host_measures(sim, end.name, end.port_names(), goodput)
            for role, end in ends.items()
        },
        "guest": {
            "sender": reports.guest(sender, WORKLOAD_FILES) | {"tcp": reports.tcp_limits(sender)},
            "receiver": reports.guest(receiver, WORKLOAD_FILES)
            | {"reported_gbps": said and round(said.bits_per_s / 1e9, 6)},
        },
    }
    if direction is directions.REVERSE:
        _add_reverse(found, reports, receiver)
    return found


def _rates(
    workload: Workload, sim: SimData, reports: Reports, line_gbps: float, sink: Machine
) -> dict[str, Any]:
    """Return the rates of data and frames into a host's adapter of the workload."""
    port = str(sink.workload_port)
    goodput = (
        None
        if isinstance(workload, Ping)
        else measures.goodput_gbps(sim, port, reports.udp_share(sink.name))
    )
    return {
        "goodput_gbps": goodput,
        "wire_gbps": measures.wire_gbps(sim, port),
        "line_busy_pct": measures.line_busy_pct(sim, port, line_gbps),
    }


def _add_reverse(measured: dict[str, Any], reports: Reports, receiver: str) -> None:
    """Add what a run has whose data go from the receiver to the sender: a download."""
    measured["reverse_rtt_ms"] = reports.rtt_ms(receiver)
    measured["guest"]["receiver"]["tcp"] = reports.tcp_limits(receiver)
    for role in ("sender", "receiver"):
        busy = measured[role]["cpu_busy_pct"]
        if busy > 0:
            rate = 100.0 * measured["reverse_goodput_gbps"] / busy
            measured[role]["reverse_goodput_per_cpu_gbps"] = round(rate, 6)


def beside(workloads: Sequence[Workload], sim: SimData, reports: Reports) -> dict[str, Any]:
    """Return what only modelled hosts' workloads have: rates, and all of several together.

    Rates are those of the programs' own time, which is longer than the window.
    """
    hosts = dict.fromkeys(
        machine.name for each in workloads for machine in (each.sender, each.receiver)
    )
    rates = [reports.rates(host) for host in hosts]
    names = dict.fromkeys(name for each in rates for name in each)
    found: dict[str, Any] = {name: sum(each.get(name, 0.0) for each in rates) for name in names}
    if len(workloads) > 1:
        ports = {each.receiver.name: str(each.receiver.workload_port) for each in workloads}
        goodput = {name: measures.goodput_gbps(sim, port, 1.0) for name, port in ports.items()}
        found["workloads"] = len(workloads)
        found["all_goodput_gbps"] = round(sum(goodput.values()), 6)
        found["goodput_gbps_by_receiver"] = goodput
    return found


def _check_window(workload: Workload, sim: SimData) -> None:
    """Refuse to give figures where nothing, or less than was asked for, has been measured."""
    look = "; see guests/*/console.log"
    if not sim.window_marked:
        if workload.measured_window():
            raise LonghaulError(f"no traffic of {workload.KIND} outlasted the warm-up{look}")
        raise LonghaulError(f"the guests did not mark a measured window{look}")
    if sim.window.end_ps <= sim.window.begin_ps:
        raise LonghaulError(f"the measured window is empty{look}")
    measured = Time(sim.window.end_ps - sim.window.begin_ps)
    if workload.measured_window() and measured < workload.duration:
        raise LonghaulError(
            f"{workload.KIND} ended after {measured.short()} of {workload.duration.short()}{look}"
        )


def window_bytes(workloads: Sequence[Workload], direction: Direction) -> int | None:
    """Return the bytes that all streams of the first workload's hosts may have on the way.

    Data on the way are counted at the sending adapter, for all workloads that send there. None if
    one of them does not say how much it sends.
    """
    first = workloads[0]
    if not isinstance(first, Iperf | Iperf3 | Command):
        return None
    source = first.sender if direction is directions.FORWARD else first.receiver
    # A command may send either way; all other workloads send from their sender.
    sending = [
        each
        for each in workloads
        if each.sender is source or (each is first and isinstance(each, Command))
    ]
    known = [_buffers(each) for each in sending if not isinstance(each, Ping | Connect)]
    return sum(known) if known and all(known) else None


def _buffers(workload: Workload) -> int:
    """Return the bytes of all of a workload's sockets, 0 if it does not say."""
    match workload:
        case Iperf() | Iperf3() | Command():
            return workload.buffers().bytes
        case NetperfRr() | Smb():
            return workload.window.bytes * workload.streams if workload.window else 0
        case _:
            return 0


def _offered(workload: Workload) -> float | None:
    """Return the rate of user data that the program sends, in Gb/s; None for all it can."""
    return workload.rate.count / 1e9 if isinstance(workload, Udp) else None
