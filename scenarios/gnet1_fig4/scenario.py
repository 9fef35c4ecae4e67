# SPDX-License-Identifier: Apache-2.0
"""One frame lost without delay, under three systems.

Question: how fast is GNET-1's ring benchmark between two dual Xeons under Solaris 9, Linux 2.4.20
and FreeBSD 5.1? Is it as fast again 0.1 s after the loss of one frame? The paper saw more than
120 MB/s under the first two, just under 100 MB/s under FreeBSD, and all back after 0.1 s.
"""

from longhaul.testbeds import gnet1_modelled as testbed
from longhaul.testbeds import gnet1_watch
from longhaul.topology import Scenario

QUESTION = "What does TCP do after a loss?"
REPRODUCES = "GNET-1 figure 4"

SETTINGS = testbed.LossSettings
cases = testbed.systems
evaluate = gnet1_watch.evaluate


def build(settings: testbed.LossSettings, seed: int) -> Scenario:
    """Sender, box and receiver in a line, and what is asked of the box."""
    return testbed.across("gnet1_fig4", settings, seed, settings.discard_at)
