# SPDX-License-Identifier: Apache-2.0
"""Accesses of the core's registers: posted writes, split reads, errors, what is not claimed."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge
from pcix_host import BAR0, BAR0_BYTES, BAR1, BAR1_BYTES, CORE_ID, HOST_ID, Host
from pcix_initiator import Request, attributes_of
from pcix_pins import READ_BLOCK, READ_DWORD, WRITE, WRITE_BLOCK
from pcix_target import Answer, Taken


def some_place(count: int) -> tuple[int, int]:
    """Return an address in a BAR, and its place on AXI4-Lite."""
    if count <= BAR1_BYTES and random.random() < 0.4:
        at = random.randrange(BAR1_BYTES - count + 1)
        return BAR1 + at, BAR0_BYTES + at
    at = random.randrange(BAR0_BYTES - count + 1)
    return BAR0 + at, at


def filled(host: Host) -> bytearray:
    """Set all registers to random bytes; return them."""
    model = bytearray(random.randbytes(BAR0_BYTES + BAR1_BYTES))
    host.registers.write(0, bytes(model))
    return model


async def settled(host: Host, model: bytearray) -> None:
    """Wait for the posted writes, and compare all registers."""
    await host.read(BAR0, 4, dword=True)
    assert host.registers.read(0, len(model)) == bytes(model)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def writes_reach_the_registers_byte_by_byte(dut: Any) -> None:
    """Blocks from any byte to any byte, and byte enables of every kind, on 32 and 64 bits."""
    host = Host(dut)
    await host.start()
    model = filled(host)
    for _ in range(150):
        count = random.choice((1, 2, 3, 4, 5, 8, random.randint(1, 40)))
        address, at = some_place(count)
        data = random.randbytes(count)
        if random.random() < 0.5:
            taken = await host.write(address, data)
            model[at : at + count] = data
            assert taken == (address % 4 + count + 3) // 4
        else:
            enables = [random.random() < 0.6 for _ in range(count)]
            await host.write(address, data, enables)
            for offset, on in enumerate(enables):
                if on:
                    model[at + offset] = data[offset]
    await settled(host, model)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def reads_are_split_and_cut_at_boundaries(dut: Any) -> None:
    """Any bytes of any count; a DWORD; the host's bridge refuses, delays and cuts completions."""
    host = Host(dut)
    await host.start()
    model = filled(host)

    def answer(taken: Taken) -> Answer:
        kind = random.choice(("data", "data", "retry", "single"))
        return Answer(kind, random.choice((2, 3, 4, 6)), 2 * random.randrange(3))

    host.answer_completion = answer
    for trial in range(80):
        if trial % 4 == 0:
            address, at = some_place(4)
            address, at = address & ~3, at & ~3
            reply = await host.read(address, 4, dword=True)
            assert reply.data == bytes(model[at : at + 4])
            continue
        count = random.choice((1, 3, 4, 8, 17, random.randint(1, 600), random.randint(1, 256)))
        address, at = some_place(count)
        reply = await host.read(address, count)
        assert reply.data == bytes(model[at : at + count]), (hex(address), count)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def a_read_beyond_the_bar_ends_by_a_message(dut: Any) -> None:
    """Data up to the end, then "byte count out of range" with what is left."""
    host = Host(dut)
    await host.start()
    model = filled(host)
    for base, at, size in ((BAR0, 0, BAR0_BYTES), (BAR1, BAR0_BYTES, BAR1_BYTES)):
        for inside, beyond in ((64, 64), (200, 8), (1, 1)):
            start = size - inside
            reply = await host.read(base + start, inside + beyond)
            assert reply.data == bytes(model[at + start : at + size])
            assert reply.message == 2 << 28 | 0 << 20 | beyond


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def an_error_of_the_registers_is_a_message(dut: Any) -> None:
    """Class completer, index device specific; the rest includes the part with the error."""
    host = Host(dut)
    await host.start()
    model = filled(host)
    bad: set[int] = set()
    read = host.registers.read_if._read

    async def failing(address: int, length: int, **how: Any) -> bytes:
        if address & ~3 in bad:
            raise OSError
        return await read(address, length, **how)

    host.registers.read_if._read = failing
    bad.add(0x204)
    reply = await host.read(BAR0 + 0x204, 4, dword=True)
    assert (reply.message, reply.data) == (2 << 28 | 0x80 << 20 | 4, b"")
    reply = await host.read(BAR0 + 0x1A0, 0x100)
    assert reply.data == bytes(model[0x1A0:0x200])
    assert reply.message == 2 << 28 | 0x80 << 20 | 0 << 12 | 0xA0
    reply = await host.read(BAR0 + 0x1FC, 4, dword=True)
    assert reply.data == bytes(model[0x1FC:0x200])


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def completions_that_nobody_takes_are_counted(dut: Any) -> None:
    """Master-Abort and Target-Abort of a Split Completion: it is discarded; the core goes on."""
    host = Host(dut)
    await host.start()
    model = filled(host)
    for kind, bit in (("none", 29), ("abort", 28)):
        host.answer_completion = lambda taken, kind=kind: Answer(kind)
        task = cocotb.start_soon(host.read(BAR0, 300))
        await host.bus.until(lambda kind=kind: any(t.kind == kind for t in host.bus.taken))
        await host.bus.wait(20)
        assert not task.done()
        task.kill()
        host.answer_completion = lambda taken: Answer()
        assert await host.config_read(0x44) >> 18 & 1
        await host.config_write(0x44, 1 << 18)
        assert not await host.config_read(0x44) >> 18 & 1
        assert await host.config_read(0x04) >> bit & 1
    reply = await host.read(BAR0 + 8, 16)
    assert reply.data == bytes(model[8:24])


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def only_its_own_addresses_are_claimed(dut: Any) -> None:
    """A bit of the address off, memory space off, other devices and functions: Master-Abort."""
    host = Host(dut)
    await host.start()
    model = filled(host)
    refused = [BAR0 ^ 1 << bit for bit in range(12, 39) if (BAR0 ^ 1 << bit) >> 32]
    refused += [BAR1 ^ 1 << bit for bit in range(8, 32)] + [BAR1 | 1 << 32]
    for address in refused:
        request = Request(READ_DWORD, address, **attributes_of(HOST_ID, 1, 4))
        await host.bus.run(request)
        assert request.ending == "master-abort", hex(address)
    for device, register in ((5, 0x100), (5, 0x700), (5, 1), (5, 2)):
        request = Request(0xA, device << 11 | register, HOST_ID << 8 | 3)
        await host.bus.run(request)
        assert request.ending == "master-abort", hex(register)
    for command in (0x6, 0x7, 0xE, 0xF):
        await host.config_write(0x04, 0x0144)
        request = Request(command, BAR0 + 4, **attributes_of(HOST_ID, 1, 4), data=b"1234")
        await host.bus.run(request)
        assert request.ending == "master-abort"
    await host.config_write(0x04, 0x0146)
    await settled(host, model)
    # Split Completions of others.
    for requester in (CORE_ID ^ 1 << bit for bit in range(16)):
        request = host.part(0, 0, 4, b"1234", requester=requester)
        await host.bus.run(request)
        assert request.ending == "master-abort", hex(requester)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def busy_registers_are_answered_with_retry(dut: Any) -> None:
    """One read at a time; as many writes as there is room for; none is lost or made twice."""
    host = Host(dut)
    await host.start()
    model = filled(host)
    read, write = host.registers.read_if, host.registers.write_if
    for channel in (read.ar_channel, write.aw_channel, write.w_channel):
        channel.pause = True
    request = Request(READ_BLOCK, BAR0, **attributes_of(HOST_ID, 30, 64))
    task = cocotb.start_soon(host.read(BAR0, 64))
    await host.bus.wait(60)
    host.bus.initiator.queue.append(request)
    await request.done.wait()
    assert request.ending == "retry"
    endings = []
    for at in range(9):
        single = Request(WRITE_BLOCK, BAR0 + 4 * at, **attributes_of(HOST_ID, 0, 4), data=b"abcd")
        host.bus.initiator.queue.append(single)
        await single.done.wait()
        endings.append(single.ending)
        if single.ending == "moved":
            model[4 * at : 4 * at + 4] = b"abcd"
    assert endings == ["moved"] * 8 + ["retry"], endings
    read.ar_channel.pause = False
    await FallingEdge(dut.clk)
    assert not task.done()
    await task
    write.w_channel.pause = False
    await host.bus.wait(10)
    write.aw_channel.pause = False
    await settled(host, model)
    # Address before data, and data before address.
    for first, then in ((write.aw_channel, write.w_channel), (write.w_channel, write.aw_channel)):
        then.pause, first.pause = True, False
        await host.write(BAR0 + 0x80, b"wxyz")
        await host.bus.wait(20)
        then.pause = False
    model[0x80:0x84] = b"wxyz"
    await settled(host, model)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_byte_enable_pattern_of_each_kind_counts(dut: Any) -> None:
    """All sixteen patterns of one DWORD, on a bus of 32 bits."""
    host = Host(dut)
    await host.start(wide=False)
    model = filled(host)
    for pattern in range(16):
        enables = [bool(pattern >> lane & 1) for lane in range(4)]
        data = random.randbytes(4)
        request = Request(WRITE, BAR0 + 4 * pattern, **attributes_of(HOST_ID, 0, 4), data=data,
                          enables=enables)  # fmt: skip
        await host.bus.run(request)
        assert (request.ending, request.decode) == ("moved", 3)
        for lane, on in enumerate(enables):
            if on:
                model[4 * pattern + lane] = data[lane]
    await settled(host, model)
