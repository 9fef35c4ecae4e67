# SPDX-License-Identifier: Apache-2.0
"""The test bench around the receive path: a line of words, and an engine that takes frames."""

from __future__ import annotations

import random
import struct
from collections import deque
from dataclasses import replace
from typing import Any

from cocotb.triggers import FallingEdge
from nic_line import with_fcs, words_of
from nic_rx_model import EXACT, MULTI, Kept, Receiver, Settings, Sums, crc_right, filtered, sums_of

CAPACITY = 32768 // 8  # words
OURS = bytes.fromhex("0207e9000001")
BROADCAST = b"\xff" * 6
LONGEST = 16383
# rx_event_t and rx_filter_t, the last field lowest.
EVENT = (("total", 1), ("octets", 15), ("sort", 2), ("vlan", 1), ("jumbo", 1), ("good", 1),
         ("missed", 1), ("no_descriptor", 1), ("fcs_bad", 1), ("runt", 1), ("oversize", 1),
         ("jabber", 1), ("length_bad", 1), ("control", 1), ("xon", 1), ("xoff", 1))  # fmt: skip
FILTER = (("match", 1), ("by_name", 1), ("vlan_ok", 1), ("vlan", 1), ("sort", 2), ("tag", 16),
          ("kind", 16))  # fmt: skip
INFO = (("bytes", 15), ("special", 16), ("errors", 8), ("status", 8), ("checksum", 16))


def fields(layout: tuple[tuple[str, int], ...], value: int) -> dict[str, int]:
    """Take a packed structure apart."""
    found: dict[str, int] = {}
    for name, bits in reversed(layout):
        found[name] = value & ((1 << bits) - 1)
        value >>= bits
    return found


