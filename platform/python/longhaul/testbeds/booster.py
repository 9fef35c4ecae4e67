# SPDX-License-Identifier: Apache-2.0
"""BOOSTER's testbed: two ends, a lossy box at each, two relays, and the long line between them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from longhaul.boxes.delay_box import DelayBox
from longhaul.parts.part import ParamValue
from longhaul.settings import Choice, Count, Flag, Quantities, Share, setting, with_default
from longhaul.testbeds.rows import Row
from longhaul.topology import (
    Iperf,
    Machine,
    Nic,
    Port,
    Relay,
    Scenario,
    Switch,
    System,
    machines,
    nics,
)
from longhaul.units import Size, Time, mib, ms, ps, s

PAPER = "BOOSTER"
ENDS_PHY = "1000base-t"
LINE_PHY = "10gbase-r"
SIDES = ("west", "east")
# One way: 3320 km are 16.6 ms (table 2), so 5 us a kilometre.
PS_PER_KM = 5_000_000
# The relay's adapter is the ixgb model without the limits of the 82597EX's engines, in place of
# Chelsio's S310E, of whose insides nothing is published: docs/booster.md.
FAST_ADAPTER: Mapping[str, ParamValue] = {
    "tx_kib_clocks": 32,
    "rx_kib_clocks": 32,
    "tx_packet_clocks": 4,
    "rx_packet_clocks": 4,
    "tx_descriptor_clocks": 1,
    "rx_descriptor_clocks": 1,
    "tx_reads_ahead": 32,
    "rx_writes_ahead": 32,
}
RECEIVER_SYSTEM = RELAY_SYSTEM = "linux-2.6.18"
# Rings of the ends, as the drivers of 2009 take; assumed.
DRIVER: Mapping[str, ParamValue] = {"rx_descriptors": 512, "tx_descriptors": 512}
# Linux cxgb3 sge.c, t3_sge_prep(): a free list and a transmit queue of 1024 each.
RELAY_DRIVER: Mapping[str, ParamValue] = {"rx_descriptors": 1024, "tx_descriptors": 1024}
RELAY_QUEUE = 100_000  # packets: more than any window, so that the relay drops nothing of its own
EDGE_BUFFER = mib(4)  # each way, for each connection of an end; assumed
FAST_WINDOW = mib(4)  # of the PCs right at the relays, more than such a short path holds
FAST_END: Mapping[str, ParamValue] = {"qdisc_packets": 100_000}
SYSTEMS = ("windows-xp", "windows-vista", "linux-2.6.18")
# Table 3's column "TCP Window Size" of each system.
WINDOWS = {"windows-xp": "64KiB", "windows-vista": "32MiB", "linux-2.6.18": "256KiB"}


@dataclass(frozen=True, kw_only=True)
class RelaySettings:
    """Settings of the relays and the line."""

    relay: bool = setting(
        Flag(),
        "on",
        help="the two relays; off: plain switches in their places",
        source=f"{PAPER} table 3 has both",
    )
    km: int = setting(
        Count(0, 20_000, "km"),
        "3320",
        help="length of the line, 5 us a kilometre each way",
        evidence="measured",
        source=f"{PAPER} table 2: 3320 km, 16.6 ms",
    )
    connections: int = setting(
        Count(1, 64, "connections"),
        "1",
        help="connections between the relays for each connection of the ends",
        evidence="measured",
        source=f"{PAPER} section 3: TCP2",
    )
    line_window: Size = setting(
        Quantities(Size(4096), mib(1024), "MB"),
        "16MiB",
        help="send window of each connection between the relays",
        source="more than the line holds at the ends' 1 Gb/s",
    )
    duration: Time = setting(
        Quantities(ms(1), s(3600), "s"),
        "2s",
        help="simulated time measured, after the warm-up",
        source="short enough to wait for",
    )
    warmup: Time = setting(
        Quantities(ps(0), s(3600), "s"),
        "3s",
        help="traffic before the measured time, left out of all figures",
        source="BIC fills the ends' 1 Gb/s in 2.6 s: 100 segments, then 5 % a round trip",
    )


@dataclass(frozen=True, kw_only=True)
class EndSettings(RelaySettings):
    """Settings of the ends and their boxes, too."""

    system: str = setting(
        Choice(SYSTEMS),
        "windows-xp",
        help="system of the sender; the receiver's is Linux 2.6.18",
        evidence="measured",
        source=f"{PAPER} table 3; the version of Linux is assumed",
    )
    window: Size = setting(
        Quantities(Size(0), mib(1024), "KiB"),
        "0B",
        help="socket memory that the sender's program asks for; 0B: as in table 3, by system",
        evidence="measured",
        source=f"{PAPER} table 3: 64 KB, 32 MB, 256 KB",
    )
    edge_delay: Time = setting(
        Quantities(ps(0), ms(100), "ms"),
        "1ms",
        help="delay of each end's box, each way",
        evidence="measured",
        source=f"{PAPER} table 2: 1 ms",
    )
    edge_loss: float = setting(
        Share(0.5),
        "0.1%",
        help="share of frames that each end's box drops, each way",
        evidence="measured",
        source=f"{PAPER} table 2: 0.1 %",
    )


@dataclass(frozen=True, kw_only=True)
class FigureSettings(EndSettings):
    """The same, with the boxes of figures 6 and 7."""

    edge_delay: Time = with_default(
        EndSettings,
        "edge_delay",
        "5ms",
        evidence="measured",
        source=f"{PAPER} section 4.2: 5 ms, 20 ms of the round trip by both boxes",
    )
    duration: Time = with_default(EndSettings, "duration", "10s", source="a hundred losses or more")


FIGURE_ROWS = [
    Row({"relay": relay, "km": km})
    for relay, km in (("on", "0"), ("on", "1740"), ("on", "3320"), ("off", "1740"), ("off", "3320"))
]


@dataclass(frozen=True, kw_only=True)
class Streams(Iperf):
    """Iperf that sends on until the measured time is over at the far end of the line, too."""

    @property
    def traffic(self) -> Time:
        """How long the sender's program is to send."""
        return super().traffic + s(1)


