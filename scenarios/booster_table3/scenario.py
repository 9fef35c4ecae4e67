# SPDX-License-Identifier: Apache-2.0
"""One stream across 3320 km, with and without relays.

Question: what do two relays bring senders under Windows XP, Windows Vista and Linux? The paper
measured 15.5, 136 and 115 Mb/s without and 218, 922 and 935 Mb/s with them.

Those figures cannot come of the settings that the paper prints beside them (docs/booster.md). By
its own formula 0.1 % of loss leaves 226 Mb/s at most with relays and 12 without. A window of 64 KB
has 15.5 Mb/s only without the boxes' delay. So the rows lose nothing, and those without relays have
no box; --set edge_loss=0.1% --set edge_delay=1ms runs them as printed.
"""

from functools import partial

from longhaul.testbeds import booster as testbed
from longhaul.testbeds.rows import Row, left_open
from longhaul.topology import Scenario

QUESTION = "What do relays at the ends of a long line bring?"
REPRODUCES = "BOOSTER table 3"
SETTINGS = testbed.EndSettings

BOXES = {"on": {"edge_loss": "0%"}, "off": {"edge_loss": "0%", "edge_delay": "0ms"}}
ROWS = [
    Row({"system": system, "relay": relay}, BOXES[relay])
    for system in testbed.SYSTEMS
    for relay in ("off", "on")
]
cases = partial(left_open, SETTINGS, ROWS)


def build(settings: testbed.EndSettings, seed: int) -> Scenario:
    """Sender, lossy box, relay, line, relay, lossy box and receiver in a line."""
    return testbed.across("booster_table3", settings, seed)
