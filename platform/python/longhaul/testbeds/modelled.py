# SPDX-License-Identifier: Apache-2.0
"""Modelled operating systems in place of the testbeds' real Linux guests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from longhaul import types
from longhaul.errors import UsageError
from longhaul.parts.part import ParamValue
from longhaul.settings import changed
from longhaul.topology import System

GUEST = "guest"
ON_GUESTS: Mapping[str, tuple[str, ...]] = {"system": (GUEST,)}
SYSTEMS = (GUEST, *types.names("system"))
ON_MODELS: Mapping[str, tuple[str, ...]] = {"system": SYSTEMS[1:]}
HELP = "what the hosts run: a real Linux 6.1 guest, or a modelled system"

OFF = "off"
# How interrupts move between processors: values of `irqbalance`, and the parameters for them.
IRQBALANCE: Mapping[str, dict[str, ParamValue]] = {
    OFF: {},
    "kernel": {"irqbalance": True},
    "daemon": {"daemon": True},
    "each": {"in_turn": True},
}

# Names of congestion controls that the TCP model calls otherwise than Linux does.
_CONGESTION = {"reno": "newreno"}


class SystemSettings(Protocol):
    """The modelled system that a testbed's settings describe."""

    @property
    def system(self) -> str: ...  # noqa: D102
    @property
    def congestion(self) -> str: ...  # noqa: D102
    @property
    def tso(self) -> bool: ...  # noqa: D102


def system(
    settings: SystemSettings,
    *,
    driver: Mapping[str, ParamValue],
    adv_win_scale: int | None = None,
    tx_queue_len: int | None = None,
    processors: int = 1,
    irqbalance: str = OFF,
) -> System | None:
    """Return the hosts' system, None for a real guest.

    The profile knows what its system does; settings that the user has changed stand above it, and
    those of the testbed's own machines: offload, and the driver's.
    """
    if settings.system == GUEST:
        return None
    if irqbalance != OFF and processors == 1:
        raise UsageError(
            f"irqbalance={irqbalance}: with processors=1 an interrupt has nowhere else to go; "
            "set processors=2 or more"
        )
    given = changed(settings)
    tcp: dict[str, ParamValue] = {}
    net: dict[str, ParamValue] = {"tso": settings.tso}
    if "congestion" in given:
        tcp["congestion_control"] = _CONGESTION.get(settings.congestion, settings.congestion)
    if "adv_win_scale" in given and adv_win_scale is not None:
        net["adv_win_scale"] = adv_win_scale
    if irqbalance != OFF:
        net["backlog_holds_softirqs"] = True  # as Linux does: packets are overtaken there
    if tx_queue_len is not None:
        net["qdisc_packets"] = tx_queue_len
    return System(
        profile=settings.system,
        processors=processors,
        tcp=tcp,
        net=net,
        interrupts=IRQBALANCE[irqbalance],
        driver=dict(driver),
    )