class Receive:
    """The receive path, the line in front of it and the engine behind it."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.model = Receiver()
        self.clocks = 0
        self.drain = 1.0  # how likely the engine takes a word or an info
        self.events: deque[tuple[int, dict[str, int]]] = deque()  # due, wanted
        self.verdicts: deque[tuple[int, bytes, dict[str, int], Sums]] = deque()
        self.wanted: deque[Kept] = deque()
        self.kept_words = 0  # of frames that the engine has not given back
        self.coming: deque[Kept] = deque()  # infos taken, words to come
        self.back: deque[tuple[int, int]] = deque()  # when to give back, words
        self.data = bytearray()
        self.missed = 0
        self.got = 0
        self.taking = False

    async def start(self) -> None:
        """Leave reset, wait until the tables are clear."""
        dut = self.dut
        for name in ("enable_i", "rctl_i", "vme_i", "ipofl_i", "tuofl_i", "limit_i",
                     "descriptors_i", "table_we_i", "table_re_i", "table_i", "table_place_i",
                     "table_wdata_i", "line_valid_i", "line_i", "info_ready_i", "word_ready_i",
                     "release_i", "release_words_i", "rst_ni"):  # fmt: skip
            getattr(dut, name).value = 0
        for _ in range(8):
            await FallingEdge(dut.clk)
        dut.rst_ni.value = 1
        for _ in range(140):
            await FallingEdge(dut.clk)
        assert int(dut.table_ready_o.value) and not int(dut.busy_o.value)
        await self.set()

    async def set(self, **changes: Any) -> None:
        """Change settings while nothing comes."""
        await self.clock(8)
        self.model.settings = now = replace(self.model.settings, **changes)
        for name, value in (("enable", now.enable), ("rctl", now.rctl), ("vme", now.vme),
                            ("ipofl", now.ipofl), ("tuofl", now.tuofl), ("limit", now.limit),
                            ("descriptors", now.descriptors)):  # fmt: skip
            getattr(self.dut, f"{name}_i").value = int(value)

    @property
    def settings(self) -> Settings:
        """What is set."""
        return self.model.settings

    # ---- Tables ----

    async def write(self, table: int, place: int, value: int) -> None:
        """Write a word of a table."""
        words = (self.model.tables.exact, self.model.tables.multi, self.model.tables.vlan)[table]
        words[place] = value & (0x8003FFFF if table == EXACT and place % 2 else 0xFFFFFFFF)
        dut = self.dut
        dut.table_we_i.value, dut.table_i.value = 1, table
        dut.table_place_i.value, dut.table_wdata_i.value = place, value
        await self.clock()
        dut.table_we_i.value = 0

    async def read(self, table: int, place: int) -> int:
        """Read a word of a table."""
        dut = self.dut
        dut.table_re_i.value, dut.table_i.value, dut.table_place_i.value = 1, table, place
        await self.clock()
        dut.table_re_i.value = 0
        return int(dut.table_rdata_o.value)

    async def set_exact(self, entry: int, address: bytes, valid: bool = True,
                        by_source: int = 0) -> None:  # fmt: skip
        """Write an exact entry."""
        await self.write(EXACT, 2 * entry, int.from_bytes(address[:4], "little"))
        high = int.from_bytes(address[4:], "little") | by_source << 16 | valid << 31
        await self.write(EXACT, 2 * entry + 1, high)

    async def set_multi(self, number: int) -> None:
        """Set a bit of the multicast table."""
        await self.write(MULTI, number >> 5, self.model.tables.multi[number >> 5]
                         | 1 << (number & 31))  # fmt: skip

    # ---- Clocks ----

    async def clock(self, count: int = 1) -> None:
        """Let clocks pass: look at what comes out, and drive the engine's side."""
        for _ in range(count):
            await FallingEdge(self.dut.clk)
            self.clocks += 1
            self._look()
            self._take()

    def _look(self) -> None:
        """Hold verdicts and events to the model."""
        dut = self.dut
        while self.verdicts and self.verdicts[0][0] == self.clocks:
            self._check_verdict(*self.verdicts.popleft()[1:])
        if self.events and self.events[0][0] == self.clocks:
            assert int(dut.event_valid_o.value), "no event"
            got = {name: value for name, value in fields(EVENT, int(dut.event_o.value)).items()
                   if value}  # fmt: skip
            wanted = {name: value for name, value in self.events.popleft()[1].items() if value}
            assert got == wanted
        else:
            assert not int(dut.event_valid_o.value), "an event without a frame"

    def _check_verdict(self, frame: bytes, wanted: dict[str, int], sums: Sums) -> None:
        """Hold what filter and sums say of a frame of proper length to the model."""
        assert fields(FILTER, int(self.dut.filter_o.value)) == wanted, frame.hex()
        bits = int(self.dut.sums_o.value)
        for right, checked, good in ((sums.ip, bits >> 3 & 1, bits >> 2 & 1),
                                      (sums.l4, bits >> 1 & 1, bits & 1)):  # fmt: skip
            assert checked == (right is not None), frame.hex()
            assert not checked or good == right, frame.hex()

    def _take(self) -> None:
        """Take an info or a word, give room back."""
        dut = self.dut
        giving = bool(self.back) and self.back[0][0] <= self.clocks
        dut.release_i.value = int(giving)
        if giving:
            words = self.back.popleft()[1]
            dut.release_words_i.value = words
            self.kept_words -= words
        if self.drain == 0 and not self.taking:
            return
        ready = self.taking = random.random() < self.drain
        dut.info_ready_i.value = dut.word_ready_i.value = int(ready)
        if not ready:
            return
        if int(dut.word_valid_o.value):
            self._word(int(dut.word_o.value))
        if int(dut.info_valid_o.value):
            info = fields(INFO, int(dut.info_o.value))
            kept = self.wanted.popleft()
            assert info == {
                "bytes": len(kept.data), "special": kept.special, "errors": kept.errors,
                "status": kept.status, "checksum": 0,
            }, (info, kept)  # fmt: skip
            assert int(dut.info_words_o.value) == kept.words
            self.coming.append(kept)

    def _word(self, word: int) -> None:
        """Take a word of the oldest frame whose info was taken."""
        lanes = (word >> 64 & 7) + 1
        data = word & (1 << 64) - 1
        assert data >> 8 * lanes == 0, "bytes beyond the frame are not zero"
        assert self.coming, "a word without an info"
        self.data += data.to_bytes(8, "little")[:lanes]
        if word >> 67 & 1:
            kept = self.coming.popleft()
            assert bytes(self.data) == kept.data
            self.data.clear()
            self.got += 1
            self.back.append((self.clocks + random.choice((1, 1, 2, 30)), kept.words))
        else:
            assert lanes == 8

    # ---- Frames ----

    async def frame(self, frame: bytes, error: bool = False, gap: int = 1, bubbles: float = 0,
                    room: bool = True) -> None:  # fmt: skip
        """Send a frame, FCS included, and idle behind it."""
        dut = self.dut
        marks = int(error) << 69 | int(not crc_right(frame)) << 68
        for word in words_of(frame):
            while random.random() < bubbles:
                await self.clock()
            dut.line_i.value = word | (marks if word >> 67 else 0)
            dut.line_valid_i.value = 1
            await self.clock()
            dut.line_valid_i.value = 0
        # The last word was driven a clock ago: this is the first clock after it.
        if 64 <= len(frame):
            wanted = filtered(self.model.tables, self.settings.rctl, frame)
            self.verdicts.append((self.clocks + 2, frame, wanted, sums_of(frame[:-4])))
        event, kept = self.model.take(frame, error, room)
        if event:
            self.events.append((self.clocks + 3, event))
        if kept:
            self.wanted.append(kept)
            self.kept_words += kept.words
        self.missed += event.get("missed", 0)
        await self.clock(gap)

    async def finish(self) -> None:
        """Let all that was sent come out."""
        for _ in range(60_000):
            if not (self.wanted or self.coming or self.back):
                break
            await self.clock()
        assert not (self.wanted or self.coming or self.data), "frames are missing"
        await self.clock(8)
        assert not self.events and not self.verdicts
        assert int(self.dut.fill_o.value) == 0 and not int(self.dut.busy_o.value)


def frame_to(to: bytes, octets: int = 64, source: bytes | None = None, tag: int | None = None,
             kind: int = 0x0806) -> bytes:  # fmt: skip
    """Return a frame of so many octets, its FCS included."""
    header = to + (source or random.randbytes(6))
    if tag is not None:
        header += struct.pack("!HH", 0x8100, tag)
    header += struct.pack("!H", kind)
    return with_fcs(header + random.randbytes(octets - 4 - len(header)))


def damaged(frame: bytes) -> bytes:
    """Return a frame with a wrong bit behind its header."""
    at = random.randrange(18, len(frame))
    return frame[:at] + bytes([frame[at] ^ 1 << random.randrange(8)]) + frame[at + 1 :]


async def started(dut: Any, **settings: Any) -> Receive:
    """Return a receiver that wants frames to OURS."""
    receive = Receive(dut)
    await receive.start()
    await receive.set_exact(0, OURS)
    await receive.set(**settings)
    return receive
