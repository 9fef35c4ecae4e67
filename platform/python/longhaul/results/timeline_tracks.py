# SPDX-License-Identifier: Apache-2.0
"""How a SpanTap shows in the timeline: the words, their order, and what its two numbers are.

A machine's rows are in the order in which an interrupt runs through it: the adapter asks, the core
leaves what it did, and both use the bus. Below them are the waits of the adapter's engines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

PLAIN = ("arg0", "arg1")


@dataclass(frozen=True)
class Row:
    """One row: its machine, its name, its place among the machine's rows and its numbers' names.

    An empty name of a number leaves it out.
    """

    machine: str
    name: str
    rank: int
    arguments: tuple[str, str]
    note: str = ""


# The path below the machine, what the row is called, its numbers, and what to know of it.
_ROWS: tuple[tuple[str, str, tuple[str, str], str], ...] = (
    (r"([\w-]+)\.moderator\.spans", "{0}: interrupt request", ("causes", "enabled causes"), ""),
    (r"core\.spans", "core: state", ("", ""),
     "Gaps are idle. Work is charged in batches of up to one quantum, each batch by states."),
    (r"pcix\.tenures", "PCI-X bus", ("address", "bytes"), ""),
    (r"([\w-]+)\.tx\.room_waits", "{0}: transmit waits for buffer room", ("bytes wanted", ""), ""),
    (r"([\w-]+)\.rx\.starved", "{0}: receive waits for descriptors", ("bytes held", ""), ""),
)  # fmt: skip
# Of the whole run, above the machines: the path in spans.bin and its row.
LOST = "lost frames"
_OF_THE_RUN: dict[str, tuple[str, tuple[str, str], str]] = {
    LOST: (LOST, ("packet id", "TCP sequence number"),
           "The packet id is that of the run's captures; sequence numbers are relative."),
}  # fmt: skip
NAMES = tuple(
    dict.fromkeys([
        *PLAIN,
        *(n for _, _, names, _ in _ROWS for n in names if n),
        *(n for _, names, _ in _OF_THE_RUN.values() for n in names),
    ])
)  # fmt: skip
ADDRESSES = frozenset({"address"})  # shown in hexadecimal


def row(path: str) -> Row:
    """Return the row of the SpanTap of this path; one without a rule keeps its path, last.

    A row of the whole run has no machine.
    """
    if path in _OF_THE_RUN:
        return Row("", _OF_THE_RUN[path][0], 0, *_OF_THE_RUN[path][1:])
    machine, _, place = path.partition(".")
    for rank, (pattern, name, arguments, note) in enumerate(_ROWS):
        match = re.fullmatch(pattern, place)
        if match:
            return Row(machine, name.format(*match.groups()), rank, arguments, note)
    return Row(machine, place or path, len(_ROWS), PLAIN)
