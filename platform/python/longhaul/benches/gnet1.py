# SPDX-License-Identifier: Apache-2.0
"""GNET-1's bench: two equal dual-Xeon PCs with Intel PRO/1000 on fibre."""

from __future__ import annotations

from dataclasses import dataclass

from longhaul.benches import traffic
from longhaul.benches.traffic import workload
from longhaul.settings import (
    Choice,
    Count,
    Flag,
    Number,
    Quantities,
    RingPair,
    Rings,
    Text,
    WorkloadName,
    setting,
)
from longhaul.topology import Machine, Scenario, machines, nics
from longhaul.units import Frequency, Rate, Size, Time, gib, mhz, ms, ps, s

__all__ = ["PHY", "HostSettings", "add_hosts", "workload"]

BENCH = "GNET-1, evaluation"
LINUX_24 = f"{BENCH}: Linux 2.4"
DRIVER = "Linux 6.1 drivers/net/ethernet/intel/e1000 and its e1000.rst"
PHY = "1000base-x"  # the box's ports are 1000BASE-SX

_PCIX_CLOCK = {66: Frequency(66_666_667), 100: mhz(100), 133: Frequency(133_333_333)}
_BUS = {66: "pcix-66", 100: "pcix-100", 133: "pcix-133"}


@dataclass(frozen=True, kw_only=True)
class HostSettings:
    """What can be set on the two hosts and their workload; both hosts are alike."""

    workload: str = setting(
        WorkloadName(traffic.WORKLOADS),
        "iperf",
        help="what runs; a command line runs at the sender, with $LH_PEER as the receiver",
        source=f"{BENCH}: iperf",
    )
    serve: str = setting(
        Text(),
        "",
        help="for a command line: what runs at the receiver meanwhile",
        source="none: nothing has to run",
    )
    ip: str = setting(Choice(("v4", "v6")), "v4", help="IP version", source=LINUX_24)
    mtu: int = setting(
        Count(nics.E1000_LEAST_MTU, nics.E1000_LARGEST_MTU, "B"),
        "1500",
        help="MTU of both hosts, 1280 at least for IPv6",
        source=f"{BENCH}: frames of 1526 B with preamble",
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
        source="iperf's average has no warm-up",
    )
    window: Size = setting(
        Quantities(Size(4096), gib(1), "MiB"),
        "2MiB",
        help="socket memory asked for at both ends (iperf -w); Linux doubles it",
        evidence="datasheet",
        source=f"{BENCH}, single discard: 2 MB socket buffers",
    )
    streams: int = setting(
        Count(1, 128, "connections"), "1", help="parallel TCP connections", source=BENCH
    )
    rate: Rate = setting(
        Quantities(Rate(10**4), Rate(10**9), "Gb/s"),
        "500Mb/s",
        help="rate offered by the udp workload",
        source="half the line",
    )
    congestion: str = setting(
        Choice(traffic.CONGESTION),
        "reno",
        help="TCP congestion control of both hosts",
        source="Linux 2.4 had no other",
    )
    adv_win_scale: int = setting(
        Count(1, 8),
        "2",
        help="tcp_adv_win_scale of both hosts: 1 / 2^n of a receiving socket's memory is overhead, "
        "the rest window",
        source="tcp(7): default of Linux 2.4; Linux 6.1's is 1",
    )
    tso: bool = setting(
        Flag(),
        "off",
        help="TCP segmentation offload",
        source="Linux 2.4's TCP had none; on is Linux 6.1's default",
    )
    gso: bool = setting(
        Flag(), "off", help="generic segmentation offload", source=f"{LINUX_24} had none"
    )
    gro: bool = setting(
        Flag(), "off", help="generic receive offload", source=f"{LINUX_24} had none"
    )
    rx_int_delay: Time = setting(
        Quantities(ps(0), nics.E1000_DELAY_STEP * 65535, "us"),
        "0s",
        help="receive interrupt delay (RDTR), rounded to steps of 1.024 us",
        evidence="datasheet",
        source=f"{DRIVER}: default",
    )
    interrupt_rate: str = setting(
        Choice(("off", "dynamic", "conservative")),
        "conservative",
        help="interrupt throttling (ITR): the driver's own modes",
        evidence="datasheet",
        source=f"{DRIVER}: InterruptThrottleRate, default 3",
    )
    flow_control: bool = setting(
        Flag(),
        "off",
        help="PAUSE frames in both directions",
        source="GNET-1 has none: its ports neither send nor obey them",
    )
    link_partner: str = setting(
        Choice(("alike", "no-pause", "silent")),
        "alike",
        help="what the far end of each cable says in negotiation",
        source="models/nic/e1000/README.md#link",
    )
    rings: RingPair = setting(
        Rings(rx_most=4096, tx_most=4096),
        "256/256",
        help="receive/transmit descriptors, 80 at least",
        evidence="datasheet",
        source=f"{DRIVER}: defaults and limits",
    )
    pcix_mhz: int = setting(
        Count(choices=tuple(_PCIX_CLOCK)),
        "133",
        help="PCI-X clock",
        source="platform/config/machines/xeon_533.toml",
    )
    cpu_ghz: float = setting(
        Number(0.1, 10, "GHz"),
        "2.4",
        help="clock of both hosts' CPU",
        evidence="datasheet",
        source=f"{BENCH}: Xeon 2.4 GHz",
    )


def add_hosts(scenario: Scenario, settings: HostSettings) -> tuple[Machine, Machine]:
    """Add sender and receiver; their ports are joined by cables of kind PHY."""
    traffic.check_mtu(settings)
    # The 82545's driver segments IPv4 only (see opteron_10g).
    segmented_below = settings.gso or (settings.tso and settings.ip == "v4")

    def host(name: str) -> Machine:
        nic = nics.e1000(
            mtu=settings.mtu,
            tso=settings.tso,
            gso=settings.gso,
            gro=settings.gro,
            gso_max_segs=None if segmented_below else 1,
            rx_ring=settings.rings.rx,
            tx_ring=settings.rings.tx,
            rx_int_delay=settings.rx_int_delay,
            interrupt_rate=settings.interrupt_rate,
            flow_control=settings.flow_control,
            link_partner=settings.link_partner,
            params={"bus": _BUS[settings.pcix_mhz]},
        )
        return scenario.add(
            machines.xeon_533(
                name,
                nic=nic,
                cpu_clock=Frequency(round(settings.cpu_ghz * 1e9)),
                pcix_clock=_PCIX_CLOCK[settings.pcix_mhz],
            )
        )

    return host("sender"), host("receiver")
