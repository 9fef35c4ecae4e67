# SPDX-License-Identifier: Apache-2.0
"""The NIC's receive filters: addresses, multicast and VLAN tables, and software's view of them."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from nic_rx import BROADCAST, OURS, Receive, frame_to, started
from nic_rx_model import BAM, CFI, CFIEN, EXACT, MPE, MULTI, SECRC, UPE, VFE, VLAN


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def tables_hold_what_software_writes_and_a_reset_clears_them(dut: Any) -> None:
    """Every word of every table, read in another order, and while a frame comes."""
    receive = Receive(dut)
    await receive.start()
    places = [(EXACT, place) for place in range(32)]
    places += [(table, place) for table in (MULTI, VLAN) for place in range(128)]
    for table, place in random.sample(places, len(places)):
        await receive.write(table, place, random.getrandbits(32))
    tables = receive.model.tables
    words = {EXACT: tables.exact, MULTI: tables.multi, VLAN: tables.vlan}
    for table, place in random.sample(places, len(places)):
        assert await receive.read(table, place) == words[table][place], (table, place)
    assert int(dut.address_o.value) == int.from_bytes(tables.address(0), "little")

    await receive.set(rctl=UPE | SECRC)
    sending = frame_to(bytes(6), 1518)
    going = cocotb.start_soon(receive.frame(sending))
    dut.table_re_i.value, dut.table_i.value, dut.table_place_i.value = 1, MULTI, 7
    await going
    dut.table_re_i.value = 0
    assert int(dut.table_rdata_o.value) == tables.multi[7]
    await receive.finish()

    receive.model.tables = type(tables)()
    await receive.start()
    for table, place in places:
        assert await receive.read(table, place) == 0, (table, place)
    assert int(dut.address_o.value) == 0


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def frames_are_wanted_by_exact_address_table_and_mode(dut: Any) -> None:
    """Random tables and modes; addresses that differ from wanted ones in one bit."""
    receive = await started(dut)
    pool = [random.randbytes(6) for _ in range(12)] + [BROADCAST, b"\x01" + bytes(5)]
    for _ in range(50):
        for entry in random.sample(range(16), 3):
            await receive.set_exact(entry, random.choice(pool), random.random() < 0.7,
                                    random.randrange(4))  # fmt: skip
        if random.random() < 0.3:
            for place in random.sample(range(128), 30):
                await receive.write(MULTI, place, random.getrandbits(32))
        if random.random() < 0.1:
            for place in range(128):
                await receive.write(MULTI, place, 0)
        modes = (UPE, MPE, BAM, SECRC)
        await receive.set(rctl=sum(bit for bit in modes if random.random() < 0.4)
                          | random.randrange(4) << 12)  # fmt: skip
        for _ in range(14):
            to, source = random.choice(pool), random.choice(pool)
            if random.random() < 0.3:
                flip = 1 << random.randrange(48)
                to = (int.from_bytes(to, "little") ^ flip).to_bytes(6, "little")
            await receive.frame(frame_to(to, random.randint(64, 70), source), gap=1)
    await receive.finish()


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def each_bit_of_an_address_has_its_place_in_the_multicast_table(dut: Any) -> None:
    """One bit set in the table; the address that finds it and its neighbours, by each MO."""
    receive = await started(dut)
    for mo in range(4):
        shift = (4, 3, 2, 0)[mo]
        receive.model.settings = receive.settings.mo(mo)
        await receive.set()
        for number in [0, 0xFFF, *(1 << bit for bit in range(12))]:
            await receive.set_multi(number)
            for other in (number, number ^ 1, number ^ 32, number ^ 0x800):
                top = other << shift | random.getrandbits(16) & ((1 << shift) - 1)
                to = b"\x01" + random.randbytes(3) + (top & 0xFFFF).to_bytes(2, "little")
                await receive.frame(frame_to(to), gap=0)
            await receive.clock(8)
            await receive.write(MULTI, number >> 5, 0)
    await receive.finish()
    assert receive.got >= 56


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def vlans_are_wanted_by_table_and_cfi(dut: Any) -> None:
    """Every combination of VFE, CFIEN, CFI; each bit of the tag; tags in frames for others."""
    receive = await started(dut)
    for place in range(128):
        if place % 4 != 1:
            await receive.write(VLAN, place, random.getrandbits(32))
    for modes in range(8):
        rctl = SECRC | VFE * (modes & 1) | CFIEN * (modes >> 1 & 1) | CFI * (modes >> 2 & 1)
        for vme in (False, True):
            await receive.set(rctl=rctl, vme=vme)
            for _ in range(20):
                to = OURS if random.random() < 0.9 else bytes(6)
                tag = random.getrandbits(16)
                await receive.frame(frame_to(to, random.randint(64, 75), tag=tag), gap=0)
            await receive.frame(frame_to(OURS), gap=0)
    await receive.finish()
