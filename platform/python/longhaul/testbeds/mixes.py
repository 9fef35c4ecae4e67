# SPDX-License-Identifier: Apache-2.0
"""Workloads of modelled hosts by name, one or several on a pair of hosts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.settings import Text
from longhaul.topology import (
    Connect,
    Iperf,
    Machine,
    NetperfRr,
    NetperfStream,
    Ping,
    Ring,
    Smb,
    Workload,
)
from longhaul.units import Size, Time


@dataclass(frozen=True, kw_only=True)
class Traffic:
    """Settings of every workload of a mix."""

    duration: Time
    warmup: Time
    ip: str
    window: Size
    streams: int


_Maker = Callable[[Machine, Machine, Traffic], Workload]


def _streams(kind: type[Iperf | NetperfRr | Smb]) -> _Maker:
    def make(sender: Machine, receiver: Machine, told: Traffic) -> Workload:
        return kind(
            sender=sender,
            receiver=receiver,
            duration=told.duration,
            warmup=told.warmup,
            ip=told.ip,
            window=told.window,
            streams=told.streams,
        )

    return make


def _plain(kind: type[Connect | Ping]) -> _Maker:
    def make(sender: Machine, receiver: Machine, told: Traffic) -> Workload:
        return kind(
            sender=sender,
            receiver=receiver,
            duration=told.duration,
            warmup=told.warmup,
            ip=told.ip,
        )

    return make


KINDS: Mapping[str, _Maker] = {
    "iperf": _streams(Iperf),
    "netperf_stream": _streams(NetperfStream),
    "ring": _streams(Ring),
    "netperf_rr": _streams(NetperfRr),
    "smb": _streams(Smb),
    "connect": _plain(Connect),
    "ping": _plain(Ping),
}
BETWEEN = "+"


class Mix(Text):
    """Names of workloads, joined by a plus sign."""

    def parse(self, text: str, where: str) -> str:
        """Refuse a name that no workload has."""
        for name in text.split(BETWEEN):
            if name not in KINDS:
                raise UsageError(
                    f"{where}={text}: there is no workload {name!r}{did_you_mean(name, KINDS)} "
                    f"Join several by {BETWEEN}"
                )
        return text


def workloads(
    mix: str, sender: Machine, receiver: Machine, told: Traffic, start: Time
) -> list[Workload]:
    """Return what a mix runs between two hosts, from `start` on."""
    return [
        replace(KINDS[name](sender, receiver, told), start=start, cpu=sender.last_processor)
        for name in mix.split(BETWEEN)
    ]
