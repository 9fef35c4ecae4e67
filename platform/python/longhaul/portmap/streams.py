# SPDX-License-Identifier: Apache-2.0
"""Ports to the wire that are made of two AXI4-Streams of a port map."""

from __future__ import annotations

from collections.abc import Iterator

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.portmap.problems import Problem
from longhaul.portmap.schema import PortMap, Stream

KIND = "axi4-stream"
LEAST_BUFFER, MOST_BUFFER = 2 << 10, 64 << 20


def problems(map_: PortMap) -> Iterator[Problem]:
    """Yield what is wrong with a map's streams, the first thing first."""
    for name, stream in map_.streams.items():
        if name in map_.interfaces:
            yield ("streams", name), f"there is an interface {name}, too"
        yield from _stream_problems(map_, name, stream)


def interfaces(map_: PortMap) -> set[str]:
    """Return the names of the interfaces that the streams are made of."""
    return {name for each in map_.streams.values() for name in (each.transmit, each.receive)}


def _stream_problems(map_: PortMap, name: str, stream: Stream) -> Iterator[Problem]:
    roles = {"transmit": "manager", "receive": "subordinate"}
    for key, role in roles.items():
        where = ("streams", name, key)
        wanted = getattr(stream, key)
        if wanted not in map_.interfaces:
            near = did_you_mean(wanted, map_.interfaces)
            yield where, f"there is no interface {wanted!r}{near}"
            continue
        interface = map_.interfaces[wanted]
        if interface.kind != KIND:
            yield where, f"{wanted} is {interface.kind}; wants {KIND}"
        elif interface.role != role:
            yield where, f"the block is the {interface.role} of {wanted}; wants the {role}"
        owner = next((each for each in map_.streams if _uses(map_, each, wanted)), name)
        if owner != name:
            yield where, f"{wanted} belongs to streams.{owner} already"
    try:
        size = stream.buffer_bytes()
    except UsageError as error:
        yield ("streams", name), str(error)
        return
    if not LEAST_BUFFER <= size <= MOST_BUFFER:
        yield ("streams", name, "buffer"), f"{stream.buffer}: wants 2KiB to 64MiB"


def _uses(map_: PortMap, stream: str, interface: str) -> bool:
    return interface in (map_.streams[stream].transmit, map_.streams[stream].receive)
