# SPDX-License-Identifier: Apache-2.0
"""The design's reads: tags, completions in any order and in parts, errors, limits, both widths."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from pcix_dma import HIGH, Burst, Dma, some_address
from pcix_host import PCIX, Host
from pcix_pins import READ_BLOCK, READS
from pcix_target import Answer, Taken

OKAY, SLVERR, DECERR = 0, 2, 3
COUNTS = (512, 1024, 2048, 4096)  # MMRBC
SPLITS = (1, 2, 3, 4, 8, 12, 16, 32)
TAGS = 8


async def started(dut: Any, wide: bool = True, count: int = 0, splits: int = 4) -> tuple[Host, Dma]:
    """Return a host and the design's side; MMRBC and the number of splits as they are coded."""
    host = Host(dut)
    await host.start(wide=wide)
    await host.config_write(PCIX, splits << 20 | count << 18)
    return host, host.dma


def begin(host: Host, dma: Dma, words: int, address: int | None = None) -> Burst:
    """Put noise into memory and begin to read it."""
    address = some_address(words) if address is None else address
    host.memory.put(address, random.randbytes(8 * words))
    return dma.read(address, words, random.randrange(16))


def same(host: Host, burst: Burst) -> bool:
    """Whether a burst has what is in memory, without an error."""
    wanted = host.memory.get(burst.address, 8 * burst.words)
    return burst.data == wanted and burst.resp == [OKAY] * burst.words


def any_answer(taken: Taken) -> Answer:
    """Answer a read in every way that brings its data."""
    kind = random.choice(("split", "split", "split", "data", "single", "retry"))
    stop = random.choice((None, 0, random.randrange(40)))
    return Answer(kind, random.choice((2, 3, 4, 6)), random.randrange(5), stop_at=stop)


async def many(dut: Any, wide: bool, count: int) -> None:
    """Read bursts of any kind."""
    host, dma = await started(dut, wide)
    host.answer = any_answer
    host.delay = lambda: random.randrange(200)
    host.parts = lambda: random.choice(("whole", "cut", "modified"))
    host.in_order = False
    host.bus.arbiter.fickle = True
    left = count
    while left:
        code, splits = random.randrange(4), random.randrange(8)
        await host.config_write(PCIX, splits << 20 | code << 18)
        host.bus.target.wide = wide and random.random() < 0.8
        host.most_splits = 0
        before = len(host.bus.taken)
        dma.hinder(random.random() < 0.5)
        bursts = []
        for _ in range(min(left, 12)):
            words = random.choice((1, 2, 16, 17, random.randint(1, 60), random.randint(1, 256)))
            bursts.append(begin(host, dma, words))
            left -= 1
        await host.bus.until(dma.idle, 60_000)
        assert all(same(host, burst) for burst in bursts)
        assert not host.splits
        assert host.most_splits <= min(SPLITS[splits], TAGS)
        for taken in host.bus.taken[before:]:
            assert taken.command == READ_BLOCK and taken.count <= min(COUNTS[code], 2048)
    assert host.reordered


@cocotb.test(timeout_time=6, timeout_unit="ms")
async def completions_in_any_order_and_in_parts_on_64_bits(dut: Any) -> None:
    """Parts of several sequences mixed; targets that answer at once, in part, on 32 bits."""
    await many(dut, True, 96)


