# SPDX-License-Identifier: Apache-2.0
"""GNET-1's table 1, whose rows real guests and modelled hosts have alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from longhaul.boxes.nistnet import Nistnet
from longhaul.settings import Choice, Quantities, as_in, setting
from longhaul.testbeds import gnet1, linux24
from longhaul.testbeds.rows import listed, not_given
from longhaul.topology import Box
from longhaul.units import Size, Time, mb

DELAYS = ("0s", "1ms", "2ms", "5ms", "10ms", "20ms", "50ms", "100ms")
# A second is 250 round trips or more; ten of them say the same.
SHORT = {delay: ("duration=1s",) for delay in DELAYS[:3]}


@dataclass(frozen=True, kw_only=True)
class ColumnSettings:
    """Which column of the table is run."""

    box: str = setting(
        Choice(("gnet1", "nistnet")),
        "gnet1",
        help="what delays: the FPGA box, or a PC with NIST Net",
        source="GNET-1 table 1 has both",
    )
    model: str = as_in(gnet1.HostSettings, "model", only={"box": ("gnet1",)})


@dataclass(frozen=True, kw_only=True)
class TableSettings(ColumnSettings):
    """Column, and what Linux remembers of earlier connections."""

    remembered: str = setting(
        Choice(("auto", "on", "off")),
        "auto",
        help=f"begin with a slow start threshold of {linux24.REMEMBERED_SSTHRESH} segments, as "
        "Linux 2.4 remembers it of earlier connections; auto: with GNET-1",
        evidence="fitted",
        source="GNET-1 table 1: start-up's cost in both columns (docs/gnet1_table1.md)",
        only=gnet1.OF_TCP,
    )
    length: Size = setting(
        Quantities(Size(1), mb(128), "KiB"),
        "8KiB",
        help="what a call of iperf asks for, at both ends (-l)",
        evidence="datasheet",
        source="Iperf 1.x user documentation: -l is 8 KB by default; today's has 128 KB",
        only=gnet1.OF_TCP,
    )


def cases(given: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the rows of table 1 that the settings given leave open."""
    boxes = ("gnet1",) if "model" in given else ("gnet1", "nistnet")
    return [
        (f"box={box}", f"delay={delay}", *not_given(given, SHORT.get(delay, ())))
        for box in listed(ColumnSettings, given, "box", boxes)
        for delay in listed(gnet1.HostSettings, given, "delay", DELAYS)
    ]


def nistnet(box: str, delay: Time) -> Box | None:
    """Return the PC with NIST Net if it is to delay; without one, paths have a GNET-1."""
    return Nistnet(name="nistnet", one_way_delay=delay) if box == "nistnet" else None


def remembers(box: str, remembered: str) -> bool:
    """Tell whether a connection begins with a remembered threshold."""
    return {"on": True, "off": False, "auto": box == "gnet1"}[remembered]
