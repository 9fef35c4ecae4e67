# SPDX-License-Identifier: Apache-2.0
"""Two Opteron PCs across a WAN: what do RTT, window, loss leave?

Question: beyond which round-trip time does the window, not the host, set the goodput, and how much
socket memory does Linux need to fill the path? OPTERON-10G kept 5.98 Gb/s (IPv4) and 6.30 Gb/s
(IPv6) at 400 ms with jumbo frames and 896 MB of socket memory, three bandwidth-delay products.
"""

from longhaul.testbeds import opteron_paths as testbed
from longhaul.topology import Scenario

QUESTION = "What do delay and window leave of the rate?"
REPRODUCES = "OPTERON-10G tables 3 and 4, IXGB at RTT 400 ms"
SETTINGS = testbed.ToeWanSettings


def build(settings: testbed.ToeWanSettings, seed: int) -> Scenario:
    """Sender, XG1200, delay box, MG8 and receiver in a line."""
    return testbed.across("ixgb_wan", settings, seed)
