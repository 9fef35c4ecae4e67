# SPDX-License-Identifier: Apache-2.0
"""GNET-1's bench: two equal Xeons with a gigabit adapter each, and a box of delay between them.

The adapters are Intel's, which the paper had for its other figures. Its SK-9843s raise an interrupt
for each frame that comes in (Linux 2.4 drivers/net/sk98lin/skge.c), so theirs are not moderated.
"""

from __future__ import annotations

from dataclasses import dataclass

from longhaul.settings import Choice, Count, Quantities, setting
from longhaul.topology import (
    Box,
    Gnet1,
    Iperf,
    KernelTcp,
    Machine,
    Nistnet,
    Ping,
    Scenario,
    Workload,
    machines,
    nics,
)
from longhaul.units import Size, Time, ms, ps, s

PAPER = "GNET-1 section 3"
# Linux 2.4, Documentation/networking/ip-sysctl.txt: defaults of tcp_rmem, tcp_wmem and
# tcp_adv_win_scale. A quarter of the receive buffer is overhead; 65535 of 87380 bytes are window.
# The most of tcp_wmem was 131072 bytes, which held 59 segments as 2.4 charged them (2.2 KB), more
# than the window; Linux 6.1 charges 3.5 KB, so as many take 208 KB.
RMEM = (4096, 87380, 174760)
WMEM = (4096, 16384, 212992)
ADV_WIN_SCALE = 2
# Linux 2.4 net/ipv4/tcp_input.c, tcp_init_cwnd(): 3 segments of 1096 to 1460 bytes.
INITCWND = 3
# A connection that ends in congestion avoidance leaves its route half of its congestion window as
# threshold, at least (there, tcp_update_metrics()): of the 44 segments of 1448 bytes that a window
# of 65535 bytes has under way on the average.
REMEMBERED_SSTHRESH = 22


@dataclass(frozen=True, kw_only=True)
class HostSettings:
    """What can be set on the two hosts and on the box; both hosts are alike."""

    box: str = setting(
        Choice(("gnet1", "nistnet")),
        "gnet1",
        help="what delays: the FPGA box, or a PC with NIST Net",
        source=f"{PAPER}: table 1 has both",
    )
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
        source=f"{PAPER}, table 1: 0 to 100 ms, what the memory holds at 1 Gb/s",
    )
    workload: str = setting(
        Choice(("iperf", "ping")),
        "iperf",
        help="iperf after three echoes, or echoes alone",
        source=f"{PAPER}: ping and Iperf",
    )
    duration: Time = setting(
        Quantities(ms(1), s(3600), "s"),
        "10s",
        help="simulated time measured, from the first user data that reaches the receiver",
        source="Iperf 1.1.1: -t is 10 s by default",
    )
    congestion: str = setting(
        Choice(("highspeed", "reno", "cubic")),
        "highspeed",
        help="TCP congestion control of both hosts",
        evidence="datasheet",
        source="of Linux 6.1's, below 38 segments, the Reno of Linux 2.4, which counts ACKs "
        "(docs/gnet1_table1.md)",
    )
    remembered: str = setting(
        Choice(("auto", "on", "off")),
        "auto",
        help=f"begin with a slow start threshold of {REMEMBERED_SSTHRESH} segments, as Linux 2.4 "
        "remembers it of earlier connections; auto: with GNET-1",
        evidence="fitted",
        source="GNET-1 table 1: start-up's cost in both columns (docs/gnet1_table1.md)",
    )
    rcvbuf: Size = setting(
        Quantities(Size(4096), Size(2**30), "KiB"),
        f"{RMEM[1]}B",
        help="receive buffer of a socket that asks for none; three quarters of it are window",
        evidence="datasheet",
        source="Linux 2.4 ip-sysctl.txt: default of tcp_rmem",
    )
    mtu: int = setting(
        Count(1280, 1500, "B"), "1500", help="MTU of both hosts", source=f"{PAPER}: Ethernet"
    )


def add_hosts(scenario: Scenario, settings: HostSettings) -> tuple[Machine, Machine]:
    """Add sender and receiver."""

    def host(name: str) -> Machine:
        nic = nics.e1000(
            mtu=settings.mtu,
            tso=False,
            gso=False,
            gro=False,
            gso_max_segs=1,
            rx_int_delay=ps(0),
            rx_abs_int_delay=ps(0),
            interrupt_rate="off",
            flow_control=False,
            link_partner="no-pause",
        )
        return scenario.add(machines.xeon_533(name, nic=nic))

    return host("sender"), host("receiver")


def add_box(scenario: Scenario, settings: HostSettings) -> tuple[Box, str, str]:
    """Add the box; return it with its ports on the sender's and on the receiver's side."""
    if settings.box == "nistnet":
        return scenario.add(Nistnet(name="nistnet", one_way_delay=settings.delay)), "west", "east"
    box = Gnet1(name="gnet1", one_way_delay=settings.delay, model=settings.model)
    return scenario.add(box), "p0", "p1"


def workload(settings: HostSettings, sender: Machine, receiver: Machine) -> Workload:
    """Return what the settings say runs, with the TCP of the paper's kernel."""
    if settings.workload == "ping":
        return Ping(sender=sender, receiver=receiver, duration=settings.duration)
    remembered = settings.remembered == "on" or (
        settings.remembered == "auto" and settings.box == "gnet1"
    )
    kernel = KernelTcp(
        rmem=(RMEM[0], settings.rcvbuf.bytes, max(RMEM[2], 2 * settings.rcvbuf.bytes)),
        wmem=WMEM,
        moderate_rcvbuf=False,  # since Linux 2.6.7
        initcwnd=INITCWND,
        ssthresh=REMEMBERED_SSTHRESH if remembered else None,
    )
    return Iperf(
        sender=sender,
        receiver=receiver,
        duration=settings.duration,
        window=None,
        congestion=settings.congestion,
        adv_win_scale=ADV_WIN_SCALE,
        kernel=kernel,
    )