def line_delay(km: int) -> Time:
    """Return what the line takes one way."""
    return Time(km * PS_PER_KM)


def relay_machine(name: str, partner: str, settings: RelaySettings, *, edge: Nic) -> Machine:
    """Return a relay: its first adapter, `edge`, towards the end, its second on the line."""
    line = nics.ixgb(name="eth1", slot=2, mtu=edge.mtu, params=FAST_ADAPTER)
    system = System(
        profile=RELAY_SYSTEM,
        processors=4,
        # Its windows are counted in bytes, as the paper gives them, open at once, and stay so while
        # the relay reads, so that ACKs need not wait for that.
        tcp={"window_start": 0, "ack_follows_reader": False},
        net={"truesize": False, "qdisc_packets": RELAY_QUEUE},
        driver=RELAY_DRIVER,
        relay=Relay(
            partner=partner,
            params={
                "connections": settings.connections,
                "window": str(settings.line_window),
                "edge_buffer": str(EDGE_BUFFER),
            },
        ),
    )
    return machines.express_r120a(name, nic=(edge, line), system=system)


def across(name: str, settings: EndSettings, seed: int) -> Scenario:
    """Return the ends, their lossy boxes, relays or switches, and the line."""
    scenario = Scenario(name, seed=seed)
    nic = nics.e1000(board="82545gm-copper")

    def end(which: str, profile: str) -> Machine:
        system = System(profile=profile, driver=DRIVER)
        return scenario.add(machines.core2duo_266(which, nic=nic, system=system))

    ends = end("sender", settings.system), end("receiver", RECEIVER_SYSTEM)
    if settings.relay:
        inner = _add_relays(scenario, settings, edge=nic)
    else:
        switches = [scenario.add(Switch(name=f"{side}_switch", ports=2)) for side in SIDES]
        inner = [(switch.port("p0"), switch.port("p1")) for switch in switches]
    delay, loss = settings.edge_delay, settings.edge_loss
    boxes = [
        scenario.add(DelayBox(name=f"{side}_box", one_way_delay=delay, loss=loss)) for side in SIDES
    ]
    for machine, box, (near, _) in zip(ends, boxes, inner, strict=True):
        link = f"{machine.name}_link"
        scenario.link(machine.port("eth0"), box.port("west"), name=link, phy=ENDS_PHY)
        scenario.link(box.port("east"), near, name=f"{box.name}_inner", phy=ENDS_PHY)
    _add_line(scenario, inner, settings)
    window = settings.window if settings.window.bytes else Size.parse(WINDOWS[settings.system])
    scenario.run_workload(replace(_stream(ends, settings, window), window_of_sender=True))
    return scenario


def between_relays(
    name: str, settings: RelaySettings, seed: int, *, streams: int, mtu: int
) -> Scenario:
    """Return the relays and the line with a fast PC in the place of each lossy box."""
    scenario = Scenario(name, seed=seed)
    nic = nics.ixgb(mtu=mtu, params=FAST_ADAPTER)

    def end(which: str) -> Machine:
        system = System(profile=RECEIVER_SYSTEM, processors=4, net=FAST_END, driver=DRIVER)
        return scenario.add(machines.express_r120a(which, nic=nic, system=system))

    ends = end("sender"), end("receiver")
    inner = _add_relays(scenario, settings, edge=nic)
    for machine, (near, _) in zip(ends, inner, strict=True):
        scenario.link(machine.port("eth0"), near, name=f"{machine.name}_link", phy=LINE_PHY)
    _add_line(scenario, inner, settings)
    scenario.run_workload(replace(_stream(ends, settings, FAST_WINDOW), streams=streams))
    return scenario


def _add_relays(
    scenario: Scenario, settings: RelaySettings, *, edge: Nic
) -> list[tuple[Port, Port]]:
    """Add both relays; return the ports of each towards its end and on the line."""
    relays = [
        scenario.add(relay_machine(f"{side}_relay", f"{other}_relay", settings, edge=edge))
        for side, other in zip(SIDES, reversed(SIDES), strict=True)
    ]
    return [(relay.port("eth0"), relay.port("eth1")) for relay in relays]


def _add_line(scenario: Scenario, inner: list[tuple[Port, Port]], settings: RelaySettings) -> None:
    line = scenario.add(DelayBox(name="line", one_way_delay=line_delay(settings.km)))
    for side, (_, port) in zip(SIDES, inner, strict=True):
        scenario.link(port, line.port(side), name=f"line_{side}", phy=LINE_PHY)


def _stream(ends: tuple[Machine, Machine], settings: RelaySettings, window: Size) -> Streams:
    sender, receiver = ends
    return Streams(
        sender=sender,
        receiver=receiver,
        duration=settings.duration,
        warmup=settings.warmup,
        window=window,
    )


def formula_gbps(window: Size, rtt: Time, loss: float, mss: int = 1460) -> float:
    """Return the paper's B = min(W/d, C/(d sqrt(p))), C = sqrt(3/2) segments: a check, no input.

    Padhye et al. 1998 is its source there; the C holds with an ACK for each segment.
    """
    by_window = window.bytes
    by_loss = math.sqrt(1.5 / loss) * mss if loss else math.inf
    return min(by_window, by_loss) * 8 / (rtt.ps * 1e-12) / 1e9
