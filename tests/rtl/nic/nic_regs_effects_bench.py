# SPDX-License-Identifier: Apache-2.0
"""What a write or a reading of the NIC's registers does beside: resets, rings, causes, link."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from nic_regs import BY_ADDRESS, BY_NAME, LRST, ONES, RST, Software

RESET_CLOCKS, LINK_CLOCKS = 156, 40
FPDB = BY_NAME["RDT"].fields["FPDB"]
CAUSES = sum(BY_NAME["ICR"].fields.values())
LSC = BY_NAME["ICR"].fields["LSC"]
OWN = bytes.fromhex("0007e9abcdef")


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def a_device_reset_leaves_ctrl1_and_eecd(dut: Any) -> None:
    """All others have their reset values; CTRL0 has what was written, less RST and LRST."""
    software = Software(dut)
    await software.start()
    words = {
        address: random.getrandbits(32) & each.kept
        for address, each in BY_ADDRESS.items()
        if each.kept and each.name != "CTRL0"
    }
    for both in (0, LRST):
        for address, word in words.items():
            await software.access(address, word)
        await software.write("IMS", ONES)
        await software.write("CTRL0", BY_NAME["CTRL0"].fields["JFE"])
        await software.clocks(5)
        software.forget()
        control = BY_NAME["CTRL0"].kept & random.getrandbits(32)
        await software.write("CTRL0", control | RST | both)
        assert software.seen() == {"reset_o": 1, "link_reset_o": 1, "eeprom_load_o": 1}
        dut.table_ready_i.value = 0
        assert int(dut.busy_o.value)
        for clocks in range(2, RESET_CLOCKS, 2):
            assert await software.read("CTRL0") == control | RST, clocks
        dut.table_ready_i.value = 1
        dut.reset_wait_i.value = 1
        await software.clocks(4)
        assert await software.read("CTRL0") == control | RST
        dut.reset_wait_i.value = 0
        assert await software.read("CTRL0") == control
        await software.clocks(2)
        assert not int(dut.busy_o.value)
        for address, word in words.items():
            each = BY_ADDRESS[address]
            kept = word if each.name in ("CTRL1", "EECD") else each.reset & each.kept
            assert await software.access(address) & each.kept == kept, each
        assert await software.read("IMS") == 0
        assert software.seen() == {}
    for delay, shown in ((RESET_CLOCKS - 2, RST), (RESET_CLOCKS - 1, 0)):
        await software.write("CTRL0", RST)
        await software.clocks(100)
        await software.write("CTRL0", RST)  # counts again
        await software.clocks(delay)
        assert await software.read("CTRL0") == shown
    # A byte without RST resets nothing.
    await software.clocks(100)
    software.forget()
    await software.write("CTRL0", RST | 0x10, 0b0111)
    assert await software.read("CTRL0") == 0x10 and software.seen() == {}


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def commands_clear_themselves(dut: Any) -> None:
    """LRST resets the link alone, EE_RST has the address read again."""
    software = Software(dut)
    await software.start()
    await software.write("RCTL", ONES)
    software.forget()
    await software.write("CTRL0", LRST | 0x10)
    assert software.seen() == {"link_reset_o": 1}
    assert await software.read("CTRL0") == 0x10 and await software.read("RCTL") == ONES
    reread = BY_NAME["CTRL1"].fields["EE_RST"]
    await software.write("CTRL1", reread | 1)
    assert software.seen() == {"eeprom_load_o": 1}
    assert await software.read("CTRL1") == 1
    await software.write("CTRL1", 2)
    assert software.seen() == {}


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def doorbells_ring_with_their_tail(dut: Any) -> None:
    """RDT and TDT; FPDB in the same clock, and again with a byte of the tail.

    RCTL and TCTL tell that they were written, whatever with.
    """
    software = Software(dut)
    await software.start()
    for enable in (0, 2, 2):
        await software.write("RCTL", enable)
        assert software.seen() == {"rx_resume_o": 1}
        await software.write("TCTL", enable)
        assert software.seen() == {"tx_resume_o": 1}
    await software.write("RDT", 0x1234)
    assert software.seen() == {"rx_tail_set_o": 1} and int(dut.rx_tail_o.value) == 0x1234
    await software.write("TDT", 0x5678_9ABC)
    assert software.seen() == {"tx_tail_set_o": 1} and int(dut.tx_tail_o.value) == 0x9ABC
    assert await software.read("TDT") == 0x5678_9ABC
    await software.write("RDT", FPDB | 0x77)
    assert software.seen() == {"rx_tail_set_o": 1, "rx_flush_o": 1}
    assert await software.read("RDT") == 0x77
    # The twin's bank holds FPDB, too: a byte of the tail flushes again.
    await software.write("RDT", 0x88, 1)
    assert software.seen() == {"rx_tail_set_o": 1, "rx_flush_o": 1}
    await software.write("RDT", 0x99)
    assert software.seen() == {"rx_tail_set_o": 1} and await software.read("RDT") == 0x99
    await software.read("RDT")
    assert software.seen() == {}


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def heads_are_set_at_rest_alone(dut: Any) -> None:
    """Neither while the unit is on nor while something is under way; they read as the ring's."""
    software = Software(dut)
    await software.start()
    for side, head, control in (("rx", "RDH", "RCTL"), ("tx", "TDH", "TCTL")):
        for at_rest in (0, 1):
            for enabled in (0, 1):
                getattr(dut, f"{side}_rest_i").value = at_rest
                await software.write(control, enabled << 1)
                software.forget()
                word = random.getrandbits(32)
                await software.write(head, word)
                allowed = at_rest and not enabled
                assert software.seen() == ({f"{side}_head_set_o": 1} if allowed else {})
                assert int(getattr(dut, f"{side}_head_o").value) == word & 0xFFFF
                shown = random.getrandbits(16)
                getattr(dut, f"{side}_head_i").value = shown
                assert await software.read(head) == shown
        getattr(dut, f"{side}_rest_i").value = 0


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def causes_are_set_taken_enabled_and_disabled(dut: Any) -> None:
    """ICS, ICR, IMS and IMC; bits without a cause, and bytes without a strobe, do nothing."""
    software = Software(dut)
    await software.start()
    causes = mask = 0
    for _ in range(400):
        name = random.choice(["ICR", "ICS", "IMS", "IMC", "read"])
        word, strobes = random.getrandbits(32), random.choice([15, 15, 1, 2, 12])
        keep = sum(0xFF << 8 * lane for lane in range(4) if strobes >> lane & 1) & CAUSES & word
        if name == "ICR" and random.random() < 0.5:
            await software.write("ICR", word)  # does nothing
        elif name == "ICR":
            came = random.getrandbits(16) & CAUSES
            dut.event_i.value = came
            await software.begin(BY_NAME["ICR"].address)
            dut.event_i.value = 0
            await software.clocks(1)
            assert int(dut.access_rdata_o.value) == causes
            causes = came
        elif name == "read":
            assert await software.read("ICS") == causes
            assert await software.read("IMS") == mask
            assert await software.read("IMC") == mask
        else:
            await software.write(name, word, strobes)
            causes |= keep if name == "ICS" else 0
            mask = mask | keep if name == "IMS" else mask & ~keep if name == "IMC" else mask
        await software.clocks(1)
        assert int(dut.request_o.value) == bool(causes & mask)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def a_management_frame_starts_with_what_was_written(dut: Any) -> None:
    """MSCA and MSRWD: of clause 45's address NP_ADDR is sent, else WRITE_DATA."""
    software = Software(dut)
    await software.start()
    fields = BY_NAME["MSCA"].fields
    command = fields["MDI_COMMAND"]
    for _ in range(40):
        data, word = random.getrandbits(32), random.getrandbits(32) & ~(1 << 29) | command
        await software.write("MSRWD", data)
        assert software.seen() == {}
        await software.write("MSCA", word)
        assert software.seen() == {"mdio_start_o": 1}
        got = {name: BY_NAME["MSCA"].bits(name, word) for name in fields}
        assert int(dut.mdio_clause22_o.value) == got["ST_CODE"] & 1
        assert int(dut.mdio_op_o.value) == got["OP_CODE"]
        assert int(dut.mdio_port_o.value) == got["PHY_ADDR"]
        assert int(dut.mdio_device_o.value) == got["DEV_TYPE"]
        address = got["ST_CODE"] == 0 and got["OP_CODE"] == 0
        assert int(dut.mdio_data_o.value) == (got["NP_ADDR"] if address else data & 0xFFFF)
        dut.mdio_busy_i.value = 1
        assert await software.read("MSCA") == word
        dut.mdio_busy_i.value = 0
        assert await software.read("MSCA") == word & ~command
        await software.write("MSCA", command, 0b0111)
        assert software.seen() == {}, "the byte with the command has no strobe"
        answer = random.getrandbits(16)
        dut.mdio_read_data_i.value = answer
        assert await software.read("MSRWD") == answer << 16 | data & 0xFFFF
    dut.mdio_busy_i.value = 0


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def pins_of_the_eeprom_follow_eecd(dut: Any) -> None:
    """SK, CS and DI as written, DO as it is."""
    software = Software(dut)
    await software.start()
    for word in range(16):
        await software.write("EECD", word)
        pins = [int(getattr(dut, f"eeprom_{name}_o").value) for name in ("sk", "cs", "di")]
        assert pins == [word & 1, word >> 1 & 1, word >> 2 & 1]
        for level in (1, 0):
            dut.eeprom_do_i.value = level
            assert await software.read("EECD") == word & 7 | level << 3


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def the_link_is_up_with_carrier_and_aligned_lanes(dut: Any) -> None:
    """STATUS, PCSS1, PCSS2, XPCSS, LSC and LFC; what is enabled when."""
    software = Software(dut)
    await software.start()
    pause = BY_NAME["CTRL0"].fields

    async def shown(*, aligned: bool, carrier: bool) -> None:
        up = aligned and carrier
        status = {"LU": 1} if up else {"RLF": 1}
        assert await software.fields("STATUS") == status | {"REV_ID": 5}
        lanes = {"RX_LINK_STATUS": 1} if aligned else {"LOCAL_FAULT": 1}
        assert await software.fields("PCSS1") == lanes
        abilities = {"CAN_10GBX": 1, "DEV_PRES": 1} | ({} if aligned else {"RX_LF": 1})
        assert await software.fields("PCSS2") == abilities
        wanted = {"LANE_SYNC": 15, "ALIGN_STATUS": 1} if aligned else {}
        assert await software.fields("XPCSS") == wanted
        assert int(dut.tx_enable_o.value) == up
        assert int(dut.rx_enable_o.value) == aligned * (await software.fields("RCTL")).get("EN", 0)

    await shown(aligned=True, carrier=False)
    dut.carrier_i.value = 1
    await software.clocks(2)
    assert software.seen() == {"changed_o": 1} and await software.read("ICR") == LSC
    await shown(aligned=True, carrier=True)
    await software.write("RCTL", 2)
    await shown(aligned=True, carrier=True)
    software.forget()
    # A reset of the link.
    await software.write("CTRL0", LRST)
    await software.clocks(1)
    assert software.seen() == {"link_reset_o": 1, "changed_o": 1}
    await shown(aligned=False, carrier=True)
    assert int(dut.link_busy_o.value)
    await software.write("CTRL0", LRST)
    await software.clocks(LINK_CLOCKS - 2)
    await software.clocks(1)
    assert software.seen() == {"link_reset_o": 1}
    await software.clocks(1)
    assert software.seen() == {"changed_o": 1}
    await software.clocks(1)
    assert not int(dut.link_busy_o.value)
    await shown(aligned=True, carrier=True)
    # Loss of carrier, with the lanes aligned and without.
    dut.carrier_i.value = 0
    await software.clocks(2)
    assert software.seen() == {"changed_o": 1, "lost_o": 1}
    await shown(aligned=True, carrier=False)
    await software.write("CTRL0", LRST)
    for level in (1, 0):
        dut.carrier_i.value = level
        await software.clocks(2)
    assert software.seen() == {"link_reset_o": 1, "lost_o": 1}
    assert await software.read("LFC") == 2 and await software.read("LFC") == 0
    await software.clocks(LINK_CLOCKS)
    # A reset of the device while the link is up: LSC outlives it.
    dut.carrier_i.value = 1
    await software.clocks(2)
    await software.write("CTRL0", RST)
    await software.clocks(2)
    assert await software.read("ICR") == LSC
    await software.clocks(RESET_CLOCKS)
    assert await software.read("ICR") == LSC
    # PAUSE is honoured.
    for word in range(8):
        rpe, cmdc, carrier = word & 1, word >> 1 & 1, word >> 2
        dut.carrier_i.value = carrier
        await software.write("CTRL0", rpe * pause["RPE"] | cmdc * pause["CMDC"])
        assert int(dut.honour_o.value) == (rpe and not cmdc and carrier)
    dut.paused_i.value = 1
    for at, name in enumerate(("PCI66", "BUS64", "PCIX_MODE")):
        dut.bus_i.value = 1 << at
        assert await software.fields("STATUS") == {"LU": 1, "TXOFF": 1, name: 1, "REV_ID": 5}
    dut.bus_i.value = 0b10 << 3
    fields = await software.fields("STATUS")
    assert fields == {"LU": 1, "TXOFF": 1, "PCIX_SPEED": 2, "REV_ID": 5}


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def the_eeproms_address_goes_into_entry_zero(dut: Any) -> None:
    """RAL and RAH with AV; it waits for accesses and for tables that are being cleared."""
    software = Software(dut)
    await software.start()
    low, high = int.from_bytes(OWN[:4], "little"), int.from_bytes(OWN[4:], "little") | 1 << 31
    await software.access(0x188, 0x1111_2222)

    async def load(address: bytes) -> None:
        dut.address_valid_i.value = 1
        dut.address_i.value = int.from_bytes(address, "little")
        await software.clocks(1)
        dut.address_valid_i.value = 0
        dut.address_i.value = random.getrandbits(48)

    await load(OWN)
    await software.clocks(3)
    assert not int(dut.busy_o.value)
    assert [await software.access(address) for address in (0x180, 0x184)] == [low, high]
    for delay in range(4):
        await software.access(0x180, 0)
        await software.access(0x184, 0)
        await load(OWN)
        await software.clocks(delay)
        for place in range(4):
            await software.access(0x400 + 4 * place, 0x5555_0000 + place)
            assert await software.access(0x400 + 4 * place) == 0x5555_0000 + place
            assert await software.access(0x188) == 0x1111_2222
        assert [await software.access(address) for address in (0x180, 0x184)] == [low, high]
    dut.table_ready_i.value = 0
    await load(bytes(reversed(OWN)))
    await software.clocks(10)
    assert int(dut.busy_o.value)
    dut.table_ready_i.value = 1
    await software.clocks(4)
    assert await software.access(0x180) == int.from_bytes(OWN[:1:-1], "little")
    # Writes in each second clock leave none to the address, readings do.
    await load(OWN)
    for place in range(3):
        await software.access(0x200 + 4 * place, place)
    for place in range(3):
        assert await software.access(0x200 + 4 * place) == place
    assert [await software.access(address) for address in (0x180, 0x184)] == [low, high]


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def counters_are_read_through_the_registers(dut: Any) -> None:
    """A reading clears, a write and a reading of a neighbour do not; a reset of the device does."""
    software = Software(dut)
    await software.start()
    dut.tso_whole_i.value = 1
    await software.clocks(5)
    dut.tso_whole_i.value = 0
    address = BY_NAME["TSCTC"].address
    await software.access(address, 0)
    for other in (address - 4, address + 4, address - 8, address & 0x1FF, address + 0x200):
        assert await software.access(other) == 0
    assert await software.access(address) == 5
    assert await software.access(address) == 0
    dut.tso_whole_i.value = 1
    await software.clocks(1)
    dut.tso_whole_i.value = 0
    await software.write("CTRL0", RST)
    assert await software.access(address) == 0
