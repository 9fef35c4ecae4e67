# SPDX-License-Identifier: Apache-2.0
"""Two PCs with real Linux and the adapter of this workspace, on a cable.

Question: does the unmodified Linux driver run on the model, and how fast?
"""

from dataclasses import dataclass
from pathlib import Path

from longhaul.settings import Quantities, setting
from longhaul.topology import Iperf, Scenario, machines, nics
from longhaul.types import adapters
from longhaul.units import Size, Time, gib, ms, ps, s

ADAPTER = "tc9021"  # the name of the type in adapter/tc9021_type.cc


@dataclass(frozen=True, kw_only=True)
class AdapterSettings:
    """The settings: `--set NAME=VALUE` changes one, and a sweep goes over their values."""

    window: Size = setting(
        Quantities(Size(4096), gib(1), "KiB"),
        "256KiB",
        help="socket buffers of both ends",
        source="more than the cable holds",
    )
    duration: Time = setting(
        Quantities(ms(1), s(100), "ms"),
        "100ms",
        help="measured window",
        source="as an example",
    )
    warmup: Time = setting(
        Quantities(ps(0), s(100), "ms"),
        "50ms",
        help="simulated time before the measured window",
        source="as an example",
    )


QUESTION = "Does the driver run on the adapter?"
SETTINGS = AdapterSettings


def build(settings: AdapterSettings, seed: int) -> Scenario:
    """Sender, cable and receiver; the bus is the one that the adapter is made for."""
    adapter = adapters.find(ADAPTER)
    scenario = Scenario(Path(__file__).parent.name, seed=seed)
    sender, receiver = (
        scenario.add(
            machines.opteron_hdama(name, nic=nics.adapter(ADAPTER), **machines.SLOTS[adapter.slot])
        )
        for name in ("sender", "receiver")
    )
    scenario.link(sender.port("eth0"), receiver.port("eth0"), phy=adapter.phy)
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
