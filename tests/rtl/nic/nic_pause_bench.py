# SPDX-License-Identifier: Apache-2.0
"""The NIC's PAUSE frames, both ways."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge
from cocotbext.eth import XgmiiFrame
from nic_line import CLOCK, GROUP, STATION, Line, pause_frame, sent, some_frame, with_fcs


async def hear(line: Line, frame: bytes) -> None:
    """Bring a frame in, and tell that it was good, as the receive buffer would."""
    await line.source.send(XgmiiFrame.from_payload(frame))
    await line.came(1)
    await FallingEdge(line.dut.clk)
    line.dut.good_i.value = 1
    await FallingEdge(line.dut.clk)
    line.dut.good_i.value = 0


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def a_pause_holds_data_for_its_quanta_of_eight_clocks(dut: Any) -> None:
    """To the clock; a later one replaces it; zero ends it; others do nothing."""
    line = Line(dut)
    await line.start()
    dut.honour_i.value = 1

    async def lasts() -> int:
        count = 0
        while int(dut.paused_o.value):
            count += 1
            await FallingEdge(dut.clk)
        return count

    for to in (GROUP, STATION):
        for quanta in (1, 2, 77):
            await hear(line, pause_frame(quanta, to))
            assert int(dut.control_o.value) and int(dut.pause_o.value)
            assert await lasts() == 8 * quanta
    await hear(line, pause_frame(100))
    await hear(line, pause_frame(3))
    assert await lasts() == 24
    await hear(line, pause_frame(100))
    await hear(line, pause_frame(0))
    assert int(dut.xon_o.value) and not int(dut.paused_o.value)
    for other in (pause_frame(9, b"\x02" * 6), pause_frame(9, opcode=2)):
        await hear(line, other)
        assert int(dut.control_o.value) and not int(dut.pause_o.value)
        assert not int(dut.paused_o.value)
    await hear(line, pause_frame(9, kind=0x8809))
    assert not int(dut.control_o.value) and not int(dut.paused_o.value)
    await hear(line, pause_frame(100))
    waiting = cocotb.start_soon(line.send(some_frame(60)))
    await line.clocks(40)
    assert line.sink.empty(), "held"
    dut.honour_i.value = 0
    await waiting
    await sent(line)
    await hear(line, pause_frame(100))
    assert not int(dut.paused_o.value), "not honoured"


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def the_buffers_level_makes_pause_frames(dut: Any) -> None:
    """XOFF at the high mark, again after half its time, XON at the low one; before data."""
    line = Line(dut)
    await line.start()
    dut.quanta_i.value, dut.high_i.value, dut.low_i.value = 40, 1000, 400
    dut.send_i.value = dut.xon_i.value = 1

    async def level(bytes_: int) -> None:
        dut.fill_i.value = bytes_
        await FallingEdge(dut.clk)

    def expect(got: bytes, quanta: int) -> None:
        want = GROUP + STATION + bytes.fromhex("88080001") + quanta.to_bytes(2, "big")
        assert got == with_fcs(want)

    await level(999)
    await line.clocks(30)
    assert line.sink.empty()
    # The address changes as the frame begins: it is one or the other.
    found: set[bytes] = set()
    for late in range(8):
        await level(1000)
        await line.clocks(late)
        dut.address_i.value = 0
        got, _ = await sent(line)
        found.add(got[6:12])
        dut.address_i.value = int.from_bytes(STATION, "little")
        await level(0)
        expect((await sent(line))[0], 0)
        await line.clocks(8)
    assert found == {STATION, bytes(6)}, found
    await level(1000)
    times: list[int] = []
    for _ in range(4):
        got, seen = await sent(line)
        expect(got, 40)
        times.append(seen.sim_time_start)
    assert {two - one for one, two in pairwise(times)} == {40 * 4 * CLOCK}
    await level(401)
    await line.clocks(30)
    cocotb.start_soon(line.send(some_frame(300)))
    await line.clocks(4)
    await level(400)
    await sent(line)
    expect((await sent(line))[0], 0)
    dut.hold_i.value = 1
    dut.xon_i.value = 0
    waiting = cocotb.start_soon(line.send(some_frame(61)))
    await level(5000)
    expect((await sent(line))[0], 40)
    await level(0)
    await line.clocks(200)
    assert line.sink.empty(), "no XON is sent; data are held"
    dut.hold_i.value = 0
    await waiting
    await sent(line)
    dut.enable_i.value = 0
    dut.xon_i.value = 1
    await level(5000)
    await line.clocks(3)
    await level(0)
    await line.clocks(3)
    dut.enable_i.value = 1
    expect((await sent(line))[0], 0)
    await level(5000)
    await line.clocks(3)
    dut.send_i.value = 0
    expect((await sent(line))[0], 40)
    await line.clocks(300)
    assert line.sink.empty() and not int(dut.pause_busy_o.value)
    kinds = [(event["xon"], event["xoff"]) for event in line.events if event["octets"] == 64]
    assert kinds.count((1, 0)) == 10 and kinds.count((0, 1)) == 14
