# SPDX-License-Identifier: Apache-2.0
"""The two directions of a run's traffic: figures of each, and which one is the main figure.

The workload's sender is the role `sender`, whichever way most data go: a download has its data from
the receiver to the sender. Figures of that direction have names with the prefix `reverse_`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

EQUAL_PCT = 1.0  # directions closer than that are equal: their order would be chance
NOTABLE_PCT = 1.0  # of the main direction's rate: less is acknowledgements and control messages
MAIN = "main_direction"


@dataclass(frozen=True)
class Direction:
    """One way: the role whose host sends the data, and the one whose host takes them."""

    source: str
    sink: str
    prefix: str = ""

    @property
    def name(self) -> str:
        """Its name in results.json and wherever it is shown."""
        return f"{self.source} to {self.sink}"

    def key(self, figure: str) -> str:
        """Return a figure's name in `measured`."""
        return f"{self.prefix}{figure}"

    def of(self, measured: Mapping[str, Any], figure: str) -> Any:
        """Return a figure of this direction, None where the run has none."""
        return measured.get(self.key(figure))


FORWARD = Direction("sender", "receiver")
REVERSE = Direction("receiver", "sender", "reverse_")
BOTH = (FORWARD, REVERSE)


def main(measured: Mapping[str, Any]) -> Direction:
    """Return the direction with the larger rate of user data; of equal ones sender to receiver."""
    forward, reverse = (_goodput(measured, each) for each in BOTH)
    return REVERSE if reverse > forward * (1 + EQUAL_PCT / 100) else FORWARD


def notable(measured: Mapping[str, Any]) -> list[Direction]:
    """Return the main direction, and behind it the other one if that carries user data, too."""
    first = main(measured)
    least = _goodput(measured, first) * NOTABLE_PCT / 100
    others = [each for each in BOTH if each is not first and _goodput(measured, each) > least]
    return [first, *others]


def _goodput(measured: Mapping[str, Any], direction: Direction) -> float:
    return direction.of(measured, "goodput_gbps") or 0.0
