# SPDX-License-Identifier: Apache-2.0
"""All at once: the design's reads and writes, register accesses, messages, in both slots."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from pcix_dma import HIGH, some_strobes
from pcix_host import BAR0, MSI, PCIX, Host
from pcix_pins import READS, WRITE
from pcix_target import Answer, Taken

MESSAGES = 0xFEE0_0000
SOURCE, SINK = HIGH, HIGH + (1 << 20)


def any_answer(taken: Taken) -> Answer:
    """Answer in every way that ends well."""
    decode, stop = random.choice((2, 3, 4, 6)), random.choice((None, 0, random.randrange(40)))
    if taken.command in READS:
        kind = random.choice(("split", "split", "data", "single", "retry"))
        return Answer(kind, decode, random.randrange(4), stop_at=stop)
    kind = random.choice(("data", "data", "single", "retry"))
    return Answer(kind, decode, 2 * random.randrange(3), stop_at=stop)


def any_completion(taken: Taken) -> Answer:
    """Take a Split Completion at once or later."""
    return Answer(random.choice(("data", "data", "retry")), random.choice((2, 3, 4)))


class Load:
    """Work for every side of the core; each checks what it gets."""

    def __init__(self, host: Host, dut: Any) -> None:
        self.host, self.dut = host, dut
        self.busy = 0
        self._looked = self._messages = 0
        host.answer = any_answer
        host.answer_completion = any_completion
        host.delay = lambda: random.randrange(150)
        host.parts = lambda: random.choice(("whole", "cut", "modified"))
        host.in_order = False
        host.bus.arbiter.fickle = True
        host.memory.put(SOURCE, random.randbytes(1 << 13))

    async def run(self, count: int) -> None:
        """Run all of it to the end."""
        parts = (self.reads(count), self.writes(count), self.registers(count), self.irqs(count))
        self.busy = len(parts)
        tasks = [cocotb.start_soon(part) for part in parts]
        await self.host.bus.until(lambda: bool(self.host.dma.idle() and not self.busy), 100_000)
        for task in tasks:
            await task

    async def reads(self, count: int) -> None:
        """Read parts of a region that nobody writes."""
        for _ in range(count):
            words = random.randint(1, 200)
            at = SOURCE + 8 * random.randrange(1024 - words)
            burst = self.host.dma.read(at, words, random.randrange(16))
            if random.random() < 0.3:
                await burst.done.wait()
            await self.host.bus.wait(random.randrange(150))
            if burst.ended():
                assert burst.data == self.host.memory.get(at, 8 * words)
        await burst.done.wait()
        self.busy -= 1

    async def writes(self, count: int) -> None:
        """Write regions one after the other; read each from memory when it is answered."""
        for number in range(count):
            words = random.choice((1, 4, 33, random.randint(1, 256)))
            at, data = SINK + 4096 * number, random.randbytes(8 * words)
            strobes = some_strobes(words)
            burst = self.host.dma.write(at, data, strobes)
            if random.random() < 0.3:
                await burst.done.wait()
                for byte, value in enumerate(data):
                    if strobes[byte // 8] >> byte % 8 & 1:
                        assert self.host.memory.byte(at + byte) == value
            await self.host.bus.wait(random.randrange(200))
        await burst.done.wait()
        self.busy -= 1

    async def registers(self, count: int) -> None:
        """Write and read registers; a read has the bytes that were written."""
        model = bytearray(1024)
        self.host.registers.write(0, bytes(model))
        for _ in range(count):
            length = random.choice((4, 4, 4, random.randint(1, 32)))
            at = random.randrange(0, 1024 - length) & ~3
            data = random.randbytes(length)
            await self.host.write(BAR0 + at, data)
            model[at : at + length] = data
            length = random.choice((1, 4, 200))
            at = random.randrange(0, 1024 - length) & ~3
            reply = await self.host.read(BAR0 + at, length)
            assert reply.data == bytes(model[at : at + length])
        self.busy -= 1

    def messages(self) -> int:
        """Count messages that have come."""
        taken = self.host.bus.taken
        new = taken[self._looked :]
        self._looked = len(taken)
        self._messages += sum(t.command == WRITE and t.address == MESSAGES and bool(t.data)
                              for t in new)  # fmt: skip
        return self._messages

    async def irqs(self, count: int) -> None:
        """Raise interrupts, each when the message of the one before is there."""
        bus = self.host.bus
        for _ in range(count):
            before = self.messages()
            self.dut.irq_i.value = 1
            await bus.until(lambda before=before: self.messages() == before + 1)
            self.dut.irq_i.value = 0
            await bus.wait(random.randint(5, 300))
        self.busy -= 1


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def every_side_works_while_all_others_do(dut: Any) -> None:
    """In a slot of 64 bits, then in one of 32."""
    for wide in (True, False):
        host = Host(dut)
        await host.start(wide=wide)
        await host.config_write(0x0C, 0x1000)
        await host.config_write(PCIX, 4 << 20 | random.randrange(4) << 18)
        await host.config_write(MSI + 4, MESSAGES)
        await host.config_write(MSI, 1 << 16)
        await Load(host, dut).run(40)
        assert not host.splits
        kinds = host.bus.checker.endings
        for kind in ("core moved", "core split", "core retry", "core single", "host moved",
                     "host split"):  # fmt: skip
            assert kinds[kind], kinds
        await host.bus.stop()
