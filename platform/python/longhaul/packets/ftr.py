# SPDX-License-Identifier: Apache-2.0
"""packets.bin as a transaction trace in FTR, for Surfer and SCViewer.

FTR is a CBOR array of tagged chunks, as Minres' LWTR4SC writes it (src/ftr/ftr_writer.h): info,
dictionary, lists of streams, blocks of transactions, relations. Chunks are not compressed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from longhaul.packets import cbor
from longhaul.packets.file import Packets, Stage, Step

_SELF_DESCRIBED = 55799  # RFC 8949, 3.4.6
_INFO, _DICTIONARY, _DIRECTORY, _BLOCK, _RELATIONS = 6, 8, 10, 12, 14  # tags of chunks
_STREAM, _GENERATOR = 16, 17  # tags in a list of streams
_TRANSACTION, _AT_BEGIN = 6, 7  # tags in a block
_EPOCH = 1  # tag: seconds since 1970
_PICOSECONDS = -12  # power of ten
_UNSIGNED, _STRING = 3, 10  # types of attributes
_BLOCK_BYTES = 1 << 16
_NEXT = "next stage"
_KIND = "packets"


def write(packets: Packets, target: Path) -> int:
    """Write the trace and return its number of transactions.

    A stream is a place, a generator a kind of stage there. A transaction has the packet's number,
    its text, address, bytes and fault. A relation leads from each stage of a packet to its next.
    """
    part = target.with_name(f"{target.name}.part")
    with part.open("wb") as stream:
        count = _Writer(packets, stream).write()
    part.replace(target)
    return count


class _Writer:
    """Puts chunks into a file; strings are known by their number in the dictionary."""

    def __init__(self, packets: Packets, stream: BinaryIO) -> None:
        self._packets = packets
        self._stream = stream
        self._strings: dict[str, int] = {"": 0}
        self._new: dict[int, str] = {0: ""}

    def write(self) -> int:
        self._stream.write(cbor.tag(_SELF_DESCRIBED, cbor.OPEN_ARRAY))
        created = cbor.tag(_EPOCH, cbor.integer(0))  # a run's files do not depend on the date
        self._chunk(_INFO, cbor.array(cbor.integer(_PICOSECONDS), created))
        generators = self._directory()
        count = self._blocks(generators)
        self._relations()
        self._stream.write(cbor.BREAK)
        return count

    def _chunk(self, tag: int, content: bytes, *head: int) -> None:
        item = cbor.data(content)
        if head:
            item = cbor.array(*map(cbor.integer, head), item)
        self._stream.write(cbor.tag(tag, item))

    def _string(self, text: str) -> int:
        number = self._strings.get(text)
        if number is None:
            number = self._strings[text] = len(self._strings)
            self._new[number] = text
        return number

    def _flush_strings(self) -> None:
        if self._new:
            self._chunk(_DICTIONARY, cbor.table(self._new))
            self._new = {}

    def _directory(self) -> dict[tuple[int, int], int]:
        """Write streams and generators; return each generator's number by place and stage."""
        stages = self._packets.stages
        pairs = sorted(
            {(int(p), int(k)) for p, k in zip(stages["place"], stages["kind"], strict=True)}
        )
        content = bytearray(cbor.OPEN_ARRAY)
        for place in sorted({place for place, _ in pairs}):
            name, kind = self._string(self._packets.places[place]), self._string(_KIND)
            content += cbor.tag(_STREAM, cbor.integers(_stream_of(place), name, kind))
        generators: dict[tuple[int, int], int] = {}
        for number, (place, kind) in enumerate(pairs, len(self._packets.places) + 1):
            generators[place, kind] = number
            name = self._string(Stage(kind).text)
            content += cbor.tag(_GENERATOR, cbor.integers(number, name, _stream_of(place)))
        self._flush_strings()
        self._chunk(_DIRECTORY, bytes(content + cbor.BREAK))
        return generators

    def _blocks(self, generators: dict[tuple[int, int], int]) -> int:
        """Write all transactions, stream by stream in the order of their begin."""
        stages = self._packets.stages
        for place in sorted(set(stages["place"].tolist())):
            rows = (stages["place"] == place).nonzero()[0]
            rows = rows[stages["start_ps"][rows].argsort(kind="stable")]
            block, begin, end = bytearray(cbor.OPEN_ARRAY), None, 0
            for row in rows.tolist():
                step = self._packets.step(stages[row])
                generator = generators[place, step.stage]
                block += self._transaction(row, generator, step)
                begin = step.start_ps if begin is None else begin
                end = max(end, step.end_ps)
                if len(block) > _BLOCK_BYTES:
                    self._block(block, place, begin, end)
                    block, begin, end = bytearray(cbor.OPEN_ARRAY), None, 0
            if begin is not None:
                self._block(block, place, begin, end)
        return len(stages)

    def _block(self, content: bytearray, place: int, begin: int, end: int) -> None:
        self._flush_strings()
        self._chunk(_BLOCK, bytes(content + cbor.BREAK), _stream_of(place), begin, end)

    def _transaction(self, row: int, generator: int, step: Step) -> bytes:
        times = cbor.integers(row + 1, generator, step.start_ps, step.end_ps)
        items = [cbor.tag(_TRANSACTION, times)]
        for name, value in (
            ("packet", step.packet),
            ("address", step.address),
            ("bytes", step.bytes),
        ):
            if value:
                items.append(self._attribute(name, _UNSIGNED, value))
        text = self._packets.texts.get(step.packet, "")
        for name, words in (("frame", text), ("fault", step.fault)):
            if words:
                items.append(self._attribute(name, _STRING, self._string(words)))
        return cbor.array(*items)

    def _attribute(self, name: str, kind: int, value: int) -> bytes:
        return cbor.tag(_AT_BEGIN, cbor.integers(self._string(name), kind, value))

    def _relations(self) -> None:
        name = self._string(_NEXT)
        content = bytearray(cbor.OPEN_ARRAY)
        for source, sink, from_place, to_place in self._neighbours():
            content += cbor.integers(
                name, source, sink, _stream_of(from_place), _stream_of(to_place)
            )
            if len(content) > _BLOCK_BYTES:
                self._flush_strings()
                self._chunk(_RELATIONS, bytes(content + cbor.BREAK))
                content = bytearray(cbor.OPEN_ARRAY)
        if len(content) > len(cbor.OPEN_ARRAY):
            self._flush_strings()
            self._chunk(_RELATIONS, bytes(content + cbor.BREAK))

    def _neighbours(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield the numbers of transactions that follow each other, and their places."""
        stages = self._packets.stages
        numbers, places = stages["packet"], stages["place"]
        for row in (numbers[1:] == numbers[:-1]).nonzero()[0].tolist():
            yield row + 1, row + 2, int(places[row]), int(places[row + 1])


def _stream_of(place: int) -> int:
    return place + 1
