# SPDX-License-Identifier: Apache-2.0
"""nic_dma_turns between a sender of bursts and a bus: one engine, and two."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

ONE, TWO = 0, 1  # bits of the ports
SLOTS = 4
WORDS = 3  # of a write burst


class Side:
    """The sender of bursts at one of the two blocks, and the bus behind the block.

    `read_share` and `write_share` are how often a burst is asked for, `ready_share` how often the
    bus takes something, `answer_share` how often it answers.
    """

    def __init__(self, dut: Any, bit: int) -> None:
        self.dut, self.bit = dut, bit
        self.read_share = self.write_share = self.ready_share = self.answer_share = 0.5
        self.asks_read = self.asks_write = False
        self.words_left: list[int] = []  # of each write burst whose address was asked for
        self.reads = 0  # on the bus
        self.unanswered = 0  # writes on the bus, from their address on
        self.words_due = 0  # of writes whose last word the bus does not have
        self.complete = 0  # writes whose words the bus has
        self.order = ""  # of the bursts as they began
        self.both = 0  # clocks in which both directions were on the bus
        self.most_reads = 0
        self.contended: list[str] = []  # bursts that began while both directions waited
        self.held = {"ar": False, "aw": False}

    def drive(self) -> dict[str, int]:
        """Return the inputs of this clock."""
        if not self.asks_read and self.reads < SLOTS:
            self.asks_read = random.random() < self.read_share
        if not self.asks_write and len(self.words_left) < 2:
            self.asks_write = random.random() < self.write_share
            if self.asks_write:
                self.words_left.append(WORDS)
        answers = random.random() < self.answer_share
        r_last = answers and self.reads > 0 and random.random() < 0.5
        b_valid = answers and not r_last and self.complete > 0
        self.r_last, self.b_valid = r_last, b_valid
        return {
            "ar_valid_i": self.asks_read,
            "aw_valid_i": self.asks_write,
            "w_valid_i": bool(self.words_left),
            "ar_ready_i": random.random() < self.ready_share,
            "aw_ready_i": random.random() < self.ready_share,
            "w_ready_i": random.random() < self.ready_share and self.words_due > 0,
            "r_last_i": r_last,
            "b_valid_i": b_valid,
        }

    def see(self) -> None:
        """Look at the outputs of this clock, and check them."""
        on = {
            name: bool(int(getattr(self.dut, name).value) >> self.bit & 1)
            for name in ("ar_valid_o", "aw_valid_o", "w_valid_o", "ar_ready_o", "aw_ready_o",
                         "w_ready_o", "ar_ready_i", "aw_ready_i", "w_ready_i")
        }  # fmt: skip
        for name in ("ar", "aw"):
            assert on[f"{name}_valid_o"] or not self.held[name], f"{name} stays on offer"
            self.held[name] = on[f"{name}_valid_o"] and not on[f"{name}_ready_i"]
        both_wait = self.asks_read and self.asks_write
        reads = on["ar_valid_o"] and on["ar_ready_i"]
        writes = on["aw_valid_o"] and on["aw_ready_i"]
        assert reads == (self.asks_read and on["ar_ready_o"]), "both sides see the same"
        assert writes == (self.asks_write and on["aw_ready_o"])
        moves = on["w_valid_o"] and on["w_ready_i"]
        assert moves == (bool(self.words_left) and on["w_ready_o"])
        self.both += self.reads > 0 and self.unanswered > 0
        self.reads -= self.r_last
        self.unanswered -= self.b_valid
        self.complete -= self.b_valid
        if reads:
            self.reads, self.asks_read = self.reads + 1, False
        if writes:
            self.unanswered, self.asks_write = self.unanswered + 1, False
            self.words_due += WORDS
        if moves:
            self.words_left[0] -= 1
            self.words_due -= 1
            if not self.words_left[0]:
                del self.words_left[0]
                self.complete += 1
        self.most_reads = max(self.most_reads, self.reads)
        for begins, letter in ((reads, "r"), (writes, "w")):
            if begins:
                self.order += letter
                if both_wait:
                    self.contended.append(letter)


async def run(dut: Any, sides: tuple[Side, Side], clocks: int) -> None:
    """Run both blocks for some clocks."""
    for _ in range(clocks):
        inputs = [side.drive() for side in sides]
        for name in inputs[0]:
            getattr(dut, name).value = sum(inputs[i][name] << i for i in (ONE, TWO))
        # Halfway between two edges that matter: inputs move at a falling edge.
        await ReadOnly()
        for side in sides:
            side.see()
        await FallingEdge(dut.clk)


async def started(dut: Any) -> tuple[Side, Side]:
    """Leave reset with nothing asked."""
    for name in ("ar_valid_i", "aw_valid_i", "w_valid_i", "ar_ready_i", "aw_ready_i", "w_ready_i",
                 "r_last_i", "b_valid_i"):  # fmt: skip
        getattr(dut, name).value = 0
    dut.rst_ni.value = 0
    await FallingEdge(dut.clk)
    await FallingEdge(dut.clk)
    dut.rst_ni.value = 1
    await FallingEdge(dut.clk)
    return Side(dut, ONE), Side(dut, TWO)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def one_engine_does_one_direction_at_a_time(dut: Any) -> None:
    """At any load of both directions; two engines do both."""
    one, two = await started(dut)
    for share in (0.1, 0.5, 1.0):
        for ready in (0.3, 1.0):
            for side in (one, two):
                side.read_share, side.write_share, side.ready_share = share, 1.1 - share, ready
            await run(dut, (one, two), 500)
    assert one.both == 0
    assert two.both > 100
    assert min(one.order.count("r"), one.order.count("w")) > 50
    assert len(two.order) > len(one.order)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def both_directions_take_turns_while_both_wait(dut: Any) -> None:
    """A burst each: neither starves, whatever the other one asks for."""
    one, two = await started(dut)
    for side in (one, two):
        side.read_share = side.write_share = 1.0
    await run(dut, (one, two), 800)
    assert len(one.contended) > 40
    assert all(a != b for a, b in zip(one.contended, one.contended[1:], strict=False))


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def reads_alone_and_writes_alone_are_not_held_up(dut: Any) -> None:
    """As many reads as there are slots are under way; one write follows the other."""
    one, two = await started(dut)
    for side in (one, two):
        side.read_share, side.write_share, side.answer_share = 1.0, 0.0, 0.1
    await run(dut, (one, two), 300)
    assert one.most_reads == two.most_reads == SLOTS
    for side in (one, two):
        side.read_share, side.write_share, side.answer_share = 0.0, 1.0, 1.0
        side.ready_share = 1.0
        side.order = ""
    await run(dut, (one, two), 300)
    assert one.order.lstrip("r").count("w") > 300 / (WORDS + 5)
