# SPDX-License-Identifier: Apache-2.0
"""spans.bin (version 1) to a Perfetto trace: a group per machine, a track per SpanTap.

Of a run that followed its packets the trace has their stages, too (timeline_packets).
"""

from __future__ import annotations

import heapq
import os
import struct
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, starmap
from pathlib import Path
from typing import Any, BinaryIO, cast

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import (  # pyright: ignore[reportMissingTypeStubs]
    Trace,  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
    TracePacket,  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
    TrackDescriptor,  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
    TrackEvent,  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
)

from longhaul.errors import LonghaulError
from longhaul.packets.file import Packets, Step
from longhaul.results import timeline_packets, timeline_tracks

_HEADER = struct.Struct("<8sIIIIQQQQQ")
_RECORD = struct.Struct("<QQQQII")
_MAGIC = b"LHSPANS1"
_SEQUENCE = 1
_BATCH = 4096  # packets per write
CHUNK = 1 << 16  # spans in memory at a time
_ROOT = 0  # the uuid that all tracks without a parent hang from
_ARGUMENT_IDS = {name: iid for iid, name in enumerate(timeline_tracks.NAMES, 1)}

Event = Any  # a protobuf TracePacket; the package ships no types


# One stretch of time on a track, as it is sorted: track, start, minus end (the longer of two that
# start together comes first), argument 0, argument 1, label. Times are in picoseconds.
Span = tuple[int, int, int, int, int, int]
_SORTED = struct.Struct("<QQqQQQ")


@dataclass(frozen=True)
class Index:
    """All of a spans.bin but its records."""

    tracks: list[tuple[str, str]]  # name, description
    labels: list[str]
    records_at: int
    records: int

    @classmethod
    def read(cls, stream: BinaryIO, path: Path) -> Index:
        """Read and check the file's ends; a LonghaulError says what is wrong with it."""
        size = stream.seek(0, os.SEEK_END)
        stream.seek(0)
        head = stream.read(_HEADER.size)
        if len(head) < _HEADER.size or head[:8] != _MAGIC:
            raise LonghaulError(f"{path}: not a span file of version 1")
        (_, header, record, track_count, label_count, at, count, labels_at, _, _) = _HEADER.unpack(
            head
        )
        if record != _RECORD.size or at + count * record > size or labels_at > size:
            raise LonghaulError(f"{path}: the span file is cut short")
        stream.seek(header)
        texts = _texts(stream, path)
        tracks = [(next(texts), next(texts)) for _ in range(track_count)]
        stream.seek(labels_at)
        texts = _texts(stream, path)
        labels = [next(texts) for _ in range(label_count)]
        return cls(tracks, labels, at, count)


def _texts(stream: BinaryIO, path: Path) -> Iterator[str]:
    while True:
        length = int.from_bytes(stream.read(2), "little")
        text = stream.read(length)
        if len(text) < length:
            raise LonghaulError(f"{path}: the span file is cut short")
        yield text.decode()


def _chunks(stream: BinaryIO, index: Index) -> Iterator[list[Span]]:
    """Read the records, a sorted chunk at a time."""
    stream.seek(index.records_at)
    left = index.records
    while left:
        data = stream.read(min(left, CHUNK) * _RECORD.size)
        left -= len(data) // _RECORD.size
        yield sorted(
            (track, start, -end, arg0, arg1, label)
            for start, end, arg0, arg1, track, label in _RECORD.iter_unpack(data)
        )


def _run_of(stream: BinaryIO, at: int, count: int, most: int) -> Iterator[Span]:
    """Read back a sorted chunk, `most` spans at a time."""
    while count:
        piece = min(count, most)
        data = os.pread(stream.fileno(), piece * _SORTED.size, at)
        at, count = at + len(data), count - piece
        yield from cast(Iterator[Span], _SORTED.iter_unpack(data))


