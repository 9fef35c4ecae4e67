# SPDX-License-Identifier: Apache-2.0
"""Receiving through an offload engine: rate, CPU by connections.

Question: what does TCP in the adapter gain a Pentium III that receives? NEC-TOE's slides call it
slower than sending. With more connections the parallel engine keeps its rate and the CPU's load
rises; the pipeline's rate falls. They draw the curves and print no figures. Without settings it
runs 1, 3 and 12 connections on each engine, with the engine's TCP and with the host's own.
"""

from functools import partial

from longhaul.testbeds import nec as testbed
from longhaul.testbeds.rows import left_open
from longhaul.topology import Scenario

QUESTION = "What limits a host?"
REPRODUCES = "NEC-TOE receiving, by connections"
QUICK = ("duration=200ms",)

SETTINGS = testbed.HostSettings
ROWS = testbed.rows_by("connections", ("1", "3", "12"))
cases = partial(left_open, SETTINGS, ROWS)
evaluate = testbed.evaluate


def build(settings: testbed.HostSettings, seed: int) -> Scenario:
    """Return the host with the engine and the measuring hosts at a switch; the host receives."""
    scenario = Scenario("nec_receive", seed=seed)
    testbed.run_streams(scenario, settings, *testbed.add_hosts(scenario, settings), sends=False)
    return scenario
