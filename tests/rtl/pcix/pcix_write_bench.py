# SPDX-License-Identifier: Apache-2.0
"""The design's writes: their transactions, every answer of a target, order, parity."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from pcix_dma import HIGH, Dma, some_address, some_strobes
from pcix_host import BAR0, MSI, Host
from pcix_pins import COMPLETION, READ_BLOCK, READS, WRITE, WRITE_BLOCK, boundary_of
from pcix_target import Answer, Taken

OKAY, SLVERR, DECERR = 0, 2, 3


async def started(dut: Any, wide: bool = True) -> tuple[Host, Dma]:
    """Return a host and the design's side."""
    host = Host(dut)
    await host.start(wide=wide)
    return host, host.dma


def any_answer(taken: Taken) -> Answer:
    """Take data in every way that the bus has."""
    kind = random.choice(("data", "data", "data", "single", "retry"))
    stop = random.choice((None, None, 0, 1, random.randrange(40)))
    return Answer(kind, random.choice((2, 3, 4, 6)), 2 * random.randrange(3), stop_at=stop)


def expect(model: dict[int, int], address: int, data: bytes, strobes: list[int]) -> None:
    """Set the bytes of a burst in a model of memory."""
    for at, value in enumerate(data):
        if strobes[at // 8] >> at % 8 & 1:
            model[address + at] = value


async def many(dut: Any, wide: bool, count: int) -> None:
    """Write bursts of any kind; compare memory."""
    host, dma = await started(dut, wide)
    host.answer = any_answer
    host.bus.arbiter.fickle = True
    await host.config_write(0x0C, random.choice((0x0800, 0x4000)))
    model: dict[int, int] = {}
    bursts = []
    dma.hinder(True)
    for trial in range(count):
        words = random.choice((1, 1, 2, 3, 16, 17, random.randint(1, 40), random.randint(1, 256)))
        address, strobes = some_address(words), some_strobes(words)
        data = random.randbytes(8 * words)
        expect(model, address, data, strobes)
        bursts.append(dma.write(address, data, strobes, random.randrange(16)))
        if trial % 8 == 7:
            await host.bus.until(dma.idle, 60_000)
            dma.hinder(random.random() < 0.5)
            host.bus.target.wide = wide and random.random() < 0.7
            host.bus.arbiter.parks = random.random() < 0.5
    await host.bus.until(dma.idle, 60_000)
    assert all(burst.resp == [OKAY] for burst in bursts)
    for address, value in model.items():
        assert host.memory.byte(address) == value, hex(address)
    touched = {address for taken in host.bus.taken for address in taken.data}
    assert touched == set(model)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def any_burst_reaches_memory_on_64_bits(dut: Any) -> None:
    """Any strobes; targets that wait, refuse, cut, take 32 bits."""
    await many(dut, True, 100)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def any_burst_reaches_memory_on_32_bits(dut: Any) -> None:
    """The same in a slot of 32 bits."""
    await many(dut, False, 60)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def bytes_without_a_hole_are_one_block(dut: Any) -> None:
    """From the first byte to the last: one Memory Write Block; otherwise Memory Write."""
    host, dma = await started(dut)
    wanted = []
    for first in range(8):
        for last in range(8):
            for words in (1, 2, 3):
                strobes = [0xFF] * words
                strobes[0] = 0xFF << first & 0xFF
                strobes[-1] &= 0xFF >> 7 - last
                if strobes[0] == 0:
                    continue
                dma.write(HIGH, random.randbytes(8 * words), strobes)
                count = 8 * (words - 1) + last + 1 - first
                wanted.append((WRITE_BLOCK, HIGH + first, count))
    for strobes in ([0xFF, 0xFE], [0x7F, 0xFF], [0x5A], [0xFF, 0xF7, 0xFF], [0, 0xFF],
                    [0xFF, 0], [0xFF, 0, 0xFF]):  # fmt: skip
        dma.write(HIGH, random.randbytes(8 * len(strobes)), strobes)
        wanted.append((WRITE, HIGH, 8 * len(strobes)))
    dma.write(HIGH, bytes(16), [0, 0])
    dma.write(HIGH, bytes(16))
    wanted.append((WRITE_BLOCK, HIGH, 16))
    await host.bus.until(dma.idle)
    got = [(taken.command, taken.address, taken.count) for taken in host.bus.taken]
    assert got == wanted


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_target_that_fails_is_an_error(dut: Any) -> None:
    """Master-Abort: DECERR; Target-Abort, at once or in a burst: SLVERR. The next burst is good."""
    host, dma = await started(dut)
    answers = [Answer("none"), Answer("abort"), Answer(abort_at=5), Answer("split"), Answer()]
    left = list(answers)
    host.answer = lambda taken: left.pop(0)
    bursts = [dma.write(HIGH + 4096 * at, random.randbytes(256)) for at in range(5)]
    await host.bus.until(dma.idle)
    assert [burst.resp for burst in bursts] == [[DECERR], [SLVERR], [SLVERR], [SLVERR], [OKAY]]
    assert host.memory.get(HIGH + 2 * 4096, 40) == bursts[2].data[:40]
    assert host.memory.get(HIGH + 2 * 4096 + 40, 216) == bytes(216)
    assert host.memory.get(HIGH + 4 * 4096, 256) == bursts[4].data
    status = await host.config_read(0x04)
    assert status >> 27 & 7 == 0b110
    await host.config_write(0x04, 1 << 28 | 0x0146)
    assert await host.config_read(0x04) >> 27 & 7 == 0b100


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def a_burst_ends_where_the_target_asks(dut: Any) -> None:
    """STOP# at each data phase: the boundary at least four on; in the first one the next one."""
    host, dma = await started(dut)
    for words in (40,):
        for lead in range(1, 17):
            for stop in (0, 1, lead - 4, lead - 3, lead, 13, 20):
                if stop < 0:
                    continue
                answers = [Answer(stop_at=stop), Answer()]
                host.answer = lambda taken, answers=answers: answers.pop(0)
                address = HIGH + 128 - 8 * lead
                before = len(host.bus.taken)
                burst = dma.write(address, random.randbytes(8 * words))
                await host.bus.until(dma.idle)
                boundary = boundary_of(address, True)
                while stop and boundary < stop + 4:
                    boundary += 16
                first = host.bus.taken[before]
                assert first.moved == 8 * min(words, boundary), (lead, stop, first.moved)
                assert host.memory.get(address, 8 * words) == burst.data


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def the_latency_timer_ends_a_burst_at_a_boundary(dut: Any) -> None:
    """With GNT# gone: at the first boundary behind the timer. With GNT#: not at all."""
    host, dma = await started(dut)
    # The timer starts with FRAME#. Data phase m is seen m + 5 clocks later, and may end a burst at
    # the boundary after data phase m + 3.
    for timer, wanted in ((17, 128), (18, 256), (33, 256), (34, 384), (255, 2048)):
        await host.config_write(0x0C, timer << 8)
        for others in (False, True):
            host.bus.arbiter.parks = True
            before = len(host.bus.taken)
            dma.write(HIGH, random.randbytes(2048))
            if others:
                await host.bus.until(lambda: host.bus.now.frame)
                await host.config_read(0)
            await host.bus.until(dma.idle)
            moved = [taken.moved for taken in host.bus.taken[before:]]
            assert sum(moved) == 2048
            assert moved[0] == (wanted if others else 2048), (timer, others, moved)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def what_software_reads_comes_after_the_writes_before(dut: Any) -> None:
    """A Split Completion waits for writes that were taken before its data, not for later ones."""
    host, dma = await started(dut)
    host.registers.write(0, bytes(range(64)))
    for trial in range(12):
        refuse = [True]

        def answer(taken: Taken, refuse: list[bool] = refuse) -> Answer:
            if taken.command in READS:
                return Answer("split")
            return Answer("retry" if refuse[0] else "data")

        host.answer = answer
        writes = random.randint(1, 4)
        bursts = [dma.write(HIGH + 4096 * at, random.randbytes(64)) for at in range(writes)]
        await host.bus.wait(60)
        task = cocotb.start_soon(host.read(BAR0, 4, dword=True))
        await host.bus.wait(100)
        assert not task.done()
        before = len(host.bus.taken)
        refuse[0] = False
        if trial % 2:
            bursts.append(dma.write(HIGH, random.randbytes(2048)))
        await task
        kinds = [taken.command for taken in host.bus.taken[before:] if taken.kind != "retry"]
        assert kinds[:writes] == [WRITE_BLOCK] * writes
        assert COMPLETION in kinds[writes : writes + 2]
        await host.bus.until(dma.idle)
    # A core that may not master the bus does not hold completions back.
    await host.config_write(0x04, 0x0142)
    dma.write(HIGH, random.randbytes(64))
    await host.bus.wait(40)
    reply = await host.read(BAR0 + 4, 4, dword=True)
    assert reply.data == bytes((4, 5, 6, 7))
    assert not dma.idle()
    await host.config_write(0x04, 0x0146)
    await host.bus.until(dma.idle)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def a_full_buffer_holds_the_design_back(dut: Any) -> None:
    """While the bus refuses, as many words and bursts come as there is room for."""
    host, dma = await started(dut)
    host.answer = lambda taken: Answer("retry")
    large = [dma.write(HIGH + 4096 * at, random.randbytes(2048)) for at in range(3)]
    await host.bus.wait(1200)
    assert not any(burst.resp for burst in large)
    host.answer = lambda taken: Answer()
    await host.bus.until(dma.idle)
    # Data before their address, and an answer that waits.
    dma.aw.pause, dma.b.pause = True, True
    late = dma.write(HIGH, random.randbytes(64), number=9)
    await host.bus.wait(40)
    dma.aw.pause = False
    await host.bus.wait(60)
    dma.b.pause = False
    await host.bus.until(dma.idle)
    for at, burst in enumerate([late, *large[1:]]):
        assert host.memory.get(HIGH + 4096 * at, len(burst.data)) == burst.data


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_stream_of_writes_leaves_few_clocks_unused(dut: Any) -> None:
    """2 KB take 256 clocks of data and eight others: the table of README.md."""
    host, dma = await started(dut)
    host.bus.arbiter.parks = True
    for at in range(8):
        dma.write(HIGH + 4096 * at, random.randbytes(2048))
    await host.bus.until(dma.idle)
    clocks = [taken.clock for taken in host.bus.taken]
    steps = [after - before for before, after in zip(clocks[2:], clocks[3:], strict=False)]
    assert steps == [264] * len(steps), steps


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def req_is_asserted_while_there_is_work(dut: Any) -> None:
    """Not for the transaction on the bus, but for another one that waits."""
    host, dma = await started(dut)
    for others in (False, True):
        seen = []
        await host.config_write(0x04, 0x0142)
        dma.write(HIGH, random.randbytes(512))
        if others:
            dma.read(HIGH + 4096, 2)
        await host.bus.wait(100)
        assert not host.bus.now.req
        await host.config_write(0x04, 0x0146)
        watch = seen.append
        host.bus.each_clock.append(watch)
        await host.bus.until(dma.idle)
        host.bus.each_clock.remove(watch)
        starts = [at for at in range(1, len(seen)) if seen[at].frame and not seen[at - 1].frame]
        assert len(starts) == 1 + 2 * others  # the Split Completion is the host's
        asks = [[now.req for now in seen[at + 1 : at + 6]] for at in starts[: 1 + others]]
        assert asks[-1] == [False] * 5
        assert not others or asks[0] == [True] * 5
        assert not host.bus.now.req


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def a_completion_may_be_ready_in_any_clock_of_a_write(dut: Any) -> None:
    """Also in the clock in which the write ends: it waits for that one and for no other."""
    host, dma = await started(dut)
    host.bus.arbiter.parks = True
    gate = host.registers.read_if.ar_channel
    for late in range(48, 80):
        gate.pause = True
        task = cocotb.start_soon(host.read(BAR0, 4, dword=True))
        await host.bus.wait(40)
        dma.write(HIGH, random.randbytes(512))
        await host.bus.until(lambda: host.bus.now.frame)
        await host.bus.wait(late)
        gate.pause = False
        await host.bus.until(task.done, 300)
        await host.bus.until(dma.idle)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def sources_take_turns(dut: Any) -> None:
    """After a write a read goes first, after a read a write; a message waits for the write."""
    host, dma = await started(dut)
    await host.config_write(MSI + 4, 0xFEE0_0000)
    await host.config_write(MSI, 1 << 16)
    for last in (WRITE_BLOCK, READ_BLOCK):
        _ = dma.read(HIGH, 2) if last == READ_BLOCK else dma.write(HIGH, random.randbytes(16))
        await host.bus.until(dma.idle)
        await host.config_write(0x04, 0x0142)
        before = len(host.bus.taken)
        dma.write(HIGH, random.randbytes(64))
        dma.read(HIGH, 2)
        await host.bus.wait(30)
        dut.irq_i.value = 1
        await host.bus.wait(30)
        await host.config_write(0x04, 0x0146)
        await host.bus.until(lambda before=before: len(host.bus.taken) == before + 3)
        await host.bus.until(dma.idle)
        dut.irq_i.value = 0
        kinds = [taken.command for taken in host.bus.taken[before:]]
        wanted = [WRITE_BLOCK, READ_BLOCK, WRITE]
        if last == WRITE_BLOCK:
            wanted = [READ_BLOCK, WRITE_BLOCK, WRITE]
        assert kinds == wanted, (last, kinds)
