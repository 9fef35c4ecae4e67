# SPDX-License-Identifier: Apache-2.0
"""Sending and receiving through an offload engine at once.

Question: what do the two directions do to each other? NEC-TOE's slides say that sending squeezes
receiving: the difference between the two grows. They draw the curves and print no figures. Without
settings it runs each engine with its own TCP and with the host's, three connections each way.
"""

from functools import partial

from longhaul.testbeds import nec as testbed
from longhaul.testbeds.rows import Row, left_open
from longhaul.topology import Scenario

QUESTION = "What limits a host?"
REPRODUCES = "NEC-TOE sending and receiving at once"
QUICK = ("duration=200ms",)

SETTINGS = testbed.HostSettings
ROWS = [Row({"engine": engine, "toe": toe}) for engine in testbed.SYSTEMS for toe in ("on", "off")]
cases = partial(left_open, SETTINGS, ROWS)
evaluate = testbed.evaluate


def build(settings: testbed.HostSettings, seed: int) -> Scenario:
    """Return the host with the engine and the measuring hosts at a switch, streams both ways."""
    scenario = Scenario("nec_both", seed=seed)
    measured, far = testbed.add_hosts(scenario, settings)
    for sends in (True, False):
        testbed.run_streams(scenario, settings, measured, far, sends=sends)
    return scenario
