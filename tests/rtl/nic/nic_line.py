# SPDX-License-Identifier: Apache-2.0
"""The test bench around the NIC's MAC: frames as words, and a far end by cocotbext-eth."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly, Timer
from cocotb.utils import get_sim_steps
from cocotbext.eth import XgmiiFrame, XgmiiSink, XgmiiSource

CLOCK_PS = 6400
STATION = bytes.fromhex("020304050607")
GROUP = bytes.fromhex("0180c2000001")
IDLE = (0x0707070707070707, 0xFF)
CLOCK = get_sim_steps(CLOCK_PS, "ps")
INPUTS = ("enable_i", "hold_i", "local_fault_i", "pace_i", "frame_valid_i", "frame_word_i",
          "frame_bytes_i", "send_i", "xon_i", "quanta_i", "high_i", "low_i", "fill_i",
          "honour_i", "good_i")  # fmt: skip
# tx_event_t, the last field lowest.
EVENT = (("octets", 15), ("sort", 2), ("vlan", 1), ("jumbo", 1), ("padded", 1), ("xon", 1),
         ("xoff", 1))  # fmt: skip
UNICAST, MULTICAST, BROADCAST = range(3)


@dataclass
class Received:
    """A frame out of the receive MAC, its FCS included."""

    data: bytes
    error: bool
    fcs_bad: bool


def words_of(frame: bytes) -> Iterator[int]:
    """Yield a frame as word_t."""
    for at in range(0, len(frame), 8):
        part = frame[at : at + 8]
        last = at + 8 >= len(frame)
        yield int(last) << 67 | (len(part) - 1) << 64 | int.from_bytes(part, "little")


def with_fcs(frame: bytes) -> bytes:
    """Return a frame of 60 bytes or more as it is on the wire."""
    padded = frame.ljust(60, b"\0")
    return padded + zlib.crc32(padded).to_bytes(4, "little")


def pause_frame(quanta: int, to: bytes = GROUP, opcode: int = 1, kind: int = 0x8808) -> bytes:
    """Return a MAC control frame without its FCS, from no address."""
    head = to + bytes(6) + kind.to_bytes(2, "big") + opcode.to_bytes(2, "big")
    return (head + quanta.to_bytes(2, "big")).ljust(60, b"\0")


def event_fields(value: int) -> dict[str, int]:
    """Return the fields of a tx_event_t."""
    fields: dict[str, int] = {}
    for name, bits in reversed(EVENT):
        fields[name] = value & ((1 << bits) - 1)
        value >>= bits
    return fields


class Line:
    """The MAC, with the far end's MAC at its XGMII."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.received: list[Received] = []
        self.events: list[dict[str, int]] = []

    async def start(self, far_end: bool = True) -> None:
        """Leave reset with the transmitter on and every other input low."""
        for name in INPUTS:
            getattr(self.dut, name).value = 0
        self.dut.enable_i.value = 1
        self.dut.address_i.value = int.from_bytes(STATION, "little")
        self.dut.rxd_i.value, self.dut.rxc_i.value = IDLE
        self.dut.rst_ni.value = 0
        await self.clocks(8)
        if far_end:
            self.source = XgmiiSource(self.dut.rxd_i, self.dut.rxc_i, self.dut.clk)
        self.sink = XgmiiSink(self.dut.txd_o, self.dut.txc_o, self.dut.clk)
        self.dut.rst_ni.value = 1
        await self.clocks(2)
        cocotb.start_soon(self._collect())

    async def clocks(self, count: int) -> None:
        """Wait for so many falling edges."""
        for _ in range(count):
            await FallingEdge(self.dut.clk)

    async def send(self, frame: bytes) -> None:
        """Offer a frame, and wait until its last word was taken."""
        await FallingEdge(self.dut.clk)
        self.dut.frame_bytes_i.value = len(frame)
        self.dut.frame_valid_i.value = 1
        for word in words_of(frame):
            self.dut.frame_word_i.value = word
            await Timer(1, "ns")  # ready follows valid in the same clock
            while not int(self.dut.frame_ready_o.value):
                await FallingEdge(self.dut.clk)
                await Timer(1, "ns")
            await FallingEdge(self.dut.clk)
        self.dut.frame_valid_i.value = 0

    async def _collect(self) -> None:
        """Gather what the MAC gives: frames that came, and events of frames that left."""
        data = bytearray()
        while True:
            await FallingEdge(self.dut.clk)
            await ReadOnly()
            if int(self.dut.event_valid_o.value):
                self.events.append(event_fields(int(self.dut.event_o.value)))
            if not int(self.dut.word_valid_o.value):
                continue
            word = int(self.dut.word_o.value)
            lanes = (word >> 64 & 7) + 1
            assert (word & (1 << 64) - 1) >> 8 * lanes == 0, "bytes beyond the frame are not zero"
            data += (word & (1 << 64) - 1).to_bytes(8, "little")[:lanes]
            if word >> 67 & 1:
                self.received.append(Received(bytes(data), bool(word >> 69), bool(word >> 68 & 1)))
                data.clear()

    async def came(self, count: int) -> list[Received]:
        """Wait for so many frames, take them."""
        for _ in range(200_000):
            if len(self.received) >= count:
                break
            await FallingEdge(self.dut.clk)
        assert len(self.received) >= count, f"{len(self.received)} of {count} frames came"
        taken, self.received = self.received[:count], self.received[count:]
        return taken


def some_frame(length: int) -> bytes:
    """Return a frame of random bytes whose type is not one that the MAC knows."""
    return random.randbytes(12) + b"\x08\x00" + random.randbytes(length - 14)


async def sent(line: Line) -> tuple[bytes, XgmiiFrame]:
    """Return the next frame on the wire: its bytes with FCS, and when it was there."""
    frame = await line.sink.recv()
    assert frame.check_fcs()
    assert bytes(frame.get_preamble()) == b"\x55" * 7 + b"\xd5"
    return bytes(frame.get_payload(strip_fcs=False)), frame
