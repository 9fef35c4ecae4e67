# SPDX-License-Identifier: Apache-2.0
"""Several workloads side by side on modelled hosts: each host's programs and their ports."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from longhaul import schema
from longhaul.errors import TopologyError
from longhaul.parts.machine import Machine
from longhaul.parts.part import ParamValue
from longhaul.topology.workloads import Workload
from longhaul.units import Time, s

# The rest of each workload when the measured window closes, which ends it.
BESIDE = s(1)


def check(name: str, workloads: Sequence[Workload], *, guests: bool) -> None:
    """Refuse workloads that do not fit into the window of the first, and what guests cannot do."""
    first = workloads[0]
    if guests and len(workloads) > 1:
        raise TopologyError(
            f"scenario {name} has {len(workloads)} workloads, "
            "which modelled hosts can run and real guests cannot"
        )
    if guests and first.start.ps:
        raise TopologyError(f"{first.KIND} has a start={first.start}, which real guests cannot")
    if not _by_programs(workloads) and first.measured_window() is None:
        raise TopologyError(
            f"{first.KIND} is the first of {len(workloads)} workloads, but has no data that the "
            "measured window could open with; put another first"
        )
    for workload in workloads[1:]:
        if (workload.duration, workload.warmup) != (first.duration, first.warmup):
            raise TopologyError(
                f"{workload.KIND} beside {first.KIND}: the measured window is one for all; "
                f"give it duration={first.duration} and warmup={first.warmup} too"
            )
        if workload.start.ps >= first.start.ps + first.traffic.ps:
            raise TopologyError(
                f"{workload.KIND} starts at {workload.start}, when the measured window may be over"
            )


def _by_programs(workloads: Sequence[Workload]) -> bool:
    """Tell whether the programs' own runs are the measured window: none of them sends data."""
    return all(each.measured_window() is None for each in workloads)


def programs(
    workloads: Sequence[Workload],
    machine: Machine,
    books: Mapping[str, Mapping[str, str]],
    delay: Time,
) -> list[schema.Program]:
    """Return what a modelled host runs, of all workloads; `books` are the hosts' addresses.

    Every program starts by `delay` later than it would.
    """
    found: list[schema.Program] = []
    for workload, port in zip(workloads, ports(workloads), strict=True):
        if machine.name not in (workload.sender.name, workload.receiver.name):
            continue
        sends = machine.name == workload.sender.name
        peer = workload.receiver if sends else workload.sender
        told: dict[str, ParamValue] = {}
        if port is not None and port != workload.PORT:
            told["port"] = port
        if workload.start.ps:
            told["start"] = str(workload.start)
        if len(workloads) > 1 and not _by_programs(workloads):
            workload = dataclasses.replace(workload, duration=workload.duration + BESIDE)
        found += [
            _later(program.model_copy(update={"params": program.params | told}), delay)
            for program in workload.programs(
                "sender" if sends else "receiver", books[workload.ip][peer.name]
            )
        ]
    return found


def _later(program: schema.Program, delay: Time) -> schema.Program:
    if not delay.ps:
        return program
    start = Time.parse(str(program.params.get("start", "0s"))) + delay
    return program.model_copy(update={"params": program.params | {"start": str(start)}})


def ports(workloads: Sequence[Workload]) -> list[int | None]:
    """Return each workload's port: its own, or the next that is free on both of its hosts."""
    taken: set[tuple[str, int]] = set()
    found: list[int | None] = []
    for workload in workloads:
        port = workload.PORT
        hosts = (workload.sender.name, workload.receiver.name)
        while port is not None and any((host, port) in taken for host in hosts):
            port += 1
        if port is not None:
            taken |= {(host, port) for host in hosts}
        found.append(port)
    return found
