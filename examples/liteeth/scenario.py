# SPDX-License-Identifier: Apache-2.0
"""A host on LiteEth's MAC, a cable or a switch, and a host on an e1000, an ixgb or another LiteEth.

Question: how fast is a core that the processor moves every byte of?
"""

from dataclasses import dataclass

from longhaul.settings import Choice, Count, Text, as_in, setting, with_default
from longhaul.testbeds import traffic
from longhaul.testbeds.opteron_10g import HostSettings
from longhaul.topology import Scenario, Switch, machines, nics
from longhaul.types import adapters
from longhaul.units import Rate, Size, Time

ADAPTER = "liteeth"  # block.name in liteeth.toml
PEERS = {"e1000": nics.e1000, "ixgb": nics.ixgb, ADAPTER: None}


@dataclass(frozen=True, kw_only=True)
class LiteethSettings:
    """The settings: `--set NAME=VALUE` changes one, and a sweep goes over their values."""

    peer: str = setting(
        Choice(tuple(PEERS)),
        "e1000",
        help="adapter of the other host; an ixgb is behind a switch",
        source="an adapter that is measured as a whole",
    )
    direction: str = setting(
        Choice(("out", "in")), "out", help="whether LiteEth's host sends or receives", source="both"
    )
    mtu: int = setting(
        Count(68, 1500, "B"), "1500", help="MTU of both hosts", source="the driver's largest"
    )
    workload: str = setting(
        Text(),
        "ping",
        help=f"what the sender runs: {', '.join(traffic.WORKLOADS)}, or a command line",
        source="the first thing that a driver has to do",
    )
    window: Size = with_default(
        HostSettings, "window", "64KiB", evidence="chosen", source="more than the slots hold"
    )
    duration: Time = with_default(
        HostSettings, "duration", "100ms", evidence="chosen", source="RTL takes its time"
    )
    warmup: Time = with_default(
        HostSettings, "warmup", "20ms", evidence="chosen", source="RTL takes its time"
    )
    serve: str = as_in(HostSettings, "serve")
    ip: str = as_in(HostSettings, "ip")
    streams: int = as_in(HostSettings, "streams")
    rate: Rate = as_in(HostSettings, "rate")
    congestion: str = as_in(HostSettings, "congestion")
    adv_win_scale: int = as_in(HostSettings, "adv_win_scale")


QUESTION = "How fast is a core that the processor moves every byte of?"
SETTINGS = LiteethSettings


def build(settings: LiteethSettings, seed: int) -> Scenario:
    """LiteEth's host, the other host, and what is between them."""
    phy = adapters.find(ADAPTER).phy
    scenario = Scenario("liteeth", seed=seed)
    own = scenario.add(machines.opteron_hdama("own", nic=nics.adapter(ADAPTER, mtu=settings.mtu)))
    card = PEERS[settings.peer]
    nic = card(mtu=settings.mtu) if card else nics.adapter(ADAPTER, mtu=settings.mtu)
    peer = scenario.add(machines.opteron_hdama("peer", nic=nic))
    if settings.peer == "ixgb":
        switch = scenario.add(Switch(name="switch", ports=2))
        scenario.link(own.port("eth0"), switch.port("p0"), name="line", phy=phy)
        scenario.link(switch.port("p1"), peer.port("eth0"), name="uplink")
    else:
        scenario.link(own.port("eth0"), peer.port("eth0"), name="line", phy=phy)
    ends = (own, peer) if settings.direction == "out" else (peer, own)
    scenario.run_workload(traffic.workload(settings, *ends))
    return scenario
