# SPDX-License-Identifier: Apache-2.0
"""Two Opteron PCs with Intel PRO/10GbE through two switches, without delay: what limits one host?

Question: how fast can unmodified Linux with the ixgb driver send and receive, and which part of the
host, bus or adapter stops it? OPTERON-10G measured 6.05 Gb/s (IPv4) and 6.35 Gb/s (IPv6) with jumbo
frames and 3.23 Gb/s (IPv6) with standard ones, and suspected the adapter.
"""

from longhaul.benches import opteron_10g as bench
from longhaul.topology import Scenario

REPRODUCES = "OPTERON-10G tables 2 and 4, IXGB at RTT 0"
SETTINGS = bench.HostSettings


def build(settings: bench.HostSettings, seed: int) -> Scenario:
    """Sender, two switches and receiver in a line."""
    scenario = Scenario("ixgb_b2b", seed=seed)
    sender, receiver = bench.add_hosts(scenario, settings)
    xg1200, mg8 = bench.add_switches(scenario, settings)
    scenario.link(sender.port("eth0"), xg1200.port("p0"), name="sender_link")
    scenario.link(xg1200.port("p1"), mg8.port("p0"), name="trunk")
    scenario.link(mg8.port("p1"), receiver.port("eth0"), name="receiver_link")
    scenario.run_workload(bench.workload(settings, sender, receiver))
    return scenario
