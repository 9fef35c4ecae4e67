# SPDX-License-Identifier: Apache-2.0
"""Sending through an offload engine: rate and CPU by MSS.

Question: what is left of the offload with small packets? NEC-TOE's slides say that the offload is
off below an MSS of 512 B, by specification: CPU load jumps, and the rate falls. They draw rate, and
rate for a CPU load (PEI), by packet size and print no figures; they do not say which engine it is.
Without settings it runs an MSS of 256, 500, 512, 1024 and 1460 B on each engine, and the host's own
TCP from 512 B on beside them.
"""

from functools import partial

from longhaul.testbeds import nec as testbed
from longhaul.testbeds.rows import Row, left_open
from longhaul.topology import Scenario

QUESTION = "What limits a host?"
REPRODUCES = "NEC-TOE goodput and PEI by packet size"
QUICK = ("duration=200ms",)

HEADERS = 40  # bytes of IPv4 and TCP without options
SIZES = (256, 500, 512, 1024, 1460)
LEAST_OFFLOADED = 512  # below it the host's TCP runs in any case

SETTINGS = testbed.HostSettings
ROWS = [
    Row({"engine": engine, "toe": toe, "mtu": str(size + HEADERS)})
    for engine in testbed.SYSTEMS
    for toe in ("on", "off")
    for size in SIZES
    if toe == "on" or size >= LEAST_OFFLOADED
]
cases = partial(left_open, SETTINGS, ROWS)
evaluate = testbed.evaluate


def build(settings: testbed.HostSettings, seed: int) -> Scenario:
    """Return the host with the engine and the measuring hosts at a switch; the host sends."""
    scenario = Scenario("nec_mss", seed=seed)
    testbed.run_streams(scenario, settings, *testbed.add_hosts(scenario, settings), sends=True)
    return scenario
