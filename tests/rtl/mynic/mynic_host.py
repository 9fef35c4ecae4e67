# SPDX-License-Identifier: Apache-2.0
"""The NIC's host and line partner: clocks, registers, rings as a driver keeps them, frames."""

from __future__ import annotations

import logging
import os
import random
import struct
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, Timer
from cocotbext.axi import AxiLiteBus, AxiLiteMaster
from cocotbext.eth import GmiiFrame, GmiiSink, GmiiSource
from longhaul.registers import rdl
from mynic_memory import Memory, now_ns

MAP = rdl.compile_file(Path(os.environ["LONGHAUL_MYNIC_RDL"])).described
OFFSETS = {each.name: each.address for each in MAP.kinds[rdl.BOX]}
RESET, RX_ON, TX_ON, LOOPBACK, PROMISCUOUS, ALL_MULTICAST = (1 << bit for bit in range(6))
RX, TX, RX_DROP, FAULT = (1 << bit for bit in range(4))
DONE = EOP = 1 << 31
PAD = 2  # bytes ahead of a frame in its buffer
MAC = bytes.fromhex("024d594e4301")
OTHER = bytes.fromhex("024d594e43fe")
TX_RING, RX_RING = 0x1_0000_1000, 0xA_0000_2040
TX_DATA, RX_DATA = 0x2_0000_0000, 0xB_0000_0000
CLOCK_PS = 8000


def frame(size: int, dest: bytes = MAC) -> bytes:
    """Return a frame of `size` bytes without FCS and with random contents."""
    return (dest + random.randbytes(size))[:size]


