# SPDX-License-Identifier: Apache-2.0
"""Does the line's length matter behind relays? Linux.

Question: what is left of a stream across 1740 and 3320 km, with and without relays? A box at each
end adds 5 ms each way and loses 0.1 % of the frames. The paper's Linux is faster than the formula B
= min(W/d, C/(d sqrt(p))) says. Without settings it runs both lengths with relays and without, each
once, and no line at all.
"""

from dataclasses import dataclass
from functools import partial

from longhaul.settings import with_default
from longhaul.testbeds import booster as testbed
from longhaul.testbeds.rows import left_open
from longhaul.topology import Scenario

QUESTION = "What do relays at the ends of a long line bring?"
REPRODUCES = "BOOSTER figure 7"


@dataclass(frozen=True, kw_only=True)
class FigureSettings(testbed.FigureSettings):
    """Settings of ends, boxes, relays and line."""

    system: str = with_default(
        testbed.FigureSettings,
        "system",
        "linux-2.6.18",
        evidence="measured",
        source="BOOSTER figure 7",
    )


SETTINGS = FigureSettings
cases = partial(left_open, SETTINGS, testbed.FIGURE_ROWS)


def build(settings: FigureSettings, seed: int) -> Scenario:
    """Sender, lossy box, relay, line, relay, lossy box and receiver in a line."""
    return testbed.across("booster_fig7", settings, seed)
