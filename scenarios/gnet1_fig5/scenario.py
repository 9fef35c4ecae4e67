# SPDX-License-Identifier: Apache-2.0
"""One frame lost behind 4 ms each way, under three systems.

Question: how long until the ring benchmark is as fast as before the loss of one frame, when a round
trip takes 8 ms? The paper saw Solaris 9 back after 0.1 s, FreeBSD 5.1 after some 5 s and Linux
2.4.20 after some 8 s.
"""

from dataclasses import dataclass
from functools import partial

from longhaul.settings import with_default
from longhaul.testbeds import gnet1_modelled as testbed
from longhaul.testbeds import gnet1_watch
from longhaul.topology import Scenario
from longhaul.units import Time

QUESTION = "What does TCP do after a loss?"
REPRODUCES = "GNET-1 figure 5"

# Time to recover in. Under Linux the rate is full from 17 s on. Slow start ends at the sender's
# queue, and the window then grows by a segment in five round trips. Under FreeBSD the rate is
# steady after a second.
MORE = {
    "linux-2.4.20": ("discard_at=25s", "duration=40s"),
    "freebsd-5.1": ("discard_at=12s", "duration=22s"),
}


@dataclass(frozen=True, kw_only=True)
class FigureSettings(testbed.LossSettings):
    """Settings of hosts, box and loss."""

    delay: Time = with_default(
        testbed.LossSettings,
        "delay",
        "4ms",
        evidence="measured",
        source="GNET-1 figure 5: 4 ms each way",
    )


SETTINGS = FigureSettings
cases = partial(testbed.systems, more=MORE)
evaluate = gnet1_watch.evaluate


def build(settings: FigureSettings, seed: int) -> Scenario:
    """Sender, box and receiver in a line, and what is asked of the box."""
    return testbed.across("gnet1_fig5", settings, seed, settings.discard_at)
