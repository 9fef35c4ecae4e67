# SPDX-License-Identifier: Apache-2.0
"""Behind a bottleneck: the congestion window of an offload engine.

Question: what do the engines do after a loss? NEC-TOE's slides draw the rate control of both
engines and of FreeBSD. The parallel engine does not always lower its congestion window after a
loss; fast retransmit works. The pipeline raises its rate through losses, and sends many packets
several times. They print no figures. Without settings it runs 10 Mb/s with each engine, and with
the host's own TCP. The run's rate_control.csv has window, threshold, losses and resends of each
round trip.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from longhaul.settings import with_default
from longhaul.testbeds import nec, nec_bottleneck
from longhaul.testbeds.rows import Row, left_open
from longhaul.topology import Scenario
from longhaul.units import Rate

QUESTION = "What does TCP do after a loss?"
REPRODUCES = "NEC-TOE rate control"


@dataclass(frozen=True, kw_only=True)
class RateControlSettings(nec_bottleneck.BottleneckSettings):
    """Settings of the bottleneck, which is slow enough for losses."""

    rate: Rate = with_default(
        nec_bottleneck.BottleneckSettings,
        "rate",
        "10Mb/s",
        source="a window of 64 KB does not fit into path and queue; the slides print no value",
    )


SETTINGS = RateControlSettings
ROWS = [Row({"engine": engine, "toe": toe}) for engine in nec.SYSTEMS for toe in ("on", "off")]
cases = partial(left_open, SETTINGS, ROWS)


def build(settings: RateControlSettings, seed: int) -> Scenario:
    """Return the host with the engine behind the emulator, and the measuring hosts at a switch."""
    return nec_bottleneck.across("nec_rate_control", settings, seed)


def evaluate(settings: RateControlSettings, raw: Path, out: Path) -> dict[str, Any]:
    """Return the testbed's figures and the window's reactions, and write rate_control.csv."""
    table = nec_bottleneck.curve(settings, raw, out)
    table.write_csv(out / "rate_control.csv")
    return nec.evaluate(settings, raw, out) | dict(nec_bottleneck.reactions(table))
