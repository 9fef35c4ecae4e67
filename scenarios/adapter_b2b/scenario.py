# SPDX-License-Identifier: Apache-2.0
"""Two PCs with any adapter under its Linux driver, a box between.

Question: what does an adapter carry, and what stops it? The adapter is one of `./longhaul types`,
of a plug-in too. It sits in the bus that it is made for, and Linux' unmodified driver runs it.
A box of that list may sit in the cable; `--param box.NAME=VALUE` sets its parameters.
"""

from dataclasses import dataclass

from longhaul import types
from longhaul.errors import LonghaulError
from longhaul.settings import Choice, Count, Text, as_in, setting, with_default
from longhaul.testbeds import traffic
from longhaul.testbeds.opteron_10g import HostSettings
from longhaul.topology import Box, Machine, Scenario, machines, nics
from longhaul.types import Type
from longhaul.types import adapters as adapter_types
from longhaul.units import Rate, Size, Time


@dataclass(frozen=True, kw_only=True)
class AdapterSettings:
    """Settings of the two hosts and their workload; both hosts are alike."""

    adapter: str = setting(
        Text(),
        "ixgb",
        help=f"adapter of both hosts: {', '.join(types.names('adapter'))}, or one of a plug-in",
        source="the first one",
    )
    machine: str = setting(
        Choice(machines.names()),
        "opteron_hdama",
        help="preset of both hosts; the clock of its bus is the adapter's",
        source="OPTERON-10G's PC",
    )
    mtu: int = setting(
        Count(68, 65535, "B"),
        "1500",
        help="MTU of both hosts, within what the driver takes (./longhaul types ADAPTER)",
        source="every driver takes it",
    )
    box: str = setting(
        Text(),
        "",
        help="box in the cable, with ports west (the sender's) and east: delay_box, gilbert, "
        "frame_injector or one of a plug-in",
        source="none: a cable",
    )
    window: Size = with_default(
        HostSettings, "window", "256KiB", evidence="chosen", source="more than a cable holds"
    )
    workload: str = as_in(HostSettings, "workload")
    serve: str = as_in(HostSettings, "serve")
    ip: str = as_in(HostSettings, "ip")
    duration: Time = as_in(HostSettings, "duration")
    warmup: Time = as_in(HostSettings, "warmup")
    streams: int = as_in(HostSettings, "streams")
    rate: Rate = as_in(HostSettings, "rate")
    congestion: str = as_in(HostSettings, "congestion")
    adv_win_scale: int = as_in(HostSettings, "adv_win_scale")


QUESTION = "What limits a host?"
SETTINGS = AdapterSettings
QUICK = ("duration=100ms",)


def build(settings: AdapterSettings, seed: int) -> Scenario:
    """Sender, cable, perhaps a box, and receiver."""
    adapter = adapter_types.find(settings.adapter)
    traffic.check_mtu(settings)
    traffic.check_driver_mtu(settings.mtu, adapter.name, adapter.linux_driver)
    scenario = Scenario("adapter_b2b", seed=seed)
    sender, receiver = (_host(scenario, name, settings, adapter) for name in ("sender", "receiver"))
    if settings.box:
        box = scenario.add(Box(name="box", type=settings.box, one_way_delay=Time(0)))
        scenario.link(sender.port("eth0"), box.port("west"), name="cable", phy=adapter.phy)
        scenario.link(box.port("east"), receiver.port("eth0"), name="far_cable", phy=adapter.phy)
    else:
        scenario.link(sender.port("eth0"), receiver.port("eth0"), name="cable", phy=adapter.phy)
    scenario.run_workload(traffic.workload(settings, sender, receiver))
    return scenario


def _host(scenario: Scenario, name: str, settings: AdapterSettings, adapter: Type) -> Machine:
    slot = machines.SLOTS.get(adapter.slot)
    if slot is None:
        raise LonghaulError(
            f"the adapter {adapter.name!r} names the slot {adapter.slot!r}, "
            f"which is none of {', '.join(machines.SLOTS)}"
        )
    nic = nics.adapter(adapter.name, mtu=settings.mtu)
    return scenario.add(machines.from_preset(settings.machine, name, nic=nic, **slot))
