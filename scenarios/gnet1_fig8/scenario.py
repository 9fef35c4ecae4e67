# SPDX-License-Identifier: Apache-2.0
"""What does a sender do after a loss, in samples of 20 us?

Question: does the sender go on, or pause, when one frame was lost, without delay and with 4 ms each
way? The paper saw Solaris 9 go on without delay, Linux 2.4.20 pause for 270 us after every 20 ms,
FreeBSD 5.1 for 320 us after every 1.8 ms. With 4 ms Solaris paused once, for 4.8 ms.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from longhaul.settings import with_default
from longhaul.testbeds import gnet1_modelled as testbed
from longhaul.testbeds import gnet1_watch
from longhaul.topology import Scenario
from longhaul.units import Time

QUESTION = "How does TCP send, in samples of 20 us?"
REPRODUCES = "GNET-1 figure 8"

DELAYS = ("0s", "4ms")


@dataclass(frozen=True, kw_only=True)
class FigureSettings(testbed.LossSettings):
    """Settings of hosts, box and loss."""

    discard_at: Time = with_default(
        testbed.LossSettings,
        "discard_at",
        "100ms",
        source="the sampler's 0.33 s are what is asked for",
    )
    duration: Time = with_default(
        testbed.LossSettings, "duration", "500ms", source="the sampler's memory is full by then"
    )


SETTINGS = FigureSettings
evaluate = gnet1_watch.evaluate


def cases(given: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the systems and delays that the settings given leave open."""
    return [
        (*system, f"delay={delay}")
        for delay in DELAYS
        if given.get("delay", delay) == delay
        for system in testbed.systems(given)
    ]


def build(settings: FigureSettings, seed: int) -> Scenario:
    """Sender, box and receiver in a line, and what is asked of the box."""
    return testbed.across("gnet1_fig8", settings, seed, settings.discard_at)
