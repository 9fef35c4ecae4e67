# SPDX-License-Identifier: Apache-2.0
"""OPTERON-10G's two paths: face to face through two switches, and across the delay box.

Beside them, what the scenarios of its tables have in common: adapter, system and rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from longhaul.boxes.delay_box import DelayBox
from longhaul.settings import Choice, Quantities, Share, setting, with_default
from longhaul.testbeds.opteron_10g import HostSettings, add_hosts, add_switches, workload
from longhaul.testbeds.opteron_cards import CARDS, DEFAULT, ToeSettings
from longhaul.testbeds.rows import Row, left_open
from longhaul.topology import Machine, Scenario, Workload
from longhaul.units import Size, Time, ms, ps

__all__ = [
    "FarSettings",
    "HostSettings",
    "PaperSettings",
    "StreamSettings",
    "T110_FAR",
    "ToeHostSettings",
    "ToeWanSettings",
    "WanSettings",
    "across",
    "add_far_hosts",
    "face_to_face",
    "rows_of_cards",
    "table_rows",
]

# Settings of the T110's rows behind a round-trip time of 400 ms, and of no others. At first TCP
# sends data that the program has written ahead. The rate is steady when they are gone, 14 s after
# the first data (docs/modelled_hosts.md, Tables 2 and 3).
T110_FAR = {"window": "480MB", "warmup": "15s"}  # 960 MB of socket memory

_PHY = {"lan": "10gbase-r", "wan": "10gbase-w"}


def rows_of_cards(
    settings: type[Any], rows: Iterable[Row], given: Mapping[str, str]
) -> list[tuple[str, ...]]:
    """Return the rows that what is given leaves open.

    If the adapter is not given but another setting of a row is, the adapter is the default.
    """
    rows = tuple(rows)
    names_a_row = any(name in given for row in rows for name in row.names)
    return left_open(settings, rows, {"card": DEFAULT, **given} if names_a_row else given)


def table_rows(beside: Mapping[str, Mapping[str, str]]) -> tuple[Row, ...]:
    """Return the rows of table 2 or 3. `beside` has the settings that only an adapter's rows have.

    The T110 is a NIC in them.
    """
    return tuple(
        Row({"card": card, "ip": ip, "mtu": mtu}, beside.get(card, {}))
        for card in CARDS
        for ip, mtu in (("v6", "1500"), ("v4", "9198"), ("v6", "9198"))
    )


@dataclass(frozen=True, kw_only=True)
class PaperSettings:
    """The paper's hosts: by default its system."""

    system: str = with_default(
        HostSettings,
        "system",
        "linux-2.6.6",
        evidence="measured",
        source="OPTERON-10G 2.1: Linux 2.6.6",
    )


@dataclass(frozen=True, kw_only=True)
class StreamSettings(PaperSettings):
    """The same with one stream and no other workload."""

    workload: str = setting(
        Choice(("iperf",)), "iperf", help="one stream", source="OPTERON-10G 2.1: Iperf"
    )


@dataclass(frozen=True, kw_only=True)
class WanSettings(HostSettings):
    """Settings of hosts, workload and path."""

    rtt: Time = setting(
        Quantities(ps(0), ms(1600), "ms"),
        "10ms",
        help="round-trip time of the delay box, half each way",
        evidence="datasheet",
        source="OPTERON-10G 2.1: up to 800 ms each way; the default is chosen",
    )
    loss: float = setting(
        Share(0.5),
        "0",
        help="share of frames that the box drops at random, each way",
        source="OPTERON-10G: none",
    )
    phy: str = setting(
        Choice(("lan", "wan")),
        "lan",
        help="line rate at the box: LAN PHY 10.3125 Gb/s or WAN PHY 9.953 Gb/s",
        evidence="datasheet",
        source="OPTERON-10G 2.1",
    )
    window: Size = with_default(
        HostSettings,
        "window",
        "32MiB",
        source="OPTERON-10G 2.3.3: at least 2.5 bandwidth-delay products (10 Gb/s, 10 ms)",
    )
    tso: bool = with_default(
        HostSettings,
        "tso",
        "off",
        evidence="measured",
        source="OPTERON-10G 2.3.2: measured without TSO behind a delay",
    )


@dataclass(frozen=True, kw_only=True)
class ToeHostSettings(ToeSettings, HostSettings):
    """Settings of hosts and workload, where a T110 may run TCP."""


@dataclass(frozen=True, kw_only=True)
class ToeWanSettings(ToeSettings, WanSettings):
    """Settings of hosts, workload and path, where a T110 may run TCP."""


@dataclass(frozen=True, kw_only=True)
class FarSettings(WanSettings):
    """The same with the sockets' memory of a round-trip time of 400 ms."""

    window: Size = with_default(
        WanSettings,
        "window",
        "448MB",
        evidence="measured",
        source="OPTERON-10G table 3: 896 MB of socket memory, which Linux makes of it",
    )


def face_to_face(
    name: str,
    settings: HostSettings,
    seed: int,
    change: Callable[[Workload], Workload] = lambda workload: workload,
) -> Scenario:
    """Return sender, two switches and receiver in a line; `change` makes other work of theirs."""
    scenario = Scenario(name, seed=seed)
    sender, receiver = add_hosts(scenario, settings)
    xg1200, mg8 = add_switches(scenario, settings)
    scenario.link(sender.port("eth0"), xg1200.port("p0"), name="sender_link")
    scenario.link(xg1200.port("p1"), mg8.port("p0"), name="trunk")
    scenario.link(mg8.port("p1"), receiver.port("eth0"), name="receiver_link")
    scenario.run_workload(change(workload(settings, sender, receiver)))
    return scenario


def across(
    name: str,
    settings: WanSettings,
    seed: int,
    change: Callable[[Workload], Workload] = lambda workload: workload,
) -> Scenario:
    """Return sender, XG1200, delay box, MG8 and receiver in a line; `change` as face_to_face()."""
    scenario = Scenario(name, seed=seed)
    sender, receiver = add_far_hosts(scenario, settings)
    scenario.run_workload(change(workload(settings, sender, receiver)))
    return scenario


def add_far_hosts(scenario: Scenario, settings: WanSettings) -> tuple[Machine, Machine]:
    """Add sender, XG1200, delay box, MG8 and receiver in a line; return the two hosts."""
    sender, receiver = add_hosts(scenario, settings)
    xg1200, mg8 = add_switches(scenario, settings)
    anue = scenario.add(DelayBox(name="anue", one_way_delay=settings.rtt / 2, loss=settings.loss))
    scenario.link(sender.port("eth0"), xg1200.port("p0"), name="sender_link")
    phy = _PHY[settings.phy]
    scenario.link(xg1200.port("p1"), anue.port("west"), name="wan_west", phy=phy)
    scenario.link(anue.port("east"), mg8.port("p0"), name="wan_east", phy=phy)
    scenario.link(mg8.port("p1"), receiver.port("eth0"), name="receiver_link")
    return sender, receiver
