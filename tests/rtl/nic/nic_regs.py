# SPDX-License-Identifier: Apache-2.0
"""Software in front of the NIC's registers, and what it expects of nic.rdl."""

from __future__ import annotations

from typing import Any

import accesses
from cocotb.triggers import FallingEdge
from nic_described import BY_ADDRESS, BY_NAME, ONES

INPUTS = ("access_valid_i", "access_write_i", "access_addr_i", "access_wdata_i", "access_strb_i",
          "reset_wait_i", "rx_head_i", "rx_rest_i", "tx_head_i", "tx_rest_i", "event_i",
          "carrier_i", "paused_i", "bus_i", "eeprom_do_i", "address_valid_i", "address_i",
          "mdio_busy_i", "mdio_read_data_i", "tso_whole_i")  # fmt: skip
# One clock long; counted by the driver.
PULSES = ("reset_o", "link_reset_o", "rx_resume_o", "rx_tail_set_o", "rx_flush_o",
          "rx_head_set_o", "tx_resume_o", "tx_tail_set_o", "tx_head_set_o", "eeprom_load_o",
          "mdio_start_o", "changed_o", "lost_o")  # fmt: skip
RST, LRST = (BY_NAME["CTRL0"].fields[name] for name in ("RST", "LRST"))


class Software:
    """Accesses of registers; `pulses` has the clocks in which each one-clock output was high."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.pulses = dict.fromkeys(PULSES, 0)

    async def start(self) -> None:
        """Leave reset with every input low, the lanes aligned, the tables ready."""
        for name in INPUTS:
            getattr(self.dut, name).value = 0
        self.dut.table_ready_i.value = 1
        self.dut.rst_ni.value = 0
        await self.clocks(3)
        self.dut.rst_ni.value = 1
        await self.clocks(50)
        assert self.pulses["eeprom_load_o"] == 1, "the NIC reads its address at power-up"
        self.forget()

    def forget(self) -> None:
        """Begin to count pulses again."""
        self.pulses = dict.fromkeys(PULSES, 0)

    def seen(self) -> dict[str, int]:
        """Return the pulses since the last time, those that came."""
        found = {name: count for name, count in self.pulses.items() if count}
        self.forget()
        return found

    async def clocks(self, count: int) -> None:
        """Wait for so many falling edges."""
        for _ in range(count):
            await FallingEdge(self.dut.clk)
            for name in PULSES:
                self.pulses[name] += getattr(self.dut, name).value.binstr == "1"

    async def begin(self, address: int, word: int | None = None, strobes: int = 15) -> None:
        """Ask for an access; it has one clock."""
        dut = self.dut
        dut.access_valid_i.value = 1
        dut.access_addr_i.value = address
        dut.access_write_i.value = word is not None
        dut.access_wdata_i.value = word or 0
        dut.access_strb_i.value = strobes if word is not None else 0
        await self.clocks(1)
        dut.access_valid_i.value = 0
        assert not int(dut.access_ready_o.value)

    async def access(self, address: int, word: int | None = None, strobes: int = 15) -> int:
        """Write or read a register; the answer comes two clocks later."""
        await self.begin(address, word, strobes)
        await self.clocks(1)
        assert int(self.dut.access_ready_o.value)
        if word is not None:
            accesses.written(address, word, strobes)
            return 0
        value = int(self.dut.access_rdata_o.value)
        accesses.read(address, value)
        return value

    async def write(self, name: str, word: int, strobes: int = 15) -> None:
        """Write a register by name."""
        await self.access(BY_NAME[name].address, word, strobes)

    async def read(self, name: str) -> int:
        """Read a register by name."""
        return await self.access(BY_NAME[name].address)

    async def fields(self, name: str) -> dict[str, int]:
        """Read a register; return its fields, those that are not zero."""
        word = await self.read(name)
        register = BY_NAME[name]
        assert word & ~sum(register.fields.values()) == 0, (name, hex(word))
        found = {field: register.bits(field, word) for field in register.fields}
        return {field: value for field, value in found.items() if value}


def lanes(strobes: int) -> int:
    """Return the bits of the bytes with a strobe."""
    return sum(0xFF << 8 * lane for lane in range(4) if strobes >> lane & 1)


def unpacked(word: int, **widths: int) -> dict[str, int]:
    """Return the members of a struct, the uppermost first."""
    found = {}
    for name, width in reversed(widths.items()):
        found[name], word = word & ((1 << width) - 1), word >> width
    assert not word
    return found


__all__ = ["BY_ADDRESS", "BY_NAME", "LRST", "ONES", "RST", "Software", "lanes", "unpacked"]
