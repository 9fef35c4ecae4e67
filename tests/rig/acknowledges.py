# SPDX-License-Identifier: Apache-2.0
"""When skge acknowledges received frames, at core and adapter, and what returned between.

skge_poll() posts CSR_IRQ_CL_F to the receive queue, looks at its ring, and posts CSR_START when it
has left the ring. The record has the time of each post, the timeline that of each bus transaction.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longhaul.record.file import Kind, Record

from rig import timeline

R1_CSR = 0x434  # Linux 6.1 skge.h, as the next two
CSR_START, CSR_IRQ_CL_F = 0x10, 0x02
WRITE = 6  # LH_OP_WRITE of longhaul_abi.h
STATUS_BYTES, CONTROL_BYTES = 12, 4  # what returns with a receive descriptor, in this order
STATUS_OFFSET = 16
PS_PER_NS = 1000
# A slice of the bus ends when the bus is free: conventional PCI at 66 MHz, a clock of turn-around.
TURN_AROUND_NS = 15


@dataclass(frozen=True)
class Acknowledge:
    """One of them; nanoseconds since the start."""

    posted: float
    looked: float
    """The last time at which the guest could see a change of its memory before it left its ring."""
    left: float
    arrived: float


@dataclass(frozen=True)
class Host:
    """One machine's receive queue."""

    acknowledges: list[Acknowledge]
    returned: list[float]
    """When each control word of a receive descriptor was in memory."""

    def lost(self) -> list[float]:
        """Return the descriptors whose cause went away before the driver saw them."""
        return [
            at
            for one in self.acknowledges
            for at in self.returned[
                bisect_right(self.returned, one.looked) : bisect_right(self.returned, one.arrived)
            ]
        ]


def of(folder: Path, machine: str) -> Host:
    """Read a run with `record` and `timeline`."""
    bus = next(
        row
        for row in timeline.read(folder / "timeline.pftrace")
        if (row.group, row.name) == (machine, "PCI-X bus")
    ).slices
    record = Record(folder / "record.bin")
    exchanges = [
        line
        for line in record.lines(record.stream(f"{machine}.guest"))
        if line["kind"] == Kind.EXCHANGE
    ]
    return Host(_acknowledges(record, machine, exchanges, bus), _returned(bus))


def _acknowledges(
    record: Record, machine: str, exchanges: list[Any], bus: list[timeline.Slice]
) -> list[Acknowledge]:
    csr = f"{machine}.eth0+{R1_CSR:#x}"
    posts = [
        i
        for i, line in enumerate(exchanges)
        if line["code"] == WRITE and record.place(machine, int(line["value"][0])) == csr
    ]
    arrivals = [
        one.end_ns - TURN_AROUND_NS
        for one in bus
        if one.label == "mmio write" and record.place(machine, one.numbers["address"]) == csr
    ]
    assert len(posts) == len(arrivals)  # posted writes pass none of their kind
    found: list[Acknowledge] = []
    for this, then, arrived in zip(posts, posts[1:], arrivals, strict=False):
        if int(exchanges[this]["value"][1]) != CSR_IRQ_CL_F:
            continue
        assert int(exchanges[then]["value"][1]) == CSR_START
        times = (exchanges[this]["time_ps"], exchanges[then - 1]["value"][2])
        posted, looked = (int(time) / PS_PER_NS for time in times)
        left = int(exchanges[then]["time_ps"]) / PS_PER_NS
        found.append(Acknowledge(posted, looked, left, arrived))
    return found


def _returned(bus: list[timeline.Slice]) -> list[float]:
    """Return when control words were written: only receive descriptors get a status, too."""
    control: int | None = None
    ends: list[float] = []
    for one in bus:
        if one.label != "memory write":
            continue
        address, size = one.numbers["address"], one.numbers["bytes"]
        if size == CONTROL_BYTES and address == control:
            ends.append(one.end_ns - TURN_AROUND_NS)
        if size == STATUS_BYTES:
            control = address - STATUS_OFFSET
    return ends
