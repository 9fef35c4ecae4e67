# SPDX-License-Identifier: Apache-2.0
"""TCP in the adapter over 400 ms: the receiver's CPU over time.

Question: what does offload leave to the receiver's CPU? At 7.2 Gb/s (MTU 1500, RTT 400 ms) the
paper's receiver is busy for 60 %, with 16,000 interrupts a second. While the rate is 1 to 2 Gb/s
there are 20,000. Figure 2 has the rate.
The run's fig4.csv has the CPU's states and the interrupts over time.
"""

from pathlib import Path
from typing import Any

from longhaul.testbeds import opteron_offload as testbed
from longhaul.topology import Scenario

QUESTION = "What do delay and window leave of the rate?"
REPRODUCES = "OPTERON-10G figure 4"
OWN_OF = testbed.OWN_OF
QUICK = testbed.SHORT
SETTINGS = testbed.FigureSettings


def build(settings: testbed.FigureSettings, seed: int) -> Scenario:
    """Sender, XG1200, delay box, MG8 and receiver in a line."""
    return testbed.across("opteron_fig4", settings, seed)


def evaluate(settings: testbed.FigureSettings, raw: Path, out: Path) -> dict[str, Any]:
    """Return CPU and interrupts in the paper's stall and at the end, and write fig4.csv."""
    return testbed.evaluate_host(settings, out, "receiver", "fig4.csv")
