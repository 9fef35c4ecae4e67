# SPDX-License-Identifier: Apache-2.0
"""Modelled operating systems in place of the testbeds' real Linux guests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from longhaul import types
from longhaul.parts.part import ParamValue
from longhaul.settings import RingPair, changed
from longhaul.topology import System, nics
from longhaul.units import Time

GUEST = "guest"
ON_GUESTS: Mapping[str, tuple[str, ...]] = {"system": (GUEST,)}
SYSTEMS = (GUEST, *types.names("system"))
ON_MODELS: Mapping[str, tuple[str, ...]] = {"system": SYSTEMS[1:]}
HELP = "what the hosts run: a real Linux 6.1 guest, or a modelled system"

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
    @property
    def rings(self) -> RingPair: ...  # noqa: D102


def system(
    settings: SystemSettings,
    *,
    rx_int_delay: Time | None = None,
    tx_int_delay: Time | None = None,
    adv_win_scale: int | None = None,
    tx_queue_len: int | None = None,
    processors: int = 1,
    more_driver: Mapping[str, ParamValue] | None = None,
) -> System | None:
    """Return the hosts' system, None for a real guest.

    The profile knows what its system does; settings that the user has changed stand above it, and
    those of the testbed's own machines: offload, rings, interrupt delays.
    """
    if settings.system == GUEST:
        return None
    given = changed(settings)
    tcp: dict[str, ParamValue] = {}
    net: dict[str, ParamValue] = {"tso": settings.tso}
    driver: dict[str, ParamValue] = {
        "tso": settings.tso,
        "rx_descriptors": settings.rings.rx,
        "tx_descriptors": settings.rings.tx,
    }
    if "congestion" in given:
        tcp["congestion_control"] = _CONGESTION.get(settings.congestion, settings.congestion)
    if "adv_win_scale" in given and adv_win_scale is not None:
        net["adv_win_scale"] = adv_win_scale
    if tx_queue_len is not None:
        net["qdisc_packets"] = tx_queue_len
    driver |= more_driver or {}
    if rx_int_delay is not None:
        driver["rx_delay"] = nics.ixgb_delay_steps(rx_int_delay)
    if tx_int_delay is not None:
        driver["tx_delay"] = nics.ixgb_delay_steps(tx_int_delay)
    return System(profile=settings.system, processors=processors, tcp=tcp, net=net, driver=driver)
