# SPDX-License-Identifier: Apache-2.0
"""A host under the driver of this workspace, a cable, and a host under Linux's own driver.

Question: does the driver run on the adapter, and how fast?
"""

from dataclasses import dataclass
from pathlib import Path

from longhaul.guest.software import GuestSoftware
from longhaul.settings import Choice, Count, Text, as_in, setting, with_default
from longhaul.testbeds import traffic
from longhaul.testbeds.opteron_10g import HostSettings
from longhaul.topology import Scenario, machines, nics
from longhaul.types import adapters
from longhaul.units import Rate, Size, Time

ADAPTER = "e1000"  # `longhaul types e1000` has its boards: 82545em-fiber without another word
DRIVER = Path(__file__).parents[2] / "driver"


@dataclass(frozen=True, kw_only=True)
class DriverSettings:
    """The settings: `--set NAME=VALUE` changes one, and a sweep goes over their values."""

    direction: str = setting(
        Choice(("out", "in")), "out", help="whether the own host sends or receives", source="both"
    )
    mtu: int = setting(
        Count(68, 16110, "B"), "1500", help="MTU of both hosts", source="every driver takes it"
    )
    workload: str = setting(
        Text(),
        "ping",
        help=f"what the sender runs: {', '.join(traffic.WORKLOADS)}, or a command line",
        source="the first thing that a driver has to do",
    )
    window: Size = with_default(
        HostSettings, "window", "256KiB", evidence="chosen", source="more than the cable holds"
    )
    duration: Time = with_default(
        HostSettings, "duration", "100ms", evidence="chosen", source="as an example"
    )
    warmup: Time = with_default(
        HostSettings, "warmup", "20ms", evidence="chosen", source="as an example"
    )
    serve: str = as_in(HostSettings, "serve")
    ip: str = as_in(HostSettings, "ip")
    streams: int = as_in(HostSettings, "streams")
    rate: Rate = as_in(HostSettings, "rate")
    congestion: str = as_in(HostSettings, "congestion")
    adv_win_scale: int = as_in(HostSettings, "adv_win_scale")


QUESTION = "Does the driver run on the adapter?"
SETTINGS = DriverSettings


def build(settings: DriverSettings, seed: int) -> Scenario:
    """The host with the own driver, a cable, the host with Linux's."""
    adapter = adapters.find(ADAPTER)
    scenario = Scenario(Path(__file__).parent.name, seed=seed)
    nic, slot = nics.adapter(ADAPTER, mtu=settings.mtu), machines.SLOTS[adapter.slot]
    own = scenario.add(machines.opteron_hdama("own", nic=nic, **slot))
    scenario.give("own", GuestSoftware(modules=(DRIVER,)))
    peer = scenario.add(machines.opteron_hdama("peer", nic=nic, **slot))
    scenario.link(own.port("eth0"), peer.port("eth0"), name="line", phy=adapter.phy)
    ends = (own, peer) if settings.direction == "out" else (peer, own)
    scenario.run_workload(traffic.workload(settings, *ends))
    return scenario
