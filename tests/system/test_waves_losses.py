# SPDX-License-Identifier: Apache-2.0
"""Every kind of part that can lose a frame draws it, names it, and comments on it.

Each run makes another part lose frames. The part's own counter says how many it lost in the
measured window. pywellen reads the pulses, tshark the comments.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from rig import front_door, timeline, wire
from rig.fst import Waves

MODELLED = ("system=linux-2.6.6", "duration=20ms", "warmup=1ms")
GNET1 = (
    *("system=linux-2.4.20", "delay=0s", "discard_at=5ms", "duration=10ms", "warmup=2ms"),
    "settle=1ms",
)
DISCARD = {"p0.lost": "gnet1.discards_p0"}


@dataclass(frozen=True)
class Case:
    """A run that loses frames: in which part, why, and which of `drops` counts them."""

    scenario: str
    sets: tuple[str, ...]
    part: str
    why: str
    counter: str
    param: str = ""


CASES = {
    "delay box": Case(
        "ixgb_wan",
        (*MODELLED, "rtt=1ms", "loss=0.3%"),
        *("anue.west_to_east", "random loss", "anue.west_to_east.lost"),
    ),
    "policed rate": Case(
        "ixgb_wan",
        (*MODELLED, "rtt=1ms"),
        *("anue.west_to_east", "policed", "anue.west_to_east.policed"),
        "anue.rate_west=1Gb/s",
    ),
    "bad FCS": Case(
        "ixgb_wan",
        (*MODELLED, "rtt=1ms"),
        *("mg8.p0.mac", "bad FCS", "mg8.p0.mac.rx_bad_fcs"),
        "anue.bit_error_rate_west=4e-8",
    ),
    "switch": Case(
        "pairs",
        (*MODELLED[1:], "pairs=3", "path=delay", "rtt=1ms"),
        *("west.p0", "shared buffer full", "west.p0.dropped"),
        "west.buffer=64KiB",
    ),
    "NIST Net": Case(
        "gnet1_table1_modelled",
        ("box=nistnet", "system=linux-2.4.20", "delay=1ms", "duration=30ms"),
        *("nistnet.path", "backlog full", "nistnet.path.backlog_dropped"),
        "nistnet.netdev_max_backlog=3",
    ),
    "GNET-1": Case(
        "gnet1_fig5",
        ("system=linux-2.4.20", "delay=1ms", "discard_at=10ms", "duration=40ms", "warmup=20ms"),
        *("gnet1.p0", "discarded", "gnet1.discards_p0"),
    ),
}
