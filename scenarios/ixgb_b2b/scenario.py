# SPDX-License-Identifier: Apache-2.0
"""Two Opteron PCs with ixgb and no delay: what limits one host?

Question: how fast can unmodified Linux with the ixgb driver send and receive, and which part of the
host, bus or adapter stops it? OPTERON-10G measured 6.05 Gb/s (IPv4) and 6.35 Gb/s (IPv6) with jumbo
frames and 3.23 Gb/s (IPv6) with standard ones, and suspected the adapter.
"""

from longhaul.testbeds import opteron_paths as testbed
from longhaul.topology import Scenario

QUESTION = "What limits a host?"
REPRODUCES = "OPTERON-10G tables 2 and 4, IXGB at RTT 0"
SETTINGS = testbed.ToeHostSettings


def build(settings: testbed.ToeHostSettings, seed: int) -> Scenario:
    """Sender, two switches and receiver in a line."""
    return testbed.face_to_face("ixgb_b2b", settings, seed)
