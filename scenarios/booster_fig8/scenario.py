# SPDX-License-Identifier: Apache-2.0
"""How many connections fill 10 Gb/s across 3320 km?

Question: with a fast PC right at each relay, what do 1, 2, 3 and 4 streams reach with a send window
of 3.3 MB between the relays? What does one stream reach with a window as large as the line? The
paper reached 10 Gb/s from 3 connections on, and with one whose window was large enough.

A window of 3.3 MB on 33.2 ms is 0.8 Gb/s: three of them cannot be 10 Gb/s. Without settings it runs
the printed window and 13.3 MB, of which three fill the line, and one stream with 64 MiB.
"""

from dataclasses import dataclass
from functools import partial

from longhaul.settings import Count, setting, with_default
from longhaul.testbeds import booster as testbed
from longhaul.testbeds.rows import Row, left_open
from longhaul.topology import Scenario
from longhaul.units import Size, Time

QUESTION = "What do relays at the ends of a long line bring?"
REPRODUCES = "BOOSTER figure 8"

ROWS = [
    *(
        Row({"streams": streams, "line_window": window})
        for window in ("3.3MB", "13.3MB")
        for streams in ("1", "2", "3", "4")
    ),
    Row({"streams": "1", "line_window": "64MiB"}),
]


@dataclass(frozen=True, kw_only=True)
class FigureSettings(testbed.RelaySettings):
    """Settings of streams, relays and line."""

    streams: int = setting(
        Count(1, 16, "connections"),
        "3",
        help="streams of the two PCs, each with a connection of its own between the relays",
        evidence="measured",
        source="BOOSTER figure 8: 1, 2, more",
    )
    mtu: int = setting(
        Count(1500, 9000, "B"),
        "9000",
        help="MTU of PCs, relays and line",
        evidence="assumed",
        source="the paper does not say; with 1500 B the relays' modelled processors are the limit",
    )
    line_window: Size = with_default(
        testbed.RelaySettings,
        "line_window",
        "3.3MB",
        evidence="measured",
        source="BOOSTER section 4.3: send window of 3.3 MB",
    )
    warmup: Time = with_default(
        testbed.RelaySettings,
        "warmup",
        "3.5s",
        source="BIC fills the line in 3.1 s: 100 segments, then 5 % a round trip",
    )
    duration: Time = with_default(
        testbed.RelaySettings, "duration", "332ms", source="ten round trips"
    )


SETTINGS = FigureSettings
cases = partial(left_open, SETTINGS, ROWS)


def build(settings: FigureSettings, seed: int) -> Scenario:
    """Sender, relay, line, relay and receiver in a line."""
    return testbed.between_relays(
        "booster_fig8", settings, seed, streams=settings.streams, mtu=settings.mtu
    )
