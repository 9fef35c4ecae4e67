# SPDX-License-Identifier: Apache-2.0
"""The adapters of OPTERON-10G's hosts, and what is theirs in hosts of any system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from longhaul.parts.part import ParamValue
from longhaul.settings import Flag, RingPair, setting
from longhaul.topology import Nic, nics
from longhaul.units import Time

BY_ADAPTER = "adapter"  # value of a setting that the adapter decides
DEFAULT = "ixgb"


class CardSettings(Protocol):
    """Settings of a host that its adapter or its driver follow."""

    @property
    def card(self) -> str: ...  # noqa: D102
    @property
    def ip(self) -> str: ...  # noqa: D102
    @property
    def mtu(self) -> int: ...  # noqa: D102
    @property
    def tso(self) -> bool: ...  # noqa: D102
    @property
    def gso(self) -> bool: ...  # noqa: D102
    @property
    def gro(self) -> bool: ...  # noqa: D102
    @property
    def rings(self) -> RingPair: ...  # noqa: D102
    @property
    def rx_int_delay(self) -> Time: ...  # noqa: D102
    @property
    def tx_int_delay(self) -> Time: ...  # noqa: D102


@dataclass(frozen=True, kw_only=True)
class ToeSettings:
    """Whether a T110 runs TCP."""

    toe: bool = setting(
        Flag(),
        "off",
        help="the T110 runs TCP over IPv4 (TOE)",
        evidence="measured",
        source="OPTERON-10G 2.1: T110, with its offload and as a NIC",
        only={"card": ("t110",)},
    )


@dataclass(frozen=True)
class Card:
    """An adapter of a type, with the settings of its bus and of a modelled host's driver."""

    adapter: str
    mmrbc: int  # bytes
    outstanding: int
    source: str  # of these two
    nic: Callable[[CardSettings], Nic]
    driver: Callable[[CardSettings], Mapping[str, ParamValue]]


def _ixgb(settings: CardSettings) -> Nic:
    # Where neither stack nor adapter segments, TCP hands down single segments, as 2.6.6 did. Linux
    # since 4.17 makes long packets all the same, and cuts them in front of the driver
    # (net/core/sock.c, sk_setup_caps()). The 82597EX segments IPv4 only.
    segmented_below = settings.gso or (settings.tso and settings.ip == "v4")
    return nics.ixgb(
        mtu=settings.mtu,
        tso=settings.tso,
        gso=settings.gso,
        gro=settings.gro,
        gso_max_segs=None if segmented_below else 1,
        rx_ring=settings.rings.rx,
        tx_ring=settings.rings.tx,
        rx_int_delay=settings.rx_int_delay,
        tx_int_delay=settings.tx_int_delay,
    )


def _ixgb_driver(settings: CardSettings) -> Mapping[str, ParamValue]:
    return {
        "tso": settings.tso,
        "rx_descriptors": settings.rings.rx,
        "tx_descriptors": settings.rings.tx,
        # ixgb of 2.6.6 takes frames into buffers of 2, 4, 8 or 16 KiB. Buffers of one frame, as
        # 1.0.110 may have them, let a socket offer 3/4 of its memory, where the paper needed 2.5
        # products.
        "exact_buffers": False,
        "rx_delay": nics.ixgb_delay_steps(settings.rx_int_delay),
        "tx_delay": nics.ixgb_delay_steps(settings.tx_int_delay),
    }


def _n110(settings: CardSettings) -> Nic:
    nic = nics.adapter(
        "n110", mtu=settings.mtu, offloads={"gso": settings.gso, "gro": settings.gro}
    )
    return replace(nic, gso_max_segs=None if settings.gso else 1)


def _no_settings(_: CardSettings) -> Mapping[str, ParamValue]:
    return {}


def _offloads(settings: CardSettings) -> bool:
    return isinstance(settings, ToeSettings) and settings.toe


def _t110(settings: CardSettings) -> Nic:
    # A guest's driver is the tree's (sw/drivers/toe).
    arguments = ("t110.offload=2",) if _offloads(settings) else ()
    return replace(_n110(settings), params={"board": "t110"}, module_args=arguments)


def _t110_driver(settings: CardSettings) -> Mapping[str, ParamValue]:
    return {"offload": _offloads(settings)}


CARDS: Mapping[str, Card] = {
    DEFAULT: Card(
        adapter=DEFAULT,
        mmrbc=512,
        outstanding=3,
        source="Linux ixgb.rst: register e6h is 22h after power-on",
        nic=_ixgb,
        driver=_ixgb_driver,
    ),
    "n110": Card(
        adapter="n110",
        mmrbc=2048,
        outstanding=8,
        source="Linux cxgb.rst, Known issues: the default setting on most systems",
        nic=_n110,
        driver=_no_settings,
    ),
    "t110": Card(
        adapter="n110",
        mmrbc=2048,
        outstanding=8,
        source="the N110's: Linux cxgb.rst is of both boards",
        nic=_t110,
        driver=_t110_driver,
    ),
}
ON_IXGB: Mapping[str, tuple[str, ...]] = {"card": (DEFAULT,)}
