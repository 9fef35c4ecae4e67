# SPDX-License-Identifier: Apache-2.0
"""Seconds from a lost frame to 120 MB/s, against delay.

Question: from which delay on does the loss of one frame cost seconds, under Solaris 9 and under
Linux 2.4.20, with socket buffers of 2 MB? The paper saw Solaris begin to need long beyond 4.2 ms
each way, and some 7 s at 4.7 ms.
"""

from collections.abc import Mapping

from longhaul.testbeds import gnet1_modelled as testbed
from longhaul.testbeds import gnet1_watch
from longhaul.testbeds.rows import listed, not_given
from longhaul.topology import Scenario

QUESTION = "What does TCP do after a loss?"
REPRODUCES = "GNET-1 figure 6"

# Each delay of a system with time to recover in. Under Linux the sender's queue ends slow start:
# the longer the delay, the later its rate is full.
POINTS: dict[str, dict[str, tuple[str, ...]]] = {
    "solaris-9": {
        **{delay: ("duration=1s",) for delay in ("0s", "2ms", "4ms", "4.2ms")},
        **{"4.3ms": ("duration=4s",), "4.5ms": ("duration=8s",), "4.7ms": ("duration=10s",)},
    },
    "linux-2.4.20": {
        "0s": ("duration=1s",),
        "2ms": ("discard_at=6s", "duration=12s"),
        "4ms": ("discard_at=25s", "duration=40s"),
    },
}

SETTINGS = testbed.LossSettings
evaluate = gnet1_watch.evaluate


def cases(given: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the points that the settings given leave open."""
    return [
        (f"system={system}", f"delay={delay}", *not_given(given, points.get(delay, ())))
        for system, points in POINTS.items()
        if given.get("system", system) == system
        for delay in listed(SETTINGS, given, "delay", points)
    ]


def build(settings: testbed.LossSettings, seed: int) -> Scenario:
    """Sender, box and receiver in a line, and what is asked of the box."""
    return testbed.across("gnet1_fig6", settings, seed, settings.discard_at)
