# SPDX-License-Identifier: Apache-2.0
"""spans.bin (version 1) to a Perfetto trace: a group per machine, a track per SpanTap."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import (  # pyright: ignore[reportMissingTypeStubs]
    Trace,  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
    TracePacket,  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
    TrackEvent,  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
)

from longhaul.errors import LonghaulError

_HEADER = struct.Struct("<8sIIIIQQQQQ")
_RECORD = struct.Struct("<QQQQII")
_MAGIC = b"LHSPANS1"
_SEQUENCE = 1
_BATCH = 4096  # packets per write
_ARGUMENTS = (1, 2)  # interned names of arg0 and arg1

Event = Any  # a protobuf TracePacket; the package ships no types


@dataclass(frozen=True, slots=True)
class Span:
    """One stretch of time on a track."""

    start_ps: int
    end_ps: int
    arg0: int
    arg1: int
    label: int


@dataclass(frozen=True)
class Spans:
    """A whole spans.bin."""

    tracks: list[tuple[str, str]]  # name, description
    labels: list[str]
    spans: list[list[Span]]  # by track
    lost: int

    @classmethod
    def read(cls, path: Path) -> Spans:
        """Read and check the file; a LonghaulError says what is wrong with it."""
        data = path.read_bytes()
        if len(data) < _HEADER.size or data[:8] != _MAGIC:
            raise LonghaulError(f"{path}: not a span file of version 1")
        (_, header, record, track_count, label_count, at, count, labels_at, lost, _) = (
            _HEADER.unpack_from(data)
        )
        if record != _RECORD.size or at + count * record > len(data) or labels_at > len(data):
            raise LonghaulError(f"{path}: the span file is cut short")
        texts = _texts(data, header)
        tracks = [(next(texts), next(texts)) for _ in range(track_count)]
        texts = _texts(data, labels_at)
        labels = [next(texts) for _ in range(label_count)]
        spans: list[list[Span]] = [[] for _ in range(track_count)]
        records = memoryview(data)[at : at + count * record]
        for start, end, arg0, arg1, track, label in _RECORD.iter_unpack(records):
            spans[int(track)].append(Span(start, end, arg0, arg1, label))
        return cls(tracks, labels, spans, lost)


def _texts(data: bytes, offset: int) -> Iterator[str]:
    while True:
        (length,) = struct.unpack_from("<H", data, offset)
        yield data[offset + 2 : offset + 2 + length].decode()
        offset += 2 + length


def lanes(spans: Iterable[Span]) -> list[list[Span]]:
    """Split spans into lanes in which any two are disjoint or nested, as Perfetto wants."""
    made: list[list[Span]] = []
    open_spans: list[list[Span]] = []
    for span in sorted(spans, key=lambda s: (s.start_ps, -s.end_ps)):
        for lane, stack in zip(made, open_spans, strict=True):
            while stack and stack[-1].end_ps <= span.start_ps:
                stack.pop()
            if not stack or span.end_ps <= stack[-1].end_ps:
                lane.append(span)
                stack.append(span)
                break
        else:
            made.append([span])
            open_spans.append([span])
    return made


def convert(source: Path, target: Path) -> int:
    """Write the Perfetto trace, times floored to nanoseconds; return how many spans it holds."""
    spans = Spans.read(source)
    part = target.with_name(f"{target.name}.part")
    with part.open("wb") as stream:
        writer = _Writer(stream)
        writer.descriptors(spans)
        for index in range(len(spans.tracks)):
            writer.track(index, spans)
        writer.flush()
    part.replace(target)
    return sum(map(len, spans.spans))


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

    def descriptors(self, spans: Spans) -> None:
        """Announce the interned names."""
        packet = self._packet()
        packet.sequence_flags = TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
        for iid, text in enumerate(spans.labels, 1):
            name = packet.interned_data.event_names.add()
            name.iid, name.name = iid, text
        for iid, text in zip(_ARGUMENTS, ("arg0", "arg1"), strict=True):
            name = packet.interned_data.debug_annotation_names.add()
            name.iid, name.name = iid, text

    def track(self, index: int, spans: Spans) -> None:
        """Write one SpanTap's lanes."""
        name, description = spans.tracks[index]
        machine, _, place = name.partition(".")
        if machine not in self._groups:
            self._groups[machine] = self._descriptor(machine)
        parent = self._groups[machine]
        made = lanes(spans.spans[index])
        for number, lane in enumerate(made):
            title = place or name
            suffix = f" ({number + 1})" if len(made) > 1 else ""
            uuid = self._descriptor(f"{title}{suffix}", parent, description)
            self._lane(uuid, lane)

    def _descriptor(self, name: str, parent: int = 0, description: str = "") -> int:
        uuid = self._next_uuid
        self._next_uuid += 1
        descriptor = self._packet().track_descriptor
        descriptor.uuid, descriptor.name = uuid, name
        if parent:
            descriptor.parent_uuid = parent
        if description:
            descriptor.description = description
        return uuid

    def _lane(self, uuid: int, lane: list[Span]) -> None:
        stack: list[Span] = []
        for span in lane:
            while stack and stack[-1].end_ps <= span.start_ps:
                self._end(uuid, stack.pop())
            instant = span.start_ps == span.end_ps
            kind = TrackEvent.TYPE_INSTANT if instant else TrackEvent.TYPE_SLICE_BEGIN
            event = self._event(uuid, span.start_ps, kind)
            event.name_iid = span.label + 1
            for iid, value in zip(_ARGUMENTS, (span.arg0, span.arg1), strict=True):
                argument = event.debug_annotations.add()
                argument.name_iid, argument.uint_value = iid, value
            if not instant:
                stack.append(span)
        while stack:
            self._end(uuid, stack.pop())

    def _end(self, uuid: int, span: Span) -> None:
        self._event(uuid, span.end_ps, TrackEvent.TYPE_SLICE_END)

    def _event(self, uuid: int, at_ps: int, kind: int) -> Event:
        packet = self._packet()
        packet.timestamp = at_ps // 1000
        packet.track_event.type, packet.track_event.track_uuid = kind, uuid
        return packet.track_event
