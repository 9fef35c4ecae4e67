# SPDX-License-Identifier: Apache-2.0
"""The register block alone against gnet1.rdl, with noise for all that the hardware shows."""

from __future__ import annotations

from typing import Any

import cocotb
from box import Box
from cocotb.triggers import Timer
from described import SIZE, described

TIMES = 40  # a bit of noise that stands still for so long is none


@cocotb.test()
async def what_the_hardware_sets_shows_in_its_fields_and_nowhere_else(dut: Any) -> None:
    """Each bit of such a field is seen low and high; all other bits stand still."""
    box = Box(dut)
    await Timer(1, "us")
    dut.arst_ni.value = 1
    registers = described()
    moving = 0
    for address in range(0, SIZE, 4):
        words = [await box.access(address) for _ in range(TIMES)]
        low, high = words[0], words[0]
        for word in words:
            low, high = low & word, high | word
        register = registers.get(address)
        made = register.made if register else 0
        rest = (register.reset or 0) & ~made if register else 0
        assert (low, high) == (rest, made | rest), register or hex(address)
        moving += made.bit_count()
    dut._log.info(f"{moving} bits that the hardware sets")
