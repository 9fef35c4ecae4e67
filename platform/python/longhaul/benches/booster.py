# SPDX-License-Identifier: Apache-2.0
"""BOOSTER's bench: two ends, a lossy box at each, two relays, and the long line between them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from longhaul.settings import Choice, Count, Flag, Quantities, Share, setting
from longhaul.topology import (
    DelayBox,
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
from longhaul.topology.parts import ParamValue
from longhaul.units import Size, Time, mib, ms, ps, s

PAPER = "BOOSTER"
ENDS_PHY = "1000base-t"
LINE_PHY = "10gbase-r"
# One way: 3320 km are 16.6 ms (table 2), so 5 us a kilometre.
PS_PER_KM = 5_000_000
# The relay's adapter is the ixgb model without the limits of the 82597EX's engines, in place of
# Chelsio's S310E, of whose insides nothing is published: platform/config/machines/README.md.
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
    """What can be set on the relays and the line."""

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
    """What can be set on the ends and their boxes, too."""

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
class Streams(Iperf):
    """Iperf that sends on until the measured time is over at the far end of the line, too."""

    @property
    def traffic(self) -> Time:
        """How long the sender's program is to send."""
        return super().traffic + s(1)


def line_delay(km: int) -> Time:
    """Return what the line takes one way."""
    return Time(km * PS_PER_KM)


def relay_machine(
    name: str, partner: str, settings: RelaySettings, *, edge: Nic, mtu: int
) -> Machine:
    """Return a relay: its first adapter, `edge`, towards the end, its second on the line."""
    line = nics.ixgb(name="eth1", slot=2, mtu=mtu, params=FAST_ADAPTER)
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

    def end(which: str, profile: str) -> Machine:
        nic = nics.e1000(board="82545gm-copper")
        return scenario.add(
            machines.core2duo_266(which, nic=nic, system=System(profile=profile, driver=DRIVER))
        )

    sender = end("sender", settings.system)
    receiver = end("receiver", RECEIVER_SYSTEM)
    inner = [
        _middle(scenario, which, other, settings)
        for which, other in (("west", "east"), ("east", "west"))
    ]
    outer = [
        scenario.add(
            DelayBox(
                name=f"{which}_box", one_way_delay=settings.edge_delay, loss=settings.edge_loss
            )
        )
        for which in ("west", "east")
    ]
    for machine, box, near in zip((sender, receiver), outer, inner, strict=True):
        scenario.link(
            machine.port("eth0"), box.port("west"), name=f"{machine.name}_link", phy=ENDS_PHY
        )
        scenario.link(box.port("east"), near[0], name=f"{box.name}_inner", phy=ENDS_PHY)
    _join(scenario, inner, settings)
    window = settings.window if settings.window.bytes else Size.parse(WINDOWS[settings.system])
    scenario.run_workload(
        Streams(
            sender=sender,
            receiver=receiver,
            duration=settings.duration,
            warmup=settings.warmup,
            window=window,
            window_of_sender=True,
        )
    )
    return scenario


def _middle(
    scenario: Scenario, which: str, other: str, settings: RelaySettings
) -> tuple[Port, Port]:
    """Add a relay, or a switch in its place; return its ports towards the end and on the line."""
    name = f"{which}_relay"
    if settings.relay:
        edge = nics.e1000(name="eth0", board="82545gm-copper")
        machine = relay_machine(name, f"{other}_relay", settings, edge=edge, mtu=1500)
        scenario.add(machine)
        return machine.port("eth0"), machine.port("eth1")
    switch = scenario.add(Switch(name=f"{which}_switch", ports=2))
    return switch.port("p0"), switch.port("p1")


def _join(scenario: Scenario, inner: list[tuple[Port, Port]], settings: RelaySettings) -> None:
    line = scenario.add(DelayBox(name="line", one_way_delay=line_delay(settings.km)))
    for (_, port), side in zip(inner, ("west", "east"), strict=True):
        scenario.link(port, line.port(side), name=f"line_{side}", phy=LINE_PHY)


def between_relays(
    name: str, settings: RelaySettings, seed: int, *, streams: int, mtu: int
) -> Scenario:
    """Return the relays and the line with a fast PC in the place of each lossy box."""
    scenario = Scenario(name, seed=seed)

    def end(which: str) -> Machine:
        nic = nics.ixgb(mtu=mtu, params=FAST_ADAPTER)
        system = System(profile=RECEIVER_SYSTEM, processors=4, net=FAST_END, driver=DRIVER)
        return scenario.add(machines.express_r120a(which, nic=nic, system=system))

    sender, receiver = end("sender"), end("receiver")
    inner: list[tuple[Port, Port]] = []
    for which, other in (("west", "east"), ("east", "west")):
        edge = nics.ixgb(name="eth0", mtu=mtu, params=FAST_ADAPTER)
        relay = relay_machine(f"{which}_relay", f"{other}_relay", settings, edge=edge, mtu=mtu)
        scenario.add(relay)
        inner.append((relay.port("eth0"), relay.port("eth1")))
    for machine, near in zip((sender, receiver), inner, strict=True):
        scenario.link(machine.port("eth0"), near[0], name=f"{machine.name}_link", phy=LINE_PHY)
    _join(scenario, inner, settings)
    scenario.run_workload(
        Streams(
            sender=sender,
            receiver=receiver,
            duration=settings.duration,
            warmup=settings.warmup,
            window=FAST_WINDOW,
            streams=streams,
        )
    )
    return scenario


def formula_gbps(window: Size, rtt: Time, loss: float, mss: int = 1460) -> float:
    """Return the paper's B = min(W/d, C/(d sqrt(p))), C = sqrt(3/2) segments: a check, no input.

    Padhye et al. 1998 is its source there; the C holds with an ACK for each segment.
    """
    by_window = window.bytes
    by_loss = math.sqrt(1.5 / loss) * mss if loss else math.inf
    return min(by_window, by_loss) * 8 / (rtt.ps * 1e-12) / 1e9
