# SPDX-License-Identifier: Apache-2.0
"""The core with other parameters: one BAR of 128 bytes and 32 bits, two tags, the least buffers.

test_pcix.py gives the parameters to Verilator.
"""

from __future__ import annotations

import random
from typing import Any

import cocotb
from pcix_dma import some_address, some_strobes
from pcix_host import CORE_ID, HOST_ID, PCIX, Host
from pcix_initiator import Request, attributes_of
from pcix_pins import READ_DWORD
from pcix_target import Answer

BAR = 0x4000_0080
BAR_BYTES = 128


async def started(dut: Any) -> Host:
    """Return a host that has set the core up."""
    host = Host(dut)
    await host.start(ready=False)
    await host.config_write(0x10, BAR)
    await host.config_write(0x04, 0x0146)
    await host.config_write(PCIX, 7 << 20 | 2 << 18)
    return host


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def configuration_space_follows_the_parameters(dut: Any) -> None:
    """BAR 0 has 32 bits, BAR 1 is not there, the status tells two splits and 4 KB."""
    host = await started(dut)
    for register, wanted in ((0x10, 0xFFFF_FF80), (0x14, 0), (0x18, 0)):
        await host.config_write(register, 0xFFFF_FFFF)
        assert await host.config_read(register) == wanted, hex(register)
    assert await host.config_read(PCIX + 4) == 0x08C3_0000 | CORE_ID


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def the_bar_has_its_bytes_and_no_more(dut: Any) -> None:
    """Each DWORD of it; addresses beside it, at zero, and above 4 GiB are not claimed."""
    host = await started(dut)
    model = random.randbytes(BAR_BYTES)
    await host.write(BAR, model)
    for at in range(0, BAR_BYTES, 4):
        reply = await host.read(BAR + at, 4, dword=True)
        assert reply.data == model[at : at + 4]
    reply = await host.read(BAR + 100, 40)
    assert (reply.data, reply.message) == (model[100:], 2 << 28 | 12)
    for address in (BAR - 4, BAR + BAR_BYTES, 0, BAR | 1 << 32, BAR ^ 1 << 31):
        request = Request(READ_DWORD, address, **attributes_of(HOST_ID, 1, 4))
        await host.bus.run(request)
        assert request.ending == "master-abort", hex(address)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def two_tags_and_small_buffers_lose_nothing(dut: Any) -> None:
    """Reads and writes of up to 2 KB at once, one write filling the whole buffer."""
    host = await started(dut)
    host.delay = lambda: random.randrange(100)
    host.parts = lambda: random.choice(("whole", "cut", "modified"))
    host.in_order = False
    host.answer = lambda taken: Answer(
        "split" if taken.command == 0xE else "data", random.choice((2, 3, 4))
    )
    reads, writes = [], []
    for trial in range(30):
        words = random.choice((1, 256, random.randint(1, 256)))
        address = 0x5_0000_0000 + 4096 * trial
        host.memory.put(address, random.randbytes(8 * words))
        reads.append(host.dma.read(address, words))
        words = random.choice((1, 256, random.randint(1, 256)))
        address = some_address(words) + (trial << 40)
        writes.append(host.dma.write(address, random.randbytes(8 * words), some_strobes(words)))
    await host.bus.until(host.dma.idle, 60_000)
    assert host.most_splits == 2
    for burst in reads:
        assert burst.data == host.memory.get(burst.address, 8 * burst.words)
        assert set(burst.resp) == {0}
    for burst in writes:
        assert burst.resp == [0]
        for at, value in enumerate(burst.data):
            if burst.strobes[at // 8] >> at % 8 & 1:
                assert host.memory.byte(burst.address + at) == value
