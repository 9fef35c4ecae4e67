# SPDX-License-Identifier: Apache-2.0
"""nic_read, nic_write and nic_axi: spans of any kind, a disorderly bus, errors, stop, speed."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge
from nic_dma import BURST_BYTES, Dma, Span
from nic_memory import falls

PAGE = 4096
HIGH = 0x3EDC_BA98_0000_0000
BASES = (0, 0x7FFF_F000, 0x1_0000_0000 - PAGE, HIGH)


def some_place(count: int) -> int:
    """Return an address, often where a page or a burst ends."""
    base = random.choice(BASES) + PAGE * random.randint(1, 9)
    return base + random.choice(
        (random.randrange(PAGE), -random.randint(1, 16), BURST_BYTES - random.randint(1, 16),
         -count, PAGE - count - 1, -8 * random.randint(1, 9)))  # fmt: skip


def some_counts(many: int) -> list[int]:
    """Return lengths: each short one, and a few long ones."""
    return [*range(1, 34), *random.choices((60, 64, 127, 1024, 1514, 2048, 2049), k=many), 4097]


def filled(dma: Dma, who: int, count: int) -> Span:
    """Ask for bytes that were put into memory before."""
    address = some_place(count)
    if not dma.memory.get(address, 1)[0]:
        dma.memory.put(address - 8, bytes(random.choices(range(1, 256), k=count + 16)))
    return dma.read(who, address, count)


def check_read(dma: Dma, spans: list[Span]) -> None:
    """Each has the bytes that are in memory."""
    for span in spans:
        assert span.data == dma.memory.get(span.address, span.count), hex(span.address)
        assert not any(span.bad)


async def random_reads(dma: Dma, many: int) -> None:
    """Read spans by all requesters."""
    counts = some_counts(many)
    random.shuffle(counts)
    spans = [filled(dma, random.randrange(3), count) for count in counts]
    await dma.settled()
    check_read(dma, spans)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def spans_of_every_length_and_alignment_are_read(dut: Any) -> None:
    """Across words, bursts, pages; the longest span; no burst crosses what it must not."""
    dma = Dma(dut)
    await dma.start()
    spans = [filled(dma, 2, 16383)]
    for lane in range(8):
        for count in range(1, 18):
            spans.append(dma.read(lane % 3, spans[0].address // 8 * 8 + lane, count))
    await dma.settled()
    check_read(dma, spans)
    await random_reads(dma, 10)


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def a_bus_that_answers_in_any_order_is_put_in_order(dut: Any) -> None:
    """Beats of IDs interleaved, every channel halting, requesters slow; at four bus clocks."""
    dma = Dma(dut)
    await dma.start()
    dma.memory.disorder = True
    for mhz, half in ((66, 7576), (100, 5000), (133, 3750), (200, 2500)):
        dut.bus_half_ps_i.value = half
        dma.slow = mhz in (100, 200)
        dma.memory.late = random.choice((0, 40))
        dma.memory.hinder(mhz != 133)
        await random_reads(dma, 8)
    assert dma.memory.read_side.most == 4, "all slots are used"
    assert {number for number, _, _ in dma.memory.reads} == {0, 1, 2, 3}


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def an_error_of_the_bus_is_marked_in_its_words_alone(dut: Any) -> None:
    """Words at random, each burst's first and last among them."""
    dma = Dma(dut)
    await dma.start()
    dma.memory.disorder = True
    bad = {address for address in range(0, 0x8000, 8) if random.random() < 0.1}
    bad |= {0x800 - 8, 0x800, 0x1000 - 8, 0x1000}
    dma.memory.fail_read = lambda address: address in bad
    spans = [dma.read(who, random.randrange(0x6000), random.choice((1, 8, 100, 4000)))
             for who in range(3) for _ in range(12)]  # fmt: skip
    await dma.settled()
    for span in spans:
        addresses = range(span.address, span.address + span.count)
        assert span.bad == [address // 8 * 8 in bad for address in addresses]


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def the_lowest_requester_goes_first(dut: Any) -> None:
    """Between the bursts of a long read, and between spans that wait to be written."""
    dma = Dma(dut)
    await dma.start()
    dma.read(2, 0x10000, 16000)
    await falls(dut.clk, 6)
    dma.read(1, 0x1000, 16)
    dma.read(0, 0x2000, 16)
    await dma.settled()
    order = [address for _, address, _ in dma.memory.reads]
    assert order.index(0x2000) < order.index(0x1000) < 6 < len(order)
    for who in (2, 1, 0, 2, 1, 0):
        dma.write(who, 0x1000 * (who + 1), bytes(64))
    await dma.settled()
    assert [address >> 12 for address, _ in dma.memory.writes] == [1, 1, 2, 2, 3, 3]


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def a_requester_that_waits_does_not_hold_up_the_others(dut: Any) -> None:
    """Requester 2 takes no word; 0 and 1 read through the other slots."""
    dma = Dma(dut)
    await dma.start()
    held = dma.read(2, 0x4000, 3000)
    dma._some = lambda: 0b011  # noqa: SLF001
    await falls(dut.clk, 300)
    spans = [dma.read(who, 0x8000 + 64 * at, 100) for at in range(8) for who in (0, 1)]
    for _ in range(600):
        await FallingEdge(dut.clk)
    assert all(span.answered for span in spans) and held.data == b""
    dma._some = lambda: 0b111  # noqa: SLF001
    await dma.settled()
    check_read(dma, [held, *spans])


def written(dma: Dma, many: int, where: int) -> list[Span]:
    """Write spans that lie apart from each other."""
    counts = some_counts(many)
    random.shuffle(counts)
    spans = []
    for count in counts:
        where += random.choice((8, 16, 1, 3, BURST_BYTES - where % BURST_BYTES))
        spans.append(dma.write(random.randrange(3), where, random.randbytes(count)))
        where += count
    return spans


def check_written(dma: Dma, spans: list[Span], fill: int) -> None:
    """Their bytes are in memory, and none beside them was touched."""
    first, last = spans[0], spans[-1]
    begin = min(span.address for span in (first, last)) - 16
    end = max(span.address + span.count for span in (first, last)) + 16
    wanted = bytearray([fill]) * (end - begin)
    for span in spans:
        wanted[span.address - begin : span.address - begin + span.count] = span.data
        assert span.done and span.answered and not span.error
    assert dma.memory.get(begin, end - begin) == bytes(wanted)


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def spans_of_every_length_and_alignment_are_written(dut: Any) -> None:
    """At four bus clocks, some halting; late answers; slow requesters; no byte too many."""
    dma = Dma(dut)
    await dma.start()
    where = HIGH
    for mhz, half in ((133, 3750), (66, 7576), (100, 5000), (200, 2500)):
        dut.bus_half_ps_i.value = half
        dma.slow = mhz in (100, 200)
        dma.memory.hinder(mhz in (66, 100))
        dma.memory.late = 0 if mhz == 133 else 60
        where += 0x1_0000
        dma.memory.put(where - PAGE, b"\x5a" * 0x1_0000)
        spans = written(dma, 8, where)
        await dma.settled()
        check_written(dma, spans, 0x5A)
    dma.memory.put(HIGH, b"\xa5" * 0x8000)
    spans = [dma.write(0, HIGH + 0x1005, random.randbytes(16383))]
    for lane in range(8):
        for count in range(1, 18):
            where = spans[-1].address + spans[-1].count
            spans.append(dma.write(2, where + 16 - where % 8 + lane, random.randbytes(count)))
    await dma.settled()
    check_written(dma, spans, 0xA5)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def answered_comes_with_the_last_answer_and_any_error(dut: Any) -> None:
    """An error in the first, a middle or the last burst of a span marks that span alone."""
    dma = Dma(dut)
    await dma.start()
    dma.memory.late = 30
    dma.memory.fail_write = lambda address: address % 0x10000 // 0x800 in (3, 9, 14)
    spans = [dma.write(who, 0x10000 * at + start, bytes(count)) for at, (who, start, count) in
             enumerate([(0, 0, 64), (1, 0x1000, 5000), (2, 0x1800, 8), (2, 0x1700, 0x900),
                        (0, 0x4000, 16000), (1, 0x4804, 2), (2, 0x7000, 100), (2, 0, 0x1800),
                        (0, 0x6900, 0x720)])]  # fmt: skip
    await dma.settled()
    for span in spans:
        bursts = range(span.address // 0x800, (span.address + span.count - 1) // 0x800 + 1)
        assert span.error == any(burst % 32 in (3, 9, 14) for burst in bursts), hex(span.address)
    for who in range(3):
        seen = [kind for kind, other in dma.order if other == who]
        assert all(seen[: at + 1].count("done") >= seen[: at + 1].count("answered")
                   for at in range(len(seen)))  # fmt: skip


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def what_is_written_after_done_is_later_in_memory(dut: Any) -> None:
    """A lower requester that waits for done overwrites what the higher one wrote."""
    dma = Dma(dut)
    await dma.start()
    dma.memory.late = 50
    for at in range(20):
        where = 0x3000 + 64 * at + random.randrange(8)
        first = dma.write(2, where, bytes([1]) * random.randint(30, 50))
        while not first.done:
            await FallingEdge(dut.clk)
        assert not first.answered
        dma.write(0, where, bytes([2]) * 30)
        await dma.settled()
        assert dma.memory.get(where, 30) == bytes([2]) * 30


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def stop_gives_up_what_is_under_way_and_leaves_the_bus_whole(dut: Any) -> None:
    """At any instant; by a pulse, or held; then idle, and all goes on as after a reset."""
    dma = Dma(dut)
    await dma.start()
    dma.memory.disorder = True
    dma.memory.put(0x1_0000, b"\xee" * 0x4000)
    for trial in range(30):
        dma.slow = trial % 2 == 0
        dma.memory.late = random.choice((0, 50))
        dma.memory.hinder(trial % 3 == 0)
        dut.hold_i.value = int(trial % 5 == 0)
        for _ in range(random.randint(1, 6)):
            dma.read(random.randrange(3), random.randrange(0x8000), random.choice((8, 3000)))
            count = random.choice((8, 3000))
            dma.write(random.randrange(3), 0x1_0000 + random.randrange(0x400), bytes(count))
        await falls(dut.clk, random.choice((3, 5, 8, 20, 60, 150, 400)))
        dut.stop_i.value = 1
        dma.stopped = True
        dma.forget()
        pulse = random.choice((1, 1, 1000))
        for clocks in range(6000):
            await FallingEdge(dut.clk)
            dma.stopped = False
            dut.hold_i.value = 0
            dut.wr_word_i.value = (1 << 192) - 1  # a requester in reset has no words
            if clocks + 1 == pulse:
                dut.stop_i.value = 0
            if clocks > 40 and dma.idle():
                break
        assert dma.idle()
        dut.stop_i.value = 0
        assert dma.memory.write_side.answers == len(dma.memory.writes)
        assert set(dma.memory.get(0x1_0000, 0x1000)) <= {0, 0xEE}, "only what was given"
        await falls(dut.clk, 3)
        dma.memory.late = 0
        dma.memory.hinder(False)
        address = some_place(100)
        data = random.randbytes(100)
        before = len(dma.order)
        span = dma.write(trial % 3, address, data)
        await dma.settled()
        assert dma.order[before:] == [("done", trial % 3), ("answered", trial % 3)]
        assert not span.error
        back = dma.read(trial % 3, address, 100)
        await dma.settled()
        assert back.data == data


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def long_spans_move_eight_bytes_a_bus_clock_both_ways_at_once(dut: Any) -> None:
    """At 66, 100 and 133 MHz: of the clocks between first and last beat, 99 % have one."""
    dma = Dma(dut)
    await dma.start()
    for mhz, half in ((66, 7576), (100, 5000), (133, 3750)):
        dut.bus_half_ps_i.value = half
        await falls(dut.bus_clk, 4)
        for at in range(2):
            dma.read(2, 0x4_0000 + 0x4000 * at, 16383 - at)
            dma.write(2, 0x8_0003 + 0x4000 * at, bytes(16383 - at))
        beats: dict[str, list[int]] = {"r": [], "w": []}
        for clock in range(5000):
            await FallingEdge(dut.bus_clk)
            for channel, times in beats.items():
                valid = getattr(dut, f"m_axi_{channel}valid").value
                if int(valid) and int(getattr(dut, f"m_axi_{channel}ready").value):
                    times.append(clock)
            if len(beats["r"]) >= 4095 and len(beats["w"]) >= 4095:
                break
        await dma.settled()
        for channel, times in beats.items():
            share = len(times) / (times[-1] - times[0] + 1)
            dut._log.info(f"{mhz} MHz, {channel}: {share:.4f} beats a clock")
            assert share > 0.99, (mhz, channel, share)
        together = min(beats["r"][-1], beats["w"][-1]) - max(beats["r"][0], beats["w"][0])
        assert together > 3900, "both directions at once"


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def an_idle_dma_stands_still(dut: Any) -> None:
    """Nothing on the bus moves while nobody asks; it is idle until then, and not in between."""
    dma = Dma(dut)
    await dma.start()
    for _ in range(3):
        assert dma.idle()
        dma.read(1, 0x123, 40)
        dma.write(1, 0x1234, bytes(40))
        busy = 0
        for _ in range(40):
            await FallingEdge(dut.clk)
            busy += not dma.idle()
        assert busy > 8
        await dma.settled()
        for _ in range(30):
            await FallingEdge(dut.clk)
            assert dma.idle()
            for name in ("arvalid", "awvalid", "wvalid"):
                assert not int(getattr(dut, f"m_axi_{name}").value), name
