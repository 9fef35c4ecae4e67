# SPDX-License-Identifier: Apache-2.0
"""A host on the NIC of this workspace, a switch, and a host on an ixgb.

Question: does the driver run on the RTL, and how fast?
"""

from dataclasses import dataclass
from pathlib import Path

from longhaul.settings import Choice, Count, Text, as_in, setting, with_default
from longhaul.testbeds import traffic
from longhaul.testbeds.opteron_10g import HostSettings
from longhaul.topology import Scenario, Switch, machines, nics
from longhaul.types import adapters
from longhaul.units import Rate, Size, Time

ADAPTER = "mynic"  # block.name in mynic.toml


@dataclass(frozen=True, kw_only=True)
class NicSettings:
    """The settings: `--set NAME=VALUE` changes one, and a sweep goes over their values."""

    direction: str = setting(
        Choice(("out", "in")), "out", help="whether the NIC's host sends or receives", source="both"
    )
    mtu: int = setting(
        Count(68, 9000, "B"), "1500", help="MTU of both hosts", source="every driver takes it"
    )
    workload: str = setting(
        Text(),
        "ping",
        help=f"what the sender runs: {', '.join(traffic.WORKLOADS)}, or a command line",
        source="the first thing that a driver has to do",
    )
    window: Size = with_default(
        HostSettings, "window", "256KiB", evidence="chosen", source="more than the cables hold"
    )
    duration: Time = with_default(
        HostSettings, "duration", "20ms", evidence="chosen", source="RTL takes its time"
    )
    warmup: Time = with_default(
        HostSettings, "warmup", "5ms", evidence="chosen", source="RTL takes its time"
    )
    serve: str = as_in(HostSettings, "serve")
    ip: str = as_in(HostSettings, "ip")
    streams: int = as_in(HostSettings, "streams")
    rate: Rate = as_in(HostSettings, "rate")
    congestion: str = as_in(HostSettings, "congestion")
    adv_win_scale: int = as_in(HostSettings, "adv_win_scale")


QUESTION = "Does the driver run on the RTL?"
SETTINGS = NicSettings


def build(settings: NicSettings, seed: int) -> Scenario:
    """The NIC's host, the switch and the other host."""
    adapter = adapters.find(ADAPTER)
    scenario = Scenario(Path(__file__).parent.name, seed=seed)
    nic = nics.adapter(ADAPTER, mtu=settings.mtu)
    own = scenario.add(machines.opteron_hdama("own", nic=nic, **machines.SLOTS[adapter.slot]))
    peer = scenario.add(machines.opteron_hdama("peer", nic=nics.ixgb(mtu=settings.mtu)))
    switch = scenario.add(Switch(name="switch", ports=2))
    scenario.link(own.port("eth0"), switch.port("p0"), name="line", phy=adapter.phy)
    scenario.link(switch.port("p1"), peer.port("eth0"), name="uplink", phy="10gbase-r")
    ends = (own, peer) if settings.direction == "out" else (peer, own)
    scenario.run_workload(traffic.workload(settings, *ends))
    return scenario
