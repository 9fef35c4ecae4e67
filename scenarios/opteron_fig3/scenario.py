# SPDX-License-Identifier: Apache-2.0
"""TCP in the adapter over 400 ms: the sender's CPU over time.

Question: what does offload leave to the sender's CPU? At 7.2 Gb/s (MTU 1500, RTT 400 ms) the
paper's sender is busy for 85 %. Figure 2 has the rate.
The run's fig3.csv has the CPU's states and the interrupts over time.
"""

from pathlib import Path
from typing import Any

from longhaul.testbeds import opteron_offload as testbed
from longhaul.topology import Scenario

QUESTION = "What do delay and window leave of the rate?"
REPRODUCES = "OPTERON-10G figure 3"
OWN_OF = testbed.OWN_OF
QUICK = testbed.SHORT
SETTINGS = testbed.FigureSettings


def build(settings: testbed.FigureSettings, seed: int) -> Scenario:
    """Sender, XG1200, delay box, MG8 and receiver in a line."""
    return testbed.across("opteron_fig3", settings, seed)


def evaluate(settings: testbed.FigureSettings, raw: Path, out: Path) -> dict[str, Any]:
    """Return CPU and interrupts in the paper's stall and at the end, and write fig3.csv."""
    return testbed.evaluate_host(settings, out, "sender", "fig3.csv")
