# SPDX-License-Identifier: Apache-2.0
"""One packet's life as a table, and what a run knows of its packets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.table import Table

from longhaul.errors import UsageError
from longhaul.packets import words
from longhaul.packets.file import Packets
from longhaul.packets.names import NAME

_FEW = 12  # packets with a fault that are named


def life(packets: Packets, number: int) -> Table:
    """Return the stages of a packet; a UsageError names the nearest if there is none.

    Faults have a column if there are any.
    """
    steps = packets.steps(number)
    if not steps:
        raise UsageError(f"packet {number}: not in {NAME}; {_nearest(packets, number)}")
    table = Table(box=None)
    for name in ("stage", "where"):
        table.add_column(name, no_wrap=True)
    for name in ("from, us", "to, us", "address", "bytes"):
        table.add_column(name, justify="right", no_wrap=True)
    has_fault = any(step.fault for step in steps)
    if has_fault:
        table.add_column("fault")
    for step in steps:
        table.add_row(
            step.stage.text,
            step.place,
            f"{step.start_ps / 1e6:.6f}",
            f"{step.end_ps / 1e6:.6f}",
            f"{step.address:#x}" if step.address else "",
            str(step.bytes) if step.bytes else "",
            *([step.fault] if has_fault else []),
        )
    return table


def _nearest(packets: Packets, number: int) -> str:
    numbers = packets.stages["packet"]
    if not len(numbers):
        return "it has no packets"
    nearest = int(numbers[abs(numbers.astype("int64") - number).argmin()])
    return f"the nearest is {nearest}"


def summary(packets: Packets, folder: Path) -> Iterator[str]:
    """Yield what the run has of packets, adapter by adapter, and which of them have faults."""
    numbers = packets.stages["packet"]
    if len(numbers):
        yield (
            f"{len(set(numbers.tolist()))} packets, {int(numbers.min())} to {int(numbers.max())}, "
            f"{len(numbers)} stages; longhaul packets {folder} NUMBER shows one"
        )
    else:
        yield "no packets"
    yield from words.counted(packets.adapters)
    yield from words.warnings(packets.adapters, packets.left_out, packets.left_out_from_ps)
    faulty = packets.faulty()
    if faulty:
        more = f" and {len(faulty) - _FEW} more" if len(faulty) > _FEW else ""
        yield f"with a fault: {', '.join(map(str, faulty[:_FEW]))}{more}"
