# SPDX-License-Identifier: Apache-2.0
"""What do the receive windows of the Windows systems allow?

Question: which windows do the systems offer, and what rate does netperf have with each?
GBE-TUNING's text: 17520 B for Windows 2000, 64520 for XP (or 17520), 8760 for 95, 98 and Me; a
window should be a multiple of the MSS. Without settings it runs those of 2000, XP and 95.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from longhaul.settings import Quantities, as_in, setting
from longhaul.testbeds import gbe as testbed
from longhaul.topology import Scenario
from longhaul.units import Size, mib

QUESTION = "What do delay and window leave of the rate?"
REPRODUCES = "GBE-TUNING receive windows"

NONE = Size(0)
OF_WINDOWS_95 = "8760B"


@dataclass(frozen=True, kw_only=True)
class WindowSettings(testbed.HostSettings):
    """Settings of hosts and netperf."""

    window: Size = setting(
        Quantities(Size(0), mib(1), "B"),
        "0B",
        help="receive window of both hosts, as TcpWindowSize in the registry sets it; 0B: the "
        "system's own",
        source="the systems' own are GBE-TUNING's",
    )
    sender: str = as_in(testbed.NetperfSettings, "sender")


SETTINGS = WindowSettings


def cases(given: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the systems' windows that the settings given leave open."""
    if "window" in given or "system" in given:
        return []
    return [
        ("system=windows-2000",),
        ("system=windows-xp",),
        ("system=windows-2000", f"window={OF_WINDOWS_95}"),
    ]


def build(settings: WindowSettings, seed: int) -> Scenario:
    """Two hosts and a switch."""
    net = testbed.registry_window(settings.window) if settings.window != NONE else None
    return testbed.netperf("gbe_window", settings, seed, sender=settings.sender, net=net)