def sorted_spans(stream: BinaryIO, index: Index, folder: Path) -> Iterator[Span]:
    """Yield every span by track and start, in memory that does not grow with their number.

    Sorted chunks go to a temporary file in `folder` and are merged from there.
    """
    with tempfile.TemporaryFile(dir=folder) as scratch:
        runs: list[tuple[int, int]] = []
        for chunk in _chunks(stream, index):
            runs.append((scratch.tell(), len(chunk)))
            scratch.write(b"".join(starmap(_SORTED.pack, chunk)))
        scratch.flush()
        piece = max(16, CHUNK // max(1, len(runs)))  # all pieces together are as large as a chunk
        yield from heapq.merge(*(_run_of(scratch, at, count, piece) for at, count in runs))


class Lanes:
    """Puts spans, in order of their starts, on lanes where any two are disjoint or nested.

    That is what Perfetto wants of a track. Holds the open spans only.
    """

    def __init__(self) -> None:
        self._open: list[list[int]] = []  # the ends of each lane's open spans, the innermost last

    def take(self, start: int, end: int) -> tuple[int, list[tuple[int, int]]]:
        """Return the span's lane, and the lane and end of each span that ends before it there."""
        ended: list[tuple[int, int]] = []
        for lane, stack in enumerate(self._open):
            while stack and stack[-1] <= start:
                ended.append((lane, stack.pop()))
            if not stack or end <= stack[-1]:
                break
        else:
            lane, stack = len(self._open), list[int]()
            self._open.append(stack)
        if end > start:  # an instant is over at once
            stack.append(end)
        return lane, ended

    def close(self) -> list[tuple[int, int]]:
        """Return lane and end of what is still open."""
        ended = [(lane, end) for lane, s in enumerate(self._open) for end in reversed(s)]
        self._open.clear()
        return ended


def convert(
    source: Path,
    target: Path,
    window: tuple[int, int] | None = None,
    packets: Packets | None = None,
) -> int:
    """Write the Perfetto trace, times floored to nanoseconds; return how many spans it holds.

    `window` is the measured window in picoseconds; it gets a track of its own above all machines.
    Stages of packets get rows below those of their machine, and those of links below all machines.
    """
    part = target.with_name(f"{target.name}.part")
    with source.open("rb") as stream:
        index = Index.read(stream, source)
        with part.open("wb") as out:
            writer = _Writer(out)
            writer.descriptors(index)
            if window:
                writer.window(*window)
            spans = sorted_spans(stream, index, target.parent)
            for track, of_track in groupby(spans, key=lambda span: span[0]):
                if track >= len(index.tracks):
                    raise LonghaulError(f"{source}: a span is of track {track}, which is not there")
                writer.track(index.tracks[track], of_track)
            if packets:
                timeline_packets.add(writer, packets)
            writer.flush()
    part.replace(target)
    return index.records


class _Writer:
    """Streams packets; every track and lane has its own uuid."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._batch: Any = Trace()
        self._groups: dict[str, int] = {}
        self._next_uuid = 1

    def flush(self) -> None:
        self._stream.write(self._batch.SerializeToString())
        self._batch = Trace()

    def _packet(self) -> Event:
        if len(self._batch.packet) >= _BATCH:
            self.flush()
        packet = self._batch.packet.add()
        packet.trusted_packet_sequence_id = _SEQUENCE
        packet.sequence_flags = TracePacket.SEQ_NEEDS_INCREMENTAL_STATE
        return packet

    def descriptors(self, index: Index) -> None:
        """Announce the interned names."""
        packet = self._packet()
        packet.sequence_flags = TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
        for iid, text in enumerate(index.labels, 1):
            name = packet.interned_data.event_names.add()
            name.iid, name.name = iid, text
        for text, iid in _ARGUMENT_IDS.items():
            name = packet.interned_data.debug_annotation_names.add()
            name.iid, name.name = iid, text
        root = self._packet().track_descriptor
        root.uuid, root.child_ordering = _ROOT, TrackDescriptor.EXPLICIT
        # Declared up front, so that rows stand in their order whichever has a span first.
        self._groups[""] = _ROOT
        machines = dict.fromkeys(timeline_tracks.row(name).machine for name, _ in index.tracks)
        for rank, machine in enumerate(machine for machine in machines if machine):
            self._groups[machine] = self._descriptor(machine, rank=rank + 1)

    def window(self, begin_ps: int, end_ps: int) -> None:
        """Write the measured window."""
        uuid = self._descriptor("measured window")
        self._event(uuid, begin_ps, TrackEvent.TYPE_SLICE_BEGIN).name = "measured window"
        self._event(uuid, end_ps, TrackEvent.TYPE_SLICE_END)

    def track(self, track: tuple[str, str], spans: Iterable[Span]) -> None:
        """Write one SpanTap's spans; where some overlap, on lanes called "name (2)" and so on."""
        path, description = track
        row = timeline_tracks.row(path)
        parent = self._groups[row.machine]
        about = f"{path}: {description}. {row.note}".strip()
        names = [(_ARGUMENT_IDS[n], n in timeline_tracks.ADDRESSES) if n else None
                 for n in row.arguments]  # fmt: skip
        lanes, uuids = Lanes(), list[int]()
        for _, start, minus_end, arg0, arg1, label in spans:
            lane, ended = lanes.take(start, -minus_end)
            for its_lane, end in ended:
                self._event(uuids[its_lane], end, TrackEvent.TYPE_SLICE_END)
            if lane == len(uuids):
                suffix = f" ({lane + 1})" if lane else ""
                uuids.append(self._descriptor(f"{row.name}{suffix}", parent, about, row.rank))
            instant = start == -minus_end
            kind = TrackEvent.TYPE_INSTANT if instant else TrackEvent.TYPE_SLICE_BEGIN
            event = self._event(uuids[lane], start, kind)
            event.name_iid = label + 1
            for name, value in zip(names, (arg0, arg1), strict=True):
                if name is None:
                    continue
                argument = event.debug_annotations.add()
                argument.name_iid, is_address = name
                if is_address:
                    argument.pointer_value = value
                else:
                    argument.uint_value = value
        for lane, end in lanes.close():
            self._event(uuids[lane], end, TrackEvent.TYPE_SLICE_END)

    def group(self, machine: str) -> int:
        """Return the group of a machine's rows."""
        if machine not in self._groups:
            self._groups[machine] = self._descriptor(machine, rank=len(self._groups))
        return self._groups[machine]

    def steps(self, name: str, parent: int, about: str, rank: int, steps: list[Step]) -> None:
        """Write a row of packets' stages; each is of the flow with its packet's number."""
        lanes, uuids = Lanes(), list[int]()
        for step in steps:
            lane, ended = lanes.take(step.start_ps, step.end_ps)
            for its_lane, end in ended:
                self._event(uuids[its_lane], end, TrackEvent.TYPE_SLICE_END)
            if lane == len(uuids):
                suffix = f" ({lane + 1})" if lane else ""
                uuids.append(self._descriptor(f"{name}{suffix}", parent, about, rank))
            instant = step.start_ps == step.end_ps
            kind = TrackEvent.TYPE_INSTANT if instant else TrackEvent.TYPE_SLICE_BEGIN
            event = self._event(uuids[lane], step.start_ps, kind)
            event.name = f"#{step.packet} {step.stage.text}"
            event.flow_ids.append(step.packet)
            for key, value in (("packet id", step.packet), ("bytes", step.bytes)):
                argument = event.debug_annotations.add()
                argument.name, argument.uint_value = key, value
            if step.address:
                argument = event.debug_annotations.add()
                argument.name, argument.pointer_value = "address", step.address
            if step.fault:
                argument = event.debug_annotations.add()
                argument.name, argument.string_value = "fault", step.fault
        for lane, end in lanes.close():
            self._event(uuids[lane], end, TrackEvent.TYPE_SLICE_END)

    def _descriptor(
        self, name: str, parent: int = _ROOT, description: str = "", rank: int = 0
    ) -> int:
        uuid = self._next_uuid
        self._next_uuid += 1
        descriptor = self._packet().track_descriptor
        descriptor.uuid, descriptor.name, descriptor.sibling_order_rank = uuid, name, rank
        descriptor.parent_uuid = parent
        if parent == _ROOT:
            descriptor.child_ordering = TrackDescriptor.EXPLICIT
        if description:
            descriptor.description = description
        return uuid

    def _event(self, uuid: int, at_ps: int, kind: int) -> Event:
        packet = self._packet()
        packet.timestamp = at_ps // 1000
        packet.track_event.type, packet.track_event.track_uuid = kind, uuid
        return packet.track_event
