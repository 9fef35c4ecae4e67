# SPDX-License-Identifier: Apache-2.0
"""Packets in a timeline: a row for each place, and arrows from each stage of a packet to its next.

Perfetto draws the arrows of a flow. A packet's number is its flow, so a click on any of its stages
shows all of them.
"""

from __future__ import annotations

from typing import Protocol

from longhaul.packets.file import Packets, Step

_ROWS = {
    "bus": "{}: packets on the bus",
    "tx": "{}: packets in the transmit buffer",
    "rx": "{}: packets in the receive buffer",
}
_LINK = "link."
_FIRST_RANK = 100  # below a machine's own rows


class Rows(Protocol):
    """The rows of a timeline, as they are written."""

    def group(self, machine: str) -> int:
        """Return a machine's group of rows; the empty name is that of the whole run."""
        ...

    def steps(self, name: str, parent: int, about: str, rank: int, steps: list[Step]) -> None:
        """Write a row of stages in the order of their begin."""
        ...


def add(rows: Rows, packets: Packets) -> None:
    """Write a row for each place in which packets were seen."""
    stages = packets.stages
    for rank, place in enumerate(packets.places, _FIRST_RANK):
        of_it = (stages["place"] == rank - _FIRST_RANK).nonzero()[0]
        if not len(of_it):
            continue
        of_it = of_it[stages["start_ps"][of_it].argsort(kind="stable")]
        machine, name = _row(place)
        steps = [packets.step(stages[row]) for row in of_it.tolist()]
        about = f"{place}: stages of packets. An arrow leads to a packet's next stage."
        rows.steps(name, rows.group(machine), about, rank, steps)


def _row(place: str) -> tuple[str, str]:
    """Return the machine that a place is in, if it is in one, and what its row is called."""
    machine, _, rest = place.partition(".")
    device, _, part = rest.rpartition(".")
    if not place.startswith(_LINK) and part in _ROWS and device:
        return machine, _ROWS[part].format(device)
    return "", place