class Nic:
    """One NIC with its host and its line partner."""

    def __init__(self, dut: Any, rx_ps: int = CLOCK_PS) -> None:
        logging.getLogger("cocotb.mynic_tb").setLevel("WARNING")
        self.dut = dut
        cocotb.start_soon(Clock(dut.clk, CLOCK_PS, "ps").start())
        cocotb.start_soon(Clock(dut.gmii_rx_clk, rx_ps, "ps").start())
        dut.rst_n.value = 0
        axil = AxiLiteBus.from_prefix(dut, "s_axil")
        self.axil = AxiLiteMaster(axil, dut.clk, dut.rst_n, reset_active_level=False)
        self.memory = Memory(dut)
        self.source = GmiiSource(dut.gmii_rxd, dut.gmii_rx_er, dut.gmii_rx_dv, dut.gmii_rx_clk)
        self.sink = GmiiSink(dut.gmii_txd, dut.gmii_tx_er, dut.gmii_tx_en, dut.clk)

    async def power_up(self) -> None:
        """Reset by the pin."""
        self.dut.rst_n.value = 0
        await ClockCycles(self.dut.clk, 10)
        self.dut.rst_n.value = 1
        await self.settled()

    async def settled(self) -> None:
        """Wait for the end of a reset."""
        for _ in range(1000):
            if not await self.read("CTRL") & RESET:
                return
        raise AssertionError("the reset does not end")

    async def start(
        self, log2: int = 6, size: int = 2048, ctrl: int = RX_ON | TX_ON, filled: int | None = None
    ) -> None:
        """Power up, set up rings of 2^log2 descriptors, give `filled` or all receive buffers."""
        await self.power_up()
        await self.setup(log2, size, ctrl, filled)

    async def setup(
        self, log2: int = 6, size: int = 2048, ctrl: int = RX_ON | TX_ON, filled: int | None = None
    ) -> None:
        """Set up rings after a reset, as `start`."""
        self.count, self.size = 1 << log2, size
        self.rx_next = self.rx_given = self.tx_next = self.tx_done = 0
        self.tx_at = TX_DATA
        self.tx_ends: list[int] = []
        for side, base in (("TX", TX_RING), ("RX", RX_RING)):
            await self.write(f"{side}_BASE_LOW", base & 0xFFFF_FFFF)
            await self.write(f"{side}_BASE_HIGH", base >> 32)
            await self.write(f"{side}_SIZE_LOG2", log2)
        await self.write("RX_BUF_SIZE", size)
        await self.write("MAC_LOW", int.from_bytes(MAC[:4], "little"))
        await self.write("MAC_HIGH", int.from_bytes(MAC[4:], "little"))
        await self.give(self.count if filled is None else filled)
        await self.write("CTRL", ctrl)

    async def read(self, name: str) -> int:
        """Return a register's word."""
        return await self.axil.read_dword(OFFSETS[name])

    async def write(self, name: str, word: int) -> None:
        """Write a register."""
        await self.axil.write_dword(OFFSETS[name], word)

    # Receive.

    def _rx_buffer(self, index: int) -> int:
        return RX_DATA + (index % self.count) * 0x4000 + 8 * (index % 5)

    async def give(self, count: int) -> None:
        """Give so many receive buffers to the NIC."""
        for _ in range(count):
            at = RX_RING + 16 * (self.rx_given % self.count)
            buffer = self._rx_buffer(self.rx_given)
            self.memory.put(at, struct.pack("<QII", buffer, 0, 0))
            self.memory.put(buffer, b"\xa5" * (self.size + 8))
            self.rx_given = (self.rx_given + 1) & 0xFFFF
        await self.write("RX_TAIL", self.rx_given)

    def taken(self) -> bytes | None:
        """Return the next received frame, if there is one; nothing beside it was written."""
        word = struct.unpack("<I", self.memory.get(RX_RING + 16 * (self.rx_next % self.count) + 12,
                                                   4))[0]  # fmt: skip
        if not word & DONE or self.rx_next == self.rx_given:
            return None
        length, buffer = word & 0x7FFF, self._rx_buffer(self.rx_next)
        around = self.memory.get(buffer, self.size + 8)
        assert set(around[:PAD] + around[PAD + length :]) <= {0xA5}
        self.rx_next = (self.rx_next + 1) & 0xFFFF
        return around[PAD : PAD + length]

    async def receive(self, count: int, patience_us: int = 200, refill: bool = True) -> list[bytes]:
        """Return `count` received frames; give their buffers back eight at a time."""
        got: list[bytes] = []
        since = now_ns()
        while len(got) < count:
            here = self.taken()
            if here is not None:
                got.append(here)
                since = now_ns()
                if refill and len(got) % 8 == 0:
                    await self.give(8)
            else:
                assert now_ns() - since < patience_us * 1000, f"{len(got)} of {count} frames came"
                await Timer(500, "ns")
        return got

    def play(self, data: bytes, fcs_bad: bool = False, error_at: int | None = None) -> None:
        """Send a frame to the NIC; runts are not padded."""
        sent = GmiiFrame.from_payload(data, min_len=0)
        if fcs_bad:
            sent.data[-1] ^= 1 << random.randrange(8)
        if error_at is not None:
            sent.error = [0] * len(sent.data)
            sent.error[8 + error_at] = 1
        self.source.send_nowait(sent)

    # Transmit.

    async def send(self, data: bytes, cuts: int = 0, ring: bool = True) -> None:
        """Give a frame in `cuts` + 1 fragments at random addresses, when there is room."""
        places = sorted(random.sample(range(1, len(data)), min(cuts, len(data) - 1)))
        parts = [data[a:b] for a, b in zip([0, *places], [*places, len(data)], strict=True)]
        await self.send_parts(parts, ring)

    async def send_parts(self, parts: list[bytes], ring: bool = True) -> None:
        """Give a frame in these fragments."""
        while self.count - (self.tx_next - self.tx_done) < len(parts):
            self.reap()
            await Timer(200, "ns")
        for place, part in enumerate(parts, 1):
            self.tx_at += random.randint(0, 40)
            self.memory.put(self.tx_at, part)
            word = len(part) | (EOP if place == len(parts) else 0)
            at = TX_RING + 16 * (self.tx_next % self.count)
            self.memory.put(at, struct.pack("<QII", self.tx_at, word, 0))
            self.tx_at += len(part)
            self.tx_next += 1
        self.tx_ends.append(self.tx_next)
        if ring:
            await self.ring()

    async def ring(self) -> None:
        """Write the doorbell of the transmit ring."""
        await self.write("TX_TAIL", self.tx_next & 0xFFFF)

    def reap(self) -> None:
        """Free the descriptors of frames whose last one was written back, in order."""
        while self.tx_ends:
            at = TX_RING + 16 * ((self.tx_ends[0] - 1) % self.count) + 12
            if not struct.unpack("<I", self.memory.get(at, 4))[0] & DONE:
                return
            self.tx_done = self.tx_ends.pop(0)

    async def sent(self, count: int, patience_us: int = 200) -> list[GmiiFrame]:
        """Return the next `count` frames on the line."""
        got: list[GmiiFrame] = []
        since = now_ns()
        while len(got) < count:
            if not self.sink.empty():
                got.append(self.sink.recv_nowait())
                since = now_ns()
            else:
                assert now_ns() - since < patience_us * 1000, f"{len(got)} of {count} were sent"
                await Timer(500, "ns")
            self.reap()
        return got
