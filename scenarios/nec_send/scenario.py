# SPDX-License-Identifier: Apache-2.0
"""Sending through an offload engine: rate, CPU by connections.

Question: what does TCP in the adapter gain a Pentium III that sends? NEC-TOE's slides call sending
good with both engines, and one connection bound by the measuring host. They draw the curves and
print no figures. Without settings it runs 1, 3 and 12 connections on each engine, with the engine's
TCP and with the host's own.
"""

from functools import partial

from longhaul.testbeds import nec as testbed
from longhaul.testbeds.rows import left_open
from longhaul.topology import Scenario

QUESTION = "What limits a host?"
REPRODUCES = "NEC-TOE sending, by connections"
QUICK = ("duration=200ms",)

SETTINGS = testbed.HostSettings
ROWS = testbed.rows_by("connections", ("1", "3", "12"))
cases = partial(left_open, SETTINGS, ROWS)
evaluate = testbed.evaluate


def build(settings: testbed.HostSettings, seed: int) -> Scenario:
    """Return the host with the engine and the measuring hosts at a switch; the host sends."""
    scenario = Scenario("nec_send", seed=seed)
    testbed.run_streams(scenario, settings, *testbed.add_hosts(scenario, settings), sends=True)
    return scenario
