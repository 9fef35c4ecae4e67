# SPDX-License-Identifier: Apache-2.0
"""Reads what programs of modelled hosts reported (models/host/workloads): JSON, one file each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from longhaul.errors import LonghaulError

# Kinds of programs (models/host/workloads) whose reports are a Stream, a Received, an Asked.
SENDERS = ("iperf_client", "netperf_stream", "ring_sender")
RECEIVERS = ("iperf_server", "netserver_stream", "smb_client")
ASKERS = ("netperf_rr", "smb_client")


class _Report(BaseModel):
    model_config = ConfigDict(extra="ignore")


class Stream(_Report):
    """The data that one stream's client sent, and its connection at the end."""

    bytes: int
    seconds: float
    srtt_ms: float | None = None
    rtt_tick_ms: float | None = None
    timeouts: int | None = None
    cwnd_bytes: int | None = None
    snd_wnd_bytes: int = 0
    cwnd_limit_bytes: int | None = None
    retransmits: int = 0


class Received(_Report):
    """The data that one stream's server received."""

    bytes: int
    seconds: float


class Echoes(_Report):
    """The echoes and times of ping."""

    sent: int
    received: int
    rtt_mean_us: float | None = None


class Asked(_Report):
    """The requests of one connection's client, and their answers."""

    transactions_per_s: float


class Connected(_Report):
    """The connections that one program opened."""

    connections_per_s: float


ReportT = TypeVar("ReportT", bound=_Report)


def read(kind: type[ReportT], text: str, where: str) -> ReportT:
    """Return the report as its type; a LonghaulError says which one is malformed."""
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise LonghaulError(f"{where} cannot be read: {place}: {first['msg']}") from None


def rtt_ms(streams: Sequence[Stream]) -> float | None:
    """Return the smoothed round-trip time, weighed by what each stream sent."""
    timed = [(each.bytes, each.srtt_ms) for each in streams if each.srtt_ms is not None]
    total = sum(count for count, _ in timed)
    return sum(count * ms for count, ms in timed) / total if total else None


def limits(streams: Sequence[Stream]) -> dict[str, float]:
    """Return what is known of what held TCP back, as workload_reports.ss_limits() does."""
    known = {"snd_wnd_bytes": float(sum(each.snd_wnd_bytes for each in streams))}
    sums = {
        "cwnd_limit_bytes": [each.cwnd_limit_bytes for each in streams],
        "cwnd_bytes": [each.cwnd_bytes for each in streams],
        "timeouts": [each.timeouts for each in streams],
    }
    for name, values in sums.items():
        told = [value for value in values if value is not None]
        if len(told) == len(streams):
            known[name] = float(sum(told))
    ticks = [each.rtt_tick_ms for each in streams if each.rtt_tick_ms is not None]
    return known | ({"rtt_tick_ms": max(ticks)} if ticks else {})
