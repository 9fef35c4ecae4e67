# SPDX-License-Identifier: Apache-2.0
"""Connections of the measured window: user data of each by direction, from connections.json.

Arrived data are counted at the adapter that took them in, retransmits and round trips at the
sender's adapter. Both are joined by protocol, addresses and ports.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from longhaul import json_file
from longhaul.errors import LonghaulError
from longhaul.results.directions import BOTH

FILE = "connections.json"


class Flow(BaseModel):
    """One direction of a connection, as one adapter saw it."""

    protocol: str
    source: str = Field(alias="from")
    destination: str = Field(alias="to")
    bytes: int
    retransmits: int = 0
    round_trips: int = 0
    round_trip_ps: int | None = None

    @property
    def ends(self) -> tuple[str, str, str]:
        """The key of a flow."""
        return self.protocol, self.source, self.destination


class Adapter(BaseModel):
    """The flows of one adapter with the most bytes, and how many more there were."""

    at: str
    received: list[Flow]
    received_others: int
    sent: list[Flow]
    sent_others: int

    @property
    def machine(self) -> str:
        """The machine that has the adapter."""
        return self.at.partition(".")[0]


_FILE = TypeAdapter(list[Adapter])


def load(path: Path) -> list[Adapter]:
    """Read connections.json; nothing where the simulator left none."""
    try:
        return _FILE.validate_python(json_file.read(path))
    except FileNotFoundError:
        return []
    except (ValidationError, ValueError) as error:
        first = " ".join(str(error).splitlines()[:2])
        raise LonghaulError(f"{path}: no list of connections ({first})") from None


def listed(
    adapters: Sequence[Adapter], roles: Mapping[str, str], seconds: float
) -> list[dict[str, Any]]:
    """Return a run's connections for results.json, the largest first; `roles` are machine names.

    A connection between other machines than the run's two is named by theirs.
    """
    sent = {(flow.ends): (each.machine, flow) for each in adapters for flow in each.sent}
    names = {roles[role]: role for role in roles}
    found: list[dict[str, Any]] = []
    for adapter in adapters:
        for flow in adapter.received:
            machine, other = sent.get(flow.ends, ("", None))
            ends = [names.get(each, each) for each in (machine, adapter.machine)]
            rtt = other and other.round_trip_ps
            found.append(
                {
                    "direction": f"{ends[0] or flow.source} to {ends[1]}",
                    "protocol": flow.protocol,
                    "from": flow.source,
                    "to": flow.destination,
                    "goodput_gbps": round(flow.bytes * 8 / seconds / 1e9, 6),
                    "retransmits": other.retransmits if other else None,
                    "rtt_ms": rtt if rtt is None else round(rtt * 1e-9, 6),
                }
            )
    return sorted(found, key=lambda each: -each["goodput_gbps"])


def others(adapters: Sequence[Adapter]) -> int:
    """Return how many flows with user data are not listed."""
    return sum(each.received_others for each in adapters)


def path_rtt_ms(connections: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Return each direction's mean round trip, weighed by what each of its connections carried."""
    found: dict[str, float] = {}
    for direction in BOTH:
        timed = [
            (each["goodput_gbps"], each["rtt_ms"])
            for each in connections
            if each["direction"] == direction.name and each["rtt_ms"] is not None
        ]
        total = sum(weight for weight, _ in timed)
        if total:
            mean = sum(weight * rtt for weight, rtt in timed) / total
            found[direction.key("path_rtt_ms")] = round(mean, 6)
    return found
