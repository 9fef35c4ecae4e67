# SPDX-License-Identifier: Apache-2.0
"""OPTERON-10G's testbed: two equal Opteron PCs with Intel PRO/10GbE, two switches between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from longhaul import types
from longhaul.settings import (
    Choice,
    Count,
    CountOr,
    Flag,
    Number,
    Quantities,
    RingPair,
    Rings,
    Text,
    WorkloadName,
    setting,
)
from longhaul.testbeds import modelled, traffic
from longhaul.testbeds.opteron_cards import BY_ADAPTER, CARDS, DEFAULT, ON_IXGB
from longhaul.testbeds.traffic import workload
from longhaul.topology import Machine, Scenario, Switch, machines, nics
from longhaul.units import Frequency, Rate, Size, Time, ghz, gib, mhz, ms, ps, s

__all__ = ["HostSettings", "add_hosts", "add_switches", "workload"]

SECTION = "OPTERON-10G 2.1"
LINUX_266 = "OPTERON-10G 2.1: Linux 2.6.6"
DRIVER = "Linux 6.1 drivers/net/ethernet/intel/ixgb and its ixgb.rst"
FABRIC_MTU = 9198  # largest MTU of the MG8: OPTERON-10G 2.1
FRAME_OVERHEAD = 14 + 4  # Ethernet header and FCS, bytes

_IXGB = types.linux_driver("ixgb")
_PCIX_133 = Frequency(133_333_333)
# PCI-X 2.0 keeps the clock and moves several words in it; the board's bridge does not know it.
_PCIX: Mapping[int, machines.Changes] = {
    66: {"pcix_clock": Frequency(66_666_667)},
    100: {"pcix_clock": mhz(100)},
    133: {"pcix_clock": _PCIX_133},
    266: {"pcix_clock": _PCIX_133, "pcix_subphases": 2, "bridge": "amd8132"},
    533: {"pcix_clock": _PCIX_133, "pcix_subphases": 4, "bridge": "amd8132"},
}


@dataclass(frozen=True, kw_only=True)
class HostSettings:
    """Settings of the two hosts and their workload; both hosts are alike."""

    card: str = setting(
        Choice(tuple(CARDS)),
        DEFAULT,
        help="adapter of both hosts: Intel PRO/10GbE, Chelsio N110 or T110",
        evidence="measured",
        source=f"{SECTION}: Intel PRO/10GbE SR",
    )
    system: str = setting(
        Choice(modelled.SYSTEMS),
        modelled.GUEST,
        help=modelled.HELP,
        source="the unmodified driver; modelled systems are faster, and of the papers' time",
    )
    workload: str = setting(
        WorkloadName(traffic.WORKLOADS),
        "iperf",
        help="what runs; a command line runs at the sender, with $LH_PEER as the receiver",
        source=f"{SECTION}: Iperf",
    )
    serve: str = setting(
        Text(),
        "",
        help="for a command line: what runs at the receiver meanwhile",
        source="none: nothing has to run",
    )
    ip: str = setting(Choice(("v4", "v6")), "v4", help="IP version", source="OPTERON-10G table 2")
    mtu: int = setting(
        Count(_IXGB.least_mtu, _IXGB.largest_mtu, "B"),
        "9198",
        help="MTU of both hosts, 1280 at least for IPv6; beyond 9198 the switches carry it too",
        source=f"{SECTION}: the MG8's largest",
    )
    duration: Time = setting(
        Quantities(ms(1), s(3600), "s"),
        "1s",
        help="simulated time measured, from the first user data that reaches the receiver",
        source="short enough to wait for",
    )
    warmup: Time = setting(
        Quantities(ps(0), s(3600), "s"),
        "0s",
        help="traffic before the measured time, left out of all figures",
        source="Iperf's average has no warm-up",
    )
    window: Size = setting(
        Quantities(Size(4096), gib(1), "MiB"),
        "10MB",
        help="socket memory asked for at both ends (iperf -w); Linux doubles it, to 2 GiB at most; "
        "doubled, 2.7 x rate x round-trip time fills a path (docs/opteron_10g.md)",
        evidence="measured",
        source="OPTERON-10G table 2, memory of the IXGB rows",
    )
    streams: int = setting(
        Count(1, 128, "connections"),
        "1",
        help="parallel TCP connections",
        source="OPTERON-10G: one stream",
    )
    rate: Rate = setting(
        Quantities(Rate(10**4), Rate(10**10), "Gb/s"),
        "1Gb/s",
        help="rate offered by the udp workload",
        source="a load that one CPU carries",
    )
    congestion: str = setting(
        Choice(traffic.CONGESTION),
        "reno",
        help="TCP congestion control of both hosts",
        source="tcp(7): in Linux 2.6.6 BIC was there and disabled, which leaves Reno",
    )
    adv_win_scale: int = setting(
        Count(1, 8),
        "2",
        help="tcp_adv_win_scale of both hosts: 1 / 2^n of a receiving socket's memory is overhead, "
        "the rest window",
        source="tcp(7): default of Linux 2.6; Linux 6.1's is 1",
    )
    tso: bool = setting(
        Flag(),
        "on",
        help="TCP segmentation offload; the N110 has none",
        evidence="measured",
        source=f"{SECTION}: TSO was used",
        only=ON_IXGB,
    )
    gso: bool = setting(
        Flag(),
        "off",
        help="generic segmentation offload",
        source=f"{LINUX_266} had none",
        only=modelled.ON_GUESTS,
    )
    gro: bool = setting(
        Flag(),
        "off",
        help="generic receive offload",
        source=f"{LINUX_266} had none",
        only=modelled.ON_GUESTS,
    )
    rx_int_delay: Time = setting(
        Quantities(ps(0), nics.IXGB_DELAY_STEP * 65535, "us"),
        "58982400ps",
        help="receive interrupt delay (RDTR), rounded to steps of 0.8192 us",
        evidence="datasheet",
        source=f"{DRIVER}: default 72 steps",
        only=ON_IXGB,
    )
    tx_int_delay: Time = setting(
        Quantities(ps(0), nics.IXGB_DELAY_STEP * 65535, "us"),
        "26214400ps",
        help="transmit interrupt delay (TIDV), rounded to steps of 0.8192 us",
        evidence="datasheet",
        source=f"{DRIVER}: default 32 steps",
        only=ON_IXGB,
    )
    rings: RingPair = setting(
        Rings(rx_most=512, tx_most=4096),
        "512/256",
        help="receive/transmit descriptors",
        evidence="datasheet",
        source=f"{DRIVER}: defaults and limits",
        only=ON_IXGB,
    )
    tx_queue_len: int = setting(
        Count(1, 10**6, "packets"),
        "1000",
        help="packets that may wait in a host ahead of its adapter's ring (txqueuelen)",
        evidence="datasheet",
        source="Linux 2.6, ether_setup(): 1000; guests limit themselves to less (TSQ)",
        only=modelled.ON_MODELS,
    )
    pcix_mhz: int = setting(
        Count(choices=tuple(_PCIX)),
        "133",
        help="PCI-X's clock; 266 and 533 are PCI-X 2.0 behind an AMD-8132",
        evidence="datasheet",
        source=SECTION,
    )
    mmrbc: int | None = setting(
        CountOr(choices=(512, 1024, 2048, 4096), word=BY_ADAPTER),
        BY_ADAPTER,
        help="PCI-X maximum memory read byte count; adapter: 512 of ixgb, 2048 of n110",
        evidence="datasheet",
        source="./longhaul types: firmware of the adapter",
    )
    outstanding: int | None = setting(
        CountOr(choices=(1, 2, 3, 4, 8, 12, 16, 32), word=BY_ADAPTER),
        BY_ADAPTER,
        help="PCI-X split transactions that the adapter may have outstanding; adapter: 3 of "
        "ixgb, 8 of n110",
        evidence="datasheet",
        source="./longhaul types: firmware of the adapter",
    )
    latency_timer: int = setting(
        Count(16, 255, "bus clocks"),
        "64",
        help="PCI-X latency timer (Linux raises values below 16 to 64)",
        evidence="standard",
        source="PCI-X 1.0: value after reset in PCI-X mode",
    )
    processors: int = setting(
        Count(1, 4, "processors"),
        "1",
        help="processors of a host; its programs run on the last one, its interrupts on the first",
        evidence="assumed",
        source=f"{SECTION}: dual Opteron; the text names the SMP kernel for another adapter only",
        only=modelled.ON_MODELS,
    )
    irqbalance: str = setting(
        Choice(tuple(modelled.IRQBALANCE)),
        modelled.OFF,
        help="who moves interrupts between processors: nobody, Linux 2.6's kernel thread, the "
        "program irqbalance, or the interrupt controller at each interrupt",
        source="cxgb.rst, Known Issues: an interrupt belongs to one processor",
        only=modelled.ON_MODELS,
    )
    cpu_ghz: float = setting(
        Number(0.1, 10, "GHz"),
        "2.2",
        help="clock of both hosts' CPU",
        evidence="datasheet",
        source=f"{SECTION}: Opteron 248",
    )


def add_hosts(
    scenario: Scenario, settings: HostSettings, names: tuple[str, str] = ("sender", "receiver")
) -> tuple[Machine, Machine]:
    """Add two hosts, a sender and a receiver unless they are called otherwise."""
    traffic.check_mtu(settings)
    card = CARDS[settings.card]
    driver = types.linux_driver(card.adapter)
    traffic.check_driver_mtu(settings.mtu, settings.card, driver)

    def host(name: str) -> Machine:
        changes: machines.Changes = {
            **_PCIX[settings.pcix_mhz],
            "cpu_clock": ghz(settings.cpu_ghz),
            "mmrbc": settings.mmrbc or card.mmrbc,
            "outstanding": settings.outstanding or card.outstanding,
            "latency_timer": settings.latency_timer,
            "system": modelled.system(
                settings,
                driver=card.driver(settings),
                adv_win_scale=settings.adv_win_scale,
                tx_queue_len=settings.tx_queue_len,
                processors=settings.processors,
                irqbalance=settings.irqbalance,
            ),
        }
        return scenario.add(machines.opteron_hdama(name, nic=card.nic(settings), **changes))

    return host(names[0]), host(names[1])


def add_switches(scenario: Scenario, settings: HostSettings) -> tuple[Switch, Switch]:
    """Add the Fujitsu XG1200 at the sender's side and the Foundry MG8 at the receiver's."""
    larger = {"max_frame": settings.mtu + FRAME_OVERHEAD} if settings.mtu > FABRIC_MTU else {}
    xg1200 = scenario.add(Switch(name="xg1200", type="fujitsu_xg1200", ports=12, params=larger))
    mg8 = scenario.add(Switch(name="mg8", type="foundry_mg8", ports=8, params=larger))
    return xg1200, mg8
