# SPDX-License-Identifier: Apache-2.0
"""Drivers of this tree, for boards that no driver of Linux knows (docs/own_drivers.md)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from longhaul.guest.software import GuestSoftware
from longhaul.parts.machine import Nic
from longhaul.paths import ROOT


@dataclass(frozen=True)
class TreeDriver:
    """The folder of a driver, and the adapter's type and board that it drives."""

    folder: Path
    adapter: str
    board: str

    def drives(self, nic: Nic) -> bool:
        """Tell whether an adapter is such a board."""
        return nic.type == self.adapter and nic.params.get("board") == self.board


DRIVERS = (TreeDriver(ROOT / "sw" / "drivers" / "toe", "n110", "t110"),)


def software(nics: Iterable[Nic]) -> GuestSoftware:
    """Return the modules that a guest with these adapters needs from this tree."""
    present = tuple(nics)
    return GuestSoftware(
        modules=tuple(each.folder for each in DRIVERS if any(map(each.drives, present)))
    )
