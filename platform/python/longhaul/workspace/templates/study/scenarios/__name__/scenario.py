# SPDX-License-Identifier: Apache-2.0
"""One TCP stream between two modelled PCs, through a delay box.

Question: which window does a path need before something else than the window limits it?
"""

from dataclasses import dataclass
from pathlib import Path

from longhaul.boxes.delay_box import DelayBox
from longhaul.settings import Choice, Quantities, setting
from longhaul.topology import Iperf, Scenario, System, machines, nics
from longhaul.types import names
from longhaul.units import Size, Time, gib, ms, ps, s


@dataclass(frozen=True, kw_only=True)
class StudySettings:
    """The settings: `--set NAME=VALUE` changes one, and a sweep goes over their values."""

    rtt: Time = setting(
        Quantities(ps(0), ms(800), "ms"),
        "10ms",
        help="round-trip time that the delay box adds",
        source="as an example",
    )
    window: Size = setting(
        Quantities(Size(4096), gib(1), "KiB"),
        "1MiB",
        help="socket buffers of both ends",
        source="as an example",
    )
    system: str = setting(
        Choice(names("system")),
        "linux-6.1",
        help="operating system of both hosts, a model",
        source="Debian 12's",
    )
    duration: Time = setting(
        Quantities(ms(1), s(100), "ms"),
        "300ms",
        help="measured window",
        source="thirty round trips",
    )
    warmup: Time = setting(
        Quantities(ps(0), s(100), "ms"),
        "200ms",
        help="simulated time before the measured window",
        source="TCP's slow start is over by then",
    )


QUESTION = "Which window does a long path need?"
SETTINGS = StudySettings


def build(settings: StudySettings, seed: int) -> Scenario:
    """Sender, delay box and receiver in a line."""
    scenario = Scenario(Path(__file__).parent.name, seed=seed)
    sender, receiver = (
        scenario.add(
            machines.opteron_hdama(name, nic=nics.ixgb(), system=System(profile=settings.system))
        )
        for name in ("sender", "receiver")
    )
    box = scenario.add(DelayBox(name="box", one_way_delay=settings.rtt / 2))
    scenario.link(sender.port("eth0"), box.port("west"))
    scenario.link(box.port("east"), receiver.port("eth0"))
    scenario.run_workload(
        Iperf(
            sender=sender,
            receiver=receiver,
            duration=settings.duration,
            warmup=settings.warmup,
            window=settings.window,
        )
    )
    return scenario
