# SPDX-License-Identifier: Apache-2.0
"""Workloads of the testbeds' settings, in the terms of longhaul.topology."""

from __future__ import annotations

from typing import Any, Protocol

from longhaul.errors import UsageError
from longhaul.settings import changed
from longhaul.topology import Command, Iperf, Iperf3, Machine, Ping, Udp, Workload
from longhaul.types import LinuxDriver
from longhaul.units import Rate, Size, Time

WORKLOADS = ("iperf", "iperf3", "ping", "udp")
CONGESTION = tuple(
    "reno cubic bic westwood highspeed hybla htcp vegas nv scalable lp veno yeah illinois "
    "dctcp cdg bbr".split()
)
IPV6_LEAST_MTU = 1280  # RFC 8200, 5
# Linux sends TCP segments of 48 bytes with their options, however short a frame may be: a path that
# is shorter loses them forever (include/net/tcp.h: TCP_MIN_SND_MSS). IPv4 and TCP headers are 40.
TCP_LEAST_MTU = 88


class TrafficSettings(Protocol):
    """Settings of traffic that every testbed has."""

    @property
    def workload(self) -> str: ...  # noqa: D102
    @property
    def serve(self) -> str: ...  # noqa: D102
    @property
    def ip(self) -> str: ...  # noqa: D102
    @property
    def mtu(self) -> int: ...  # noqa: D102
    @property
    def duration(self) -> Time: ...  # noqa: D102
    @property
    def warmup(self) -> Time: ...  # noqa: D102
    @property
    def window(self) -> Size: ...  # noqa: D102
    @property
    def streams(self) -> int: ...  # noqa: D102
    @property
    def rate(self) -> Rate: ...  # noqa: D102
    @property
    def congestion(self) -> str: ...  # noqa: D102
    @property
    def adv_win_scale(self) -> int: ...  # noqa: D102


def check_mtu(settings: TrafficSettings) -> None:
    """Refuse an MTU that the IP version cannot have."""
    if settings.ip == "v6" and settings.mtu < IPV6_LEAST_MTU:
        raise UsageError(f"mtu={settings.mtu}: IPv6 needs {IPV6_LEAST_MTU} at least; or set ip=v4")


def check_driver_mtu(mtu: int, adapter: str, driver: LinuxDriver | None) -> None:
    """Refuse an MTU that the adapter's Linux driver does not take; None: no driver is known."""
    if driver and not driver.least_mtu <= mtu <= driver.largest_mtu:
        raise UsageError(
            f"mtu={mtu}: {driver.module}, the driver of {adapter}, takes "
            f"{driver.least_mtu} to {driver.largest_mtu} B ({driver.source})"
        )


# Settings that only some workloads use, with these workloads; "command" is the user's command line.
USED_BY = {
    "serve": ("command",),
    "rate": ("udp",),
    "warmup": ("iperf", "iperf3", "udp"),
    "streams": ("iperf", "iperf3", "command"),
    "congestion": ("iperf", "iperf3", "command"),
    "adv_win_scale": ("iperf", "iperf3", "command"),
    "window": ("iperf", "iperf3", "udp", "command"),
}


def workload(settings: TrafficSettings, sender: Machine, receiver: Machine) -> Workload:
    """Return what the settings say runs; a setting that it has no use for is refused."""
    name = settings.workload if settings.workload in WORKLOADS else "command"
    for changed_name, text in changed(settings).items():
        users = USED_BY.get(changed_name, (name,))
        if name not in users:
            what = "a command line" if name == "command" else name
            users_text = ", ".join(users)
            raise UsageError(
                f"{changed_name}={text}: workload {what} does not use it; it is for {users_text}"
            )
    if name in ("iperf", "iperf3") and settings.mtu < TCP_LEAST_MTU:
        raise UsageError(
            f"mtu={settings.mtu}: TCP needs {TCP_LEAST_MTU} at least; or set workload=udp or ping"
        )
    every: dict[str, Any] = {
        "sender": sender,
        "receiver": receiver,
        "ip": settings.ip,
        "duration": settings.duration,
        "warmup": settings.warmup,
        "cpu": sender.last_processor,
    }
    tcp: dict[str, Any] = {
        "window": settings.window,
        "streams": settings.streams,
        "congestion": settings.congestion,
        "adv_win_scale": settings.adv_win_scale,
    }
    match name:
        case "ping":
            return Ping(**every)
        case "udp":
            return Udp(**every, rate=settings.rate, window=settings.window)
        case "iperf":
            return Iperf(**every, **tcp)
        case "iperf3":
            return Iperf3(**every, **tcp)
        case _:
            return Command(**every, **tcp, command=settings.workload, serve=settings.serve)
