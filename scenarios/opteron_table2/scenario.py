# SPDX-License-Identifier: Apache-2.0
"""OPTERON-10G's table 2: software TCP without delay, by IP version, MTU and card.

Question: how fast is one stream between two Opteron PCs under their own Linux 2.6.6? The paper
measured 6.05 Gb/s (IPv4, jumbo frames), 6.35 Gb/s (IPv6) and 3.23 Gb/s (IPv6, standard frames) with
Intel's card. Without settings it runs every row, each once.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from longhaul.benches import opteron_paths as bench
from longhaul.settings import Choice, setting, with_default
from longhaul.topology import Scenario
from longhaul.units import Time

REPRODUCES = "OPTERON-10G table 2, IXGB"

ROWS = (("v6", "1500"), ("v4", "9198"), ("v6", "9198"))


@dataclass(frozen=True, kw_only=True)
class TableSettings(bench.HostSettings):
    """What can be set on hosts and workload."""

    card: str = setting(
        Choice(("ixgb",)),
        "ixgb",
        help="adapter of both hosts",
        evidence="measured",
        source="OPTERON-10G 2.1: Intel PRO/10GbE SR",
    )
    system: str = with_default(
        bench.HostSettings,
        "system",
        "linux-2.6.6",
        evidence="measured",
        source="OPTERON-10G 2.1: Linux 2.6.6",
    )
    warmup: Time = with_default(
        bench.HostSettings, "warmup", "100ms", source="the stream's start is over by then"
    )


SETTINGS = TableSettings


def cases(given: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the rows of table 2 that the settings given leave open."""
    return [
        (f"ip={ip}", f"mtu={mtu}")
        for ip, mtu in ROWS
        if given.get("ip", ip) == ip and given.get("mtu", mtu) == mtu
    ]


def build(settings: TableSettings, seed: int) -> Scenario:
    """Sender, two switches and receiver in a line."""
    return bench.face_to_face("opteron_table2", settings, seed)
