# SPDX-License-Identifier: Apache-2.0
"""A 93C46 at the NIC's pins, for the test benches: it only reads."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, First, RisingEdge

COMMAND_BITS = 9  # a start bit, an operation of 2 bits, a place of 6


class Eeprom:
    """It takes a bit at each rise of SK, and answers behind it. DO is high while it is not used."""

    def __init__(self, dut: Any, words: list[int]) -> None:
        self.dut, self.words = dut, words
        self.commands: list[int] = []
        dut.eeprom_do_i.value = 1
        cocotb.start_soon(self._run())

    async def _run(self) -> None:
        dut = self.dut
        ends = FallingEdge(dut.eeprom_cs_o)
        while True:
            await RisingEdge(dut.eeprom_cs_o)
            bits, place = "", 0
            while await First(ends, RisingEdge(dut.eeprom_sk_o)) is not ends:
                if len(bits) < COMMAND_BITS:
                    level = str(int(dut.eeprom_di_o.value))
                    bits += level if bits or level == "1" else ""
                    if len(bits) == COMMAND_BITS:
                        self.commands.append(int(bits, 2))
                        dut.eeprom_do_i.value = 0
                else:
                    word = self.words[(int(bits[3:], 2) + place // 16) % 64]
                    dut.eeprom_do_i.value = word >> (15 - place % 16) & 1
                    place += 1
            dut.eeprom_do_i.value = 1


def words_of(address: bytes) -> list[int]:
    """Return the words that have an Ethernet address, its first byte lowest."""
    return [int.from_bytes(address[at : at + 2], "little") for at in (0, 2, 4)]
