# SPDX-License-Identifier: Apache-2.0
"""GNET-1's testbed: two equal dual-Xeon PCs with a gigabit adapter each, and a box between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from longhaul.boxes.gnet1 import Gnet1
from longhaul.parts.machine import Nic
from longhaul.parts.part import ParamValue
from longhaul.settings import (
    Choice,
    ChoiceOrCount,
    Count,
    Flag,
    Number,
    Quantities,
    RingPair,
    Rings,
    setting,
)
from longhaul.testbeds import linux24, traffic
from longhaul.topology import Box, Machine, Scenario, machines, nics
from longhaul.units import Frequency, Size, Time, ghz, mb, ms, ps, s

PAPER = "GNET-1"
DRIVER = "Linux 6.1 drivers/net/ethernet/intel/e1000 and its e1000.rst"
INTEL, SYSKONNECT = "82545em", "sk-9843"
OF_INTEL = {"adapter": (INTEL,)}
PCI_66 = Frequency.parse("66.666667MHz")
PHY = "1000base-x"  # the box's ports are 1000BASE-SX
OF_TCP = {"workload": ("iperf",)}


@dataclass(frozen=True, kw_only=True)
class HostSettings:
    """Settings of the two hosts and on the box; both hosts are alike."""

    model: str = setting(
        Choice(("tlm", "rtl")),
        "tlm",
        help="GNET-1 as a transaction-level model, or as its RTL, clock by clock",
        source="the twin test holds them equal; the RTL takes longer",
    )
    delay: Time = setting(
        Quantities(ps(0), ms(100), "ms"),
        "0s",
        help="delay each way",
        evidence="measured",
        source=f"{PAPER} section 3: 0 to 100 ms, what the memory holds at 1 Gb/s",
    )
    duration: Time = setting(
        Quantities(ms(1), s(3600), "s"),
        "10s",
        help="simulated time measured, from the first user data that reaches the receiver",
        source="Iperf 1.1.1: -t is 10 s by default",
    )
    congestion: str = setting(
        Choice(traffic.CONGESTION),
        "reno",
        help="TCP congestion control of both hosts",
        source="Linux 2.4 had no other",
        only=OF_TCP,
    )
    adapter: str = setting(
        Choice((INTEL, SYSKONNECT)),
        INTEL,
        help="adapter of both hosts: Intel's PRO/1000 on PCI-X under e1000, or SysKonnect's on PCI "
        "at 66 MHz under skge",
        evidence="measured",
        source=f"{PAPER} table 2: Intel PRO/1000; table 1: SysKonnect SK-9843SX",
    )
    mtu: int = setting(
        Count(1280, 1500, "B"),
        "1500",
        help="MTU of both hosts",
        evidence="measured",
        source=f"{PAPER} section 4.2: frames of 1526 B with preamble",
    )
    tso: bool = setting(
        Flag(),
        "off",
        help="TCP segmentation offload",
        source="Linux 2.4's TCP had none; on is Linux 6.1's default",
        only=OF_TCP | OF_INTEL,
    )
    interrupt_rate: str | int = setting(
        ChoiceOrCount(tuple(nics.E1000_RATES), 100, 100_000, "interrupts/s"),
        "conservative",
        help="interrupt throttling: a limit, or one of the driver's own modes",
        evidence="datasheet",
        source=f"{DRIVER}: InterruptThrottleRate, default 3",
        only=OF_INTEL,
    )
    frames_per_ack: int = setting(
        Count(2, 28, "frames"),
        "2",
        help="frames of a burst that a receiver acknowledges at once; above two, by joining them "
        "(GRO) as far as gro_max_size lets it",
        source="RFC 1122, 4.2.3.2: every second full segment",
        only=OF_TCP,
    )
    sender_queue: str = setting(
        Choice(("kernel", "linux24")),
        "kernel",
        help="what may wait in a host ahead of its line: as Linux 6.1 has it, or a full ring and "
        f"{linux24.TX_QUEUE_LEN} packets more, without TSQ and BQL",
        source="Linux 6.1; 2.4's txqueuelen was 100, and nothing kept its rings short",
    )
    rings: RingPair = setting(
        Rings(rx_most=4096, tx_most=4096, least=80),
        "256/256",
        help="receive/transmit descriptors",
        evidence="datasheet",
        source=f"{DRIVER}: defaults and limits",
    )
    cpu_ghz: float = setting(
        Number(0.1, 10, "GHz"),
        "2.4",
        help="clock of both hosts' CPU",
        evidence="datasheet",
        source=f"{PAPER} tables 1 and 2: Xeon 2.4 GHz",
    )


@dataclass(frozen=True, kw_only=True)
class StreamSettings:
    """Settings of a stream through the box."""

    window: Size = setting(
        Quantities(Size(65536), mb(64), "MB"),
        "2MB",
        help="socket buffers that both programs ask for; Linux gives twice that",
        evidence="measured",
        source=f"{PAPER} table 2; Solaris' half of it filled the path up to 4.2 ms: 10^6 bytes",
    )
    warmup: Time = setting(
        Quantities(ps(0), s(60), "s"),
        "1s",
        help="from the first user data to the measured window",
        source="slow start by ACKs to a thousand segments takes some forty round trips",
    )


def add_hosts(scenario: Scenario, settings: HostSettings) -> tuple[Machine, Machine]:
    """Add sender and receiver, to be joined by cables of kind PHY.

    Neither sends nor obeys PAUSE, which the box does not know, and neither stack segments or joins
    by software, which Linux 2.4 could not.
    """

    conventional = settings.adapter == SYSKONNECT

    def host(name: str) -> Machine:
        machine = machines.xeon_533(
            name,
            nic=_syskonnect(settings) if conventional else _intel(settings),
            cpu_clock=ghz(settings.cpu_ghz),
            pcix_protocol="pci" if conventional else None,
            pcix_clock=PCI_66 if conventional else None,
        )
        return scenario.add(machine)

    return host("sender"), host("receiver")


def _intel(settings: HostSettings) -> Nic:
    return nics.e1000(
        mtu=settings.mtu,
        tso=settings.tso,
        gso=False,
        gro=settings.frames_per_ack > 2,
        gro_max_size=_gro_max_size(settings),
        tx_queue_len=_tx_queue_len(settings),
        byte_queue_limits=settings.sender_queue == "kernel",
        gso_max_segs=None if settings.tso else 1,
        rx_ring=settings.rings.rx,
        tx_ring=settings.rings.tx,
        rx_int_delay=ps(0),
        rx_abs_int_delay=ps(0),
        interrupt_rate=settings.interrupt_rate,
        flow_control=False,
        link_partner="no-pause",
    )


def _syskonnect(settings: HostSettings) -> Nic:
    return nics.genesis(
        mtu=settings.mtu,
        gro=settings.frames_per_ack > 2,
        gro_max_size=_gro_max_size(settings),
        tx_queue_len=_tx_queue_len(settings),
        rx_ring=settings.rings.rx,
        tx_ring=settings.rings.tx,
        link_partner="no-pause",
    )


def _tx_queue_len(settings: HostSettings) -> int | None:
    return linux24.TX_QUEUE_LEN if settings.sender_queue == "linux24" else None


def _gro_max_size(settings: HostSettings) -> int | None:
    """Return the least limit that lets GRO, which stays below it, join as many frames as wanted."""
    if settings.frames_per_ack <= 2:
        return None
    headers = linux24.SEGMENT_HEADERS
    return headers + settings.frames_per_ack * (settings.mtu - headers) + 1


def add_path(
    scenario: Scenario, settings: HostSettings, box: Box | None = None
) -> tuple[Machine, Machine, Box]:
    """Add sender, box (a GNET-1 unless one is given) and receiver in a line.

    The sender's cable ends at the box's first port, the receiver's at its second.
    """
    return join(scenario, settings, add_hosts(scenario, settings), box)


class BoxSettings(Protocol):
    """The GNET-1 that a testbed's settings describe."""

    @property
    def model(self) -> str: ...  # noqa: D102
    @property
    def delay(self) -> Time: ...  # noqa: D102


def gnet1(settings: BoxSettings, params: Mapping[str, ParamValue] | None = None) -> Gnet1:
    """Return the box as the settings say; `params` are more of its model's."""
    return Gnet1(
        name="gnet1",
        one_way_delay=settings.delay,
        model=settings.model,
        params=dict(params or {}),
    )


def join(
    scenario: Scenario, settings: BoxSettings, hosts: tuple[Machine, Machine], box: Box | None
) -> tuple[Machine, Machine, Box]:
    """Plug the sender into the first port of the box, the receiver into its second."""
    sender, receiver = hosts
    between = scenario.add(box or gnet1(settings))
    near, far = between.port_names()[:2]
    scenario.link(sender.port("eth0"), between.port(near), name="sender_link", phy=PHY)
    scenario.link(between.port(far), receiver.port("eth0"), name="receiver_link", phy=PHY)
    return sender, receiver, between
