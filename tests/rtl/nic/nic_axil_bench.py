# SPDX-License-Identifier: Apache-2.0
"""nic_axil against cocotbext-axi's AxiLiteMaster: any ratio of clocks, clocks that stand still."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import cocotb
from cocotb.triggers import ClockCycles, FallingEdge, Timer
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

HALVES_PS = (3750, 5000, 7576, 1500, 40_000)  # 133, 100, 66, 333 and 12.5 MHz; the core has 156.25
BAR = 1 << 17
PAGE = 256


def _pauses() -> Iterator[bool]:
    while True:
        for wait in (True, False):
            yield from [wait] * random.randint(1, 5)


class Registers:
    """The bus's side, and what the registers should be."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.model = bytearray(PAGE)

    async def start(self) -> None:
        """Leave reset, and write each register once."""
        dut = self.dut
        dut.core_stop_i.value = dut.bus_stop_i.value = 0
        dut.core_clocks_i.value = 2
        dut.bus_half_ps_i.value = HALVES_PS[0]
        dut.rst_ni.value = 0
        self.axil = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.bus_clk, dut.rst_ni,
                                  reset_active_level=False)  # fmt: skip
        for side in (self.axil.write_if, self.axil.read_if):
            side.log.setLevel("ERROR")
        await ClockCycles(dut.bus_clk, 10)
        dut.rst_ni.value = 1
        await ClockCycles(dut.bus_clk, 10)
        for at in range(0, PAGE, 4):
            await self.write(at, random.randbytes(4))

    def hinder(self, on: bool) -> None:
        """Give and take in random clocks, or in all."""
        write, read = self.axil.write_if, self.axil.read_if
        for channel in (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel,
                        read.r_channel):  # fmt: skip
            channel.set_pause_generator(_pauses() if on else None)
            channel.pause = False

    async def write(self, at: int, data: bytes) -> None:
        """Write bytes within a register; the rest of the address is noise."""
        page = random.randrange(BAR // PAGE) * PAGE
        done = await self.axil.write(page + at, data)
        assert done.resp == AxiResp.OKAY
        self.model[at : at + len(data)] = data
        assert int(self.dut.addr_o.value) == page + at

    async def check(self, at: int) -> None:
        """Read a register."""
        page = random.randrange(BAR // PAGE) * PAGE
        got = await self.axil.read(page + at, 4)
        assert got.resp == AxiResp.OKAY and got.data == bytes(self.model[at : at + 4]), hex(at)
        assert int(self.dut.addr_o.value) == page + at


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def registers_are_written_and_read_at_any_ratio_of_clocks(dut: Any) -> None:
    """Byte strobes of every kind; channels that halt; each access is one pulse."""
    bus = Registers(dut)
    await bus.start()
    for half in HALVES_PS:
        dut.bus_half_ps_i.value = half
        await ClockCycles(dut.bus_clk, 4)
        for hindered in (False, True):
            bus.hinder(hindered)
            dut.core_clocks_i.value = random.choice((0, 1, 2, 15))
            before = int(dut.writes_o.value), int(dut.reads_o.value)
            for _ in range(12):
                first = random.randrange(4)
                at = random.randrange(0, PAGE, 4)
                await bus.write(at + first, random.randbytes(random.randint(1, 4 - first)))
                await bus.check(at)
                await bus.check(random.randrange(0, PAGE, 4))
            counts = int(dut.writes_o.value), int(dut.reads_o.value)
            assert (counts[0] - before[0], counts[1] - before[1]) == (12, 24)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def reads_and_writes_that_wait_take_turns(dut: Any) -> None:
    """Neither keeps the other out; a write that is answered is done."""
    bus = Registers(dut)
    await bus.start()
    ends: list[str] = []

    async def many(kind: str) -> None:
        for at in range(0, 64, 4):
            if kind == "write":
                await bus.axil.write(at, bytes(4))
            else:
                await bus.axil.read(at, 4)
            ends.append(kind)

    jobs = [cocotb.start_soon(many(kind)) for kind in ("write", "read")]
    for job in jobs:
        await job
    for at in range(0, 28, 2):
        assert set(ends[at : at + 4]) == {"write", "read"}, ends
    # Both come in the same clock: the one that was not last goes first.
    channels = (bus.axil.write_if.aw_channel, bus.axil.write_if.w_channel,
                bus.axil.read_if.ar_channel)  # fmt: skip
    for last in ("read", "write"):
        await (bus.axil.read(0, 4) if last == "read" else bus.axil.write(0, bytes(4)))
        for channel in channels:
            channel.pause = True
        jobs = [cocotb.start_soon(bus.axil.write(0, b"\1\2\3\4")),
                cocotb.start_soon(bus.axil.read(0, 4))]  # fmt: skip
        await ClockCycles(dut.bus_clk, 10)
        for channel in channels:
            channel.pause = False
        await jobs[0]
        got = await jobs[1]
        assert (got.data == b"\1\2\3\4") == (last == "read")


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def an_access_waits_while_a_clock_stands_still(dut: Any) -> None:
    """At any instant of it, for any time; it says that it is busy, and happens once."""
    bus = Registers(dut)
    await bus.start()
    for trial in range(24):
        stop = dut.core_stop_i if trial % 2 else dut.bus_stop_i
        count = int(dut.writes_o.value) + int(dut.reads_o.value)
        at = random.randrange(0, PAGE, 4)
        job = cocotb.start_soon(bus.check(at) if trial % 4 < 2 else bus.write(at, b"\x12" * 4))
        await Timer(random.randint(1, 60), "ns")
        stop.value = 1
        await Timer(random.randint(1, 400), "ns")
        if trial % 2 and not job.done():
            assert int(dut.busy_o.value)
        stop.value = 0
        await job
        assert int(dut.writes_o.value) + int(dut.reads_o.value) == count + 1
        await ClockCycles(dut.bus_clk, 3)
        await FallingEdge(dut.bus_clk)
        assert not int(dut.busy_o.value)
