# SPDX-License-Identifier: Apache-2.0
"""results.json: measured figures beside published ones, and what limited the run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from longhaul import bottleneck, measures
from longhaul.errors import LonghaulError
from longhaul.reference import errors_pct
from longhaul.registry import ScenarioEntry
from longhaul.settings import values
from longhaul.simdata import SimData
from longhaul.topology import Iperf, Iperf3, Scenario, Udp, Workload
from longhaul.topology.workloads import Command
from longhaul.workload_reports import WORKLOAD_FILES, Reports

LINE_GBPS = {"10gbase-r": 10.3125 * 64 / 66, "10gbase-w": 9.95328 * 26 / 27 * 64 / 66}


def results(
    entry: ScenarioEntry, settings: Any, scenario: Scenario, sim: SimData, guests: Path
) -> dict[str, Any]:
    """Return the whole results.json of a run with one case."""
    workload = scenario.check()
    measured = measure(workload, sim, Reports(guests))
    row = entry.references.match(settings)
    reference = dict(row.reference) if row else {}
    case: dict[str, Any] = {
        "case": values(settings),
        "measured": measured,
        "reference": reference,
        "error_pct": errors_pct(measured, reference),
        "bottleneck": bottleneck.judge(
            measured,
            window_bytes=_window(workload),
            line_gbps=min(LINE_GBPS.get(link.phy, 10.0) for link in scenario.links),
        ).as_json(),
    }
    if row:
        case["reference_source"] = ". ".join(filter(None, (row.source, row.note)))
    return {
        "scenario": entry.name,
        "simulated_s": sim.simulated_s,
        "wall_s": sim.wall_s,
        "window_wall_s": sim.window_wall_s,
        "cases": [case],
    }


def measure(workload: Workload, sim: SimData, reports: Reports) -> dict[str, Any]:
    """Return `measured`; a figure that the workload does not have is null."""
    if not sim.window_marked:
        raise LonghaulError("the guests did not mark a measured window; see guests/*/console.log")
    if sim.window.end_ps <= sim.window.begin_ps:
        raise LonghaulError("the measured window is empty; see guests/*/console.log")
    sender, receiver = workload.sender.name, workload.receiver.name
    transfer = reports.goodput(receiver)
    if transfer is None and isinstance(workload, Iperf | Iperf3 | Udp):
        raise LonghaulError(
            f"{receiver}'s guest reported no data of {workload.KIND}: the duration is too short "
            f"for a report, or the workload failed (guests/{receiver}/console.log)"
        )
    return {
        "goodput_gbps": None if transfer is None else round(transfer.bits_per_s / 1e9, 6),
        "wire_gbps": measures.wire_gbps(sim, receiver),
        "rtt_ms": reports.rtt_ms(sender),
        "retransmits": reports.retransmits(sender),
        "window_s": sim.window.seconds,
        "sender": measures.host_measures(sim, sender),
        "receiver": measures.host_measures(sim, receiver),
        "guest": {
            "sender": reports.guest(sender, WORKLOAD_FILES),
            "receiver": reports.guest(receiver, WORKLOAD_FILES),
        },
    }


def _window(workload: Workload) -> int | None:
    """Return the bytes that all streams together may have on the way."""
    if isinstance(workload, Iperf | Iperf3 | Command):
        return workload.window.bytes * workload.streams
    return None
