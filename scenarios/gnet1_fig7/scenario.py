# SPDX-License-Identifier: Apache-2.0
"""How bursty is a stream in samples of 20 us, by system?

Question: does the ring benchmark send without a pause, and how many frames does an ACK answer? The
paper saw no pauses under Solaris 9 and Linux 2.4.20, and under FreeBSD 5.1 bursts with a period of
3.4 ms, 28 % of it idle. There was an ACK for 8, 5 and 2 frames.
"""

from dataclasses import dataclass

from longhaul.settings import with_default
from longhaul.testbeds import gnet1_modelled as testbed
from longhaul.testbeds import gnet1_watch
from longhaul.topology import Scenario
from longhaul.units import Time

QUESTION = "How does TCP send, in samples of 20 us?"
REPRODUCES = "GNET-1 figure 7 and section 4.2"


@dataclass(frozen=True, kw_only=True)
class FigureSettings(testbed.StreamSettings):
    """Settings of hosts and box."""

    duration: Time = with_default(
        testbed.StreamSettings,
        "duration",
        "400ms",
        source="the sampler's memory is full after 0.33 s",
    )


SETTINGS = FigureSettings
cases = testbed.systems
evaluate = gnet1_watch.evaluate


def build(settings: FigureSettings, seed: int) -> Scenario:
    """Sender, box and receiver in a line, and what is asked of the box."""
    return testbed.across("gnet1_fig7", settings, seed, None)
