# SPDX-License-Identifier: Apache-2.0
"""Reads a timeline back: rows, their order, and the slices on them."""

from __future__ import annotations

import functools
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent


@dataclass(frozen=True)
class Slice:
    """One stretch of time with its label and numbers; nanoseconds, floored."""

    begin_ns: int
    end_ns: int
    label: str
    numbers: dict[str, int]


@dataclass
class Row:
    """A track: its name, its group's name ("" at the top), its place there, and what is on it."""

    name: str
    group: str
    rank: int
    slices: list[Slice] = field(default_factory=list)
    instants: list[Slice] = field(default_factory=list)  # which end where they begin


@functools.cache
def read(path: Path) -> list[Row]:
    """Return all tracks of a trace, in the order in which they are declared."""
    trace = Trace()
    trace.ParseFromString(path.read_bytes())
    labels: dict[int, str] = {}
    words: dict[int, str] = {}
    names: dict[int, str] = {}
    rows: dict[int, Row] = {}
    stacks: dict[int, list[tuple[int, str, dict[str, int]]]] = defaultdict(list)
    for packet in trace.packet:
        if packet.HasField("track_event"):
            event = packet.track_event
            stack = stacks[event.track_uuid]
            if event.type in (TrackEvent.TYPE_SLICE_BEGIN, TrackEvent.TYPE_INSTANT):
                numbers = {
                    words[note.name_iid]: note.pointer_value or note.uint_value
                    for note in event.debug_annotations
                }
                label = event.name or labels[event.name_iid]
                at = packet.timestamp
                if event.type == TrackEvent.TYPE_INSTANT:
                    rows[event.track_uuid].instants.append(Slice(at, at, label, numbers))
                else:
                    stack.append((at, label, numbers))
            elif event.type == TrackEvent.TYPE_SLICE_END:
                begin_ns, label, numbers = stack.pop()
                slices = rows[event.track_uuid].slices
                slices.append(Slice(begin_ns, packet.timestamp, label, numbers))
        elif packet.HasField("track_descriptor"):
            track = packet.track_descriptor
            names[track.uuid] = track.name
            if track.name:
                group = names[track.parent_uuid]
                rows[track.uuid] = Row(track.name, group, track.sibling_order_rank)
        labels |= {name.iid: name.name for name in packet.interned_data.event_names}
        words |= {name.iid: name.name for name in packet.interned_data.debug_annotation_names}
    assert not any(stacks.values())
    return list(rows.values())
