# SPDX-License-Identifier: Apache-2.0
"""TCP in the adapter over 400 ms: its rate over time.

Question: does an adapter's TCP reach its rate at once? The paper's T110 (MTU 1500) stays at 1 to
2 Gb/s until 20 s after its start. Meanwhile the sender's adapter sends PAUSE. Then the rate rises
to 7.2 Gb/s. With jumbo frames the paper tells of no such stretch. The run's fig2.csv has the rate
and the PAUSE frames over time. Without settings it runs both MTUs.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from longhaul.testbeds import opteron_offload as testbed
from longhaul.testbeds.rows import Row, left_open
from longhaul.topology import Scenario

QUESTION = "What do delay and window leave of the rate?"
REPRODUCES = "OPTERON-10G figure 2"
OWN_OF = testbed.OWN_OF
QUICK = testbed.SHORT
SETTINGS = testbed.FigureSettings

ROWS = [Row({"mtu": "1500"}), Row({"mtu": "7832"})]


def cases(given: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the MTUs that what is given leaves open."""
    return left_open(SETTINGS, ROWS, given)


def build(settings: testbed.FigureSettings, seed: int) -> Scenario:
    """Sender, XG1200, delay box, MG8 and receiver in a line."""
    return testbed.across("opteron_fig2", settings, seed)


def evaluate(settings: testbed.FigureSettings, raw: Path, out: Path) -> dict[str, Any]:
    """Return the rate in the paper's stall and at the end, and write fig2.csv."""
    curve = testbed.rate_curve(settings, out)
    if curve.is_empty():
        return {}  # no modelled hosts, or no stream
    testbed.write(curve, out / "fig2.csv")
    rise = testbed.rise_s(curve)
    figures = testbed.stretches(curve, "goodput_gbps", "pause_per_s")
    return figures | ({} if rise is None else {"rise_s": rise})
