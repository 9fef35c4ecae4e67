# SPDX-License-Identifier: Apache-2.0
"""Reads what programs of modelled hosts reported (models/host/workloads): JSON, one file each."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from longhaul.errors import LonghaulError


class _Report(BaseModel):
    model_config = ConfigDict(extra="ignore")


class Connection(_Report):
    """A TCP connection at its end, as the sender's kernel sees it."""

    bytes: int
    srtt_ms: float | None = None
    snd_wnd_bytes: int = 0
    retransmits: int = 0
    rwnd_limited_pct: float = 0.0
    sndbuf_limited_pct: float = 0.0


class Sent(_Report):
    """What a client sent."""

    bytes: int
    seconds: float
    connections: list[Connection] = []


class Received(_Report):
    """What a server received."""

    bytes: int
    seconds: float


class RoundTrips(_Report):
    """Least, mean and most of ping's round trips."""

    min: float
    avg: float
    max: float


class Echoes(_Report):
    """What ping saw."""

    sent: int
    received: int
    rtt_ms: RoundTrips | None = None


ReportT = TypeVar("ReportT", bound=_Report)


def read(kind: type[ReportT], text: str, where: str) -> ReportT:
    """Return the report as its type; a LonghaulError says which one is malformed."""
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise LonghaulError(f"{where} cannot be read: {place}: {first['msg']}") from None


def rtt_ms(sent: Sent) -> float | None:
    """Return the smoothed round-trip time, weighed by what each connection sent."""
    timed = [(c.bytes, c.srtt_ms) for c in sent.connections if c.srtt_ms is not None]
    total = sum(count for count, _ in timed)
    return sum(count * ms for count, ms in timed) / total if total else None


def limits(sent: Sent) -> dict[str, float] | None:
    """Return what held TCP back, as workload_reports.ss_limits() does."""
    if not sent.connections:
        return None
    count = len(sent.connections)
    return {
        "rwnd_limited_pct": sum(c.rwnd_limited_pct for c in sent.connections) / count,
        "sndbuf_limited_pct": sum(c.sndbuf_limited_pct for c in sent.connections) / count,
        "snd_wnd_bytes": float(sum(c.snd_wnd_bytes for c in sent.connections)),
    }