@cocotb.test(timeout_time=6, timeout_unit="ms")
async def completions_in_any_order_and_in_parts_on_32_bits(dut: Any) -> None:
    """The same in a slot of 32 bits."""
    await many(dut, False, 48)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def sequences_have_at_most_mmrbc_bytes(dut: Any) -> None:
    """One burst of 2 KB from an odd word; each value of MMRBC."""
    host, dma = await started(dut)
    for code, most in enumerate(COUNTS):
        await host.config_write(PCIX, 4 << 20 | code << 18)
        before = len(host.bus.taken)
        burst = begin(host, dma, 256, HIGH + 24)
        await host.bus.until(dma.idle)
        assert same(host, burst)
        taken = host.bus.taken[before:]
        step = min(most, 2048)
        assert [t.count for t in taken] == [step] * (2048 // step)
        assert [t.address for t in taken] == list(range(HIGH + 24, HIGH + 24 + 2048, step))


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def errors_are_told_for_what_they_are_of(dut: Any) -> None:
    """Aborts of the request, error messages of each kind: that sequence alone has the error."""
    host, dma = await started(dut)
    for kind, resp in (("none", DECERR), ("abort", SLVERR)):
        answers = [Answer("split"), Answer(kind), Answer("split"), Answer("split")]
        host.answer = lambda taken, answers=answers: answers.pop(0)
        burst = begin(host, dma, 256, HIGH)
        await host.bus.until(dma.idle)
        assert burst.resp == [OKAY] * 64 + [resp] * 64 + [OKAY] * 128
        assert burst.data[512:1024] == b"\xff" * 512
        wanted = host.memory.get(HIGH, 2048)
        assert burst.data[:512] == wanted[:512] and burst.data[1024:] == wanted[1024:]
    # In a burst that was begun: data before it count.
    answers = [Answer(stop_at=0), Answer(abort_at=3)]
    host.answer = lambda taken: answers.pop(0)
    burst = begin(host, dma, 64, HIGH + 64)
    await host.bus.until(dma.idle)
    assert burst.resp[:8] == [OKAY] * 8 and burst.resp[-1] == SLVERR
    assert burst.data[:64] == host.memory.get(HIGH + 64, 64)
    # Messages, after none or some of the data.
    host.answer = host.simple
    for kind in (1 << 8 | 0, 1 << 8 | 1, 2 << 8 | 0, 2 << 8 | 0x85):
        for parts in (0, 1, 3):
            host.parts = lambda: "cut"
            left = [parts]

            def soon(now: Any, left: list[int] = left, kind: int = kind) -> None:
                for split in host.splits:
                    if split.count <= 1024 - 128 * left[0]:
                        split.message = kind

            host.bus.each_clock.insert(0, soon)
            await host.config_write(PCIX, 4 << 20 | 1 << 18)
            bursts = [begin(host, dma, 128, HIGH + 0x4000), begin(host, dma, 2, HIGH)]
            await host.bus.until(dma.idle)
            host.bus.each_clock.remove(soon)
            resp = bursts[0].resp
            good = resp.index(SLVERR)
            assert good >= 16 * parts - 1 and resp == [OKAY] * good + [SLVERR] * (128 - good)
            wanted = host.memory.get(HIGH + 0x4000, 8 * good)
            assert bursts[0].data == wanted + b"\xff" * (8 * (128 - good))
            assert (await host.config_read(PCIX + 4)) >> 29 & 1
            await host.config_write(PCIX + 4, 1 << 29)
            assert not (await host.config_read(PCIX + 4)) >> 29 & 1


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def completions_that_nobody_asked_for_are_dropped(dut: Any) -> None:
    """No such tag, another place, too many bytes: taken from the bus, told in the status."""
    host, dma = await started(dut)
    host.delay = lambda: 400
    burst = begin(host, dma, 40, HIGH + 0x40)
    await host.bus.until(lambda: bool(host.splits))
    tag = host.splits[0].tag
    noise = random.randbytes(512)
    wrong = [host.part((tag + 1) % 8, 0x40, 320, noise), host.part(tag + 8, 0x40, 320, noise),
             host.part(tag, 0x48, 312, noise), host.part(tag, 0, 320, noise),
             host.part(tag, 0x40, 328, noise), host.part(tag, 0x40, 3, noise),
             host.part((tag + 1) % 8, 0, 4, b"\0\0\0\x20", flags=0b011)]  # fmt: skip
    for request in wrong:
        assert not (await host.config_read(PCIX + 4)) >> 19 & 1
        await host.bus.run(request)
        assert request.ending == "moved"
        assert (await host.config_read(PCIX + 4)) >> 19 & 1
        await host.config_write(PCIX + 4, 1 << 19)
    await host.bus.until(dma.idle)
    assert same(host, burst)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def room_and_tags_hold_the_design_back(dut: Any) -> None:
    """While nobody takes R: eight tags, and 8 KB; all goes on then. Off the bus: nothing begins."""
    host, dma = await started(dut)
    dma.r.pause = True
    bursts = [begin(host, dma, 2, HIGH + 64 * at) for at in range(20)]
    await host.bus.wait(1500)
    assert len(host.bus.taken) == TAGS
    dma.r.pause = False
    await host.bus.until(dma.idle)
    await host.config_write(PCIX, 4 << 20 | 2 << 18)
    dma.r.pause = True
    before = len(host.bus.taken)
    bursts += [begin(host, dma, 256, HIGH + 4096 * at) for at in range(1, 7)]
    await host.bus.wait(3000)
    assert len(host.bus.taken) == before + 4
    dma.r.pause = False
    await host.bus.until(dma.idle)
    await host.config_write(0x04, 0x0142)
    bursts.append(begin(host, dma, 2, HIGH + 0x8000))
    await host.bus.wait(100)
    assert len(host.bus.taken) == before + 6
    await host.config_write(0x04, 0x0146)
    await host.bus.until(dma.idle)
    assert all(same(host, burst) for burst in bursts)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_sequence_goes_on_as_soon_as_the_limit_allows(dut: Any) -> None:
    """One split at once: the next request comes after the last data of the one before."""
    host, dma = await started(dut, splits=0)
    host.delay = lambda: 60
    bursts = [begin(host, dma, 64) for _ in range(4)]
    await host.bus.until(dma.idle)
    assert host.most_splits == 1
    assert all(same(host, burst) for burst in bursts)
    kinds = [taken.command in READS for taken in host.bus.taken]
    assert kinds == [True] * 4


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def an_odd_dword_of_a_wide_completion_counts_alone(dut: Any) -> None:
    """A target of 32 bits brings one DWORD; the rest comes on 64 bits from the upper half on."""
    host, dma = await started(dut)
    for words in (1, 2, 5, 40):
        answers = [Answer("single"), Answer("split")]

        def answer(taken: Taken, answers: list[Answer] = answers) -> Answer:
            host.bus.target.wide = len(answers) == 1
            return answers.pop(0)

        host.answer = answer
        burst = begin(host, dma, words, HIGH + 8 * words)
        await host.bus.until(dma.idle)
        assert same(host, burst), words
