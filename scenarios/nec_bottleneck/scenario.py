# SPDX-License-Identifier: Apache-2.0
"""Sending through an offload engine behind a bottleneck.

Question: how much of a slow link do the engines use? NEC-TOE put an emulator in the path that
limits the rate and adds 10 ms. The slides say that both engines leave much of the link unused. The
parallel engine does not always cut its window after a loss; the pipeline raises its rate through
losses, and sends many packets several times. They draw the curves and print no figures. Without
settings it runs 5, 10, 20, 50 and 100 Mb/s on each engine, and the host's own TCP beside them.
"""

from functools import partial
from pathlib import Path
from typing import Any

from longhaul.testbeds import nec as testbed
from longhaul.testbeds import nec_bottleneck
from longhaul.testbeds.rows import left_open
from longhaul.topology import Scenario

QUESTION = "What do delay and window leave of the rate?"
REPRODUCES = "NEC-TOE use of a bottleneck link"

SETTINGS = nec_bottleneck.BottleneckSettings
ROWS = testbed.rows_by("rate", ("5Mb/s", "10Mb/s", "20Mb/s", "50Mb/s", "100Mb/s"))
cases = partial(left_open, SETTINGS, ROWS)


def build(settings: nec_bottleneck.BottleneckSettings, seed: int) -> Scenario:
    """Return the host with the engine behind the emulator, and the measuring hosts at a switch."""
    return nec_bottleneck.across("nec_bottleneck", settings, seed)


def evaluate(settings: nec_bottleneck.BottleneckSettings, raw: Path, out: Path) -> dict[str, Any]:
    """Return the testbed's figures, and the share of the link that user data took."""
    found = testbed.evaluate(settings, raw, out)
    used = 1e11 * found["toe_sent_gbps"] / settings.rate.count
    return found | {"link_used_pct": round(used, 3)}
