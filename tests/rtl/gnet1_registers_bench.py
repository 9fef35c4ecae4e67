# SPDX-License-Identifier: Apache-2.0
"""The register tables of rtl/gnet1/README.md against the box: offsets, reset values, access."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cocotb
from box import Box
from longhaul.gnet1 import registers

README = Path(__file__).resolve().parents[2] / "rtl" / "gnet1" / "README.md"
# Bits that hold what was written, where these are not all 32; the simulated sampler is a small one.
WIDTHS = registers.MOST | {"CTRL": 0x6, "SAMPLE_INDEX": 0x3F}
# Written for effect: reading gives something else.
EFFECTS = {"GPS_SECONDS", "ATM_OVERHEAD", "DISCARD_CTRL"}


@dataclass(frozen=True)
class Row:
    """One line of a table."""

    name: str
    offset: int
    reset: str
    access: str
    port: int | None


def rows() -> list[Row]:
    """Return the lines of both tables, those of the ports four times."""
    text = README.read_text().split("## Registers")[1].split("## Timing")[0]
    found: list[Row] = []
    for part, ports in zip(text.split("Port n, at"), ((None,), range(4)), strict=True):
        for match in re.finditer(r"^\| (\w+) \| (0x\w+) \| (\S+) \| (\w+) \|", part, re.M):
            name, offset, reset, access = match.groups()
            found += [Row(name, int(offset, 16), reset, access, port) for port in ports]
    return found


def resets_to(row: Row) -> int | None:
    """Return the value after reset, if the table gives one."""
    if row.reset == "pair":
        return 1 << (row.port ^ 1) if row.port is not None else None
    return None if row.reset == "-" else int(row.reset, 16)


@cocotb.test()
async def readme_lists_every_register_with_its_reset_value(dut: Any) -> None:
    """All addresses of the bus: those listed read their reset value, all others read zero."""
    box = Box(dut)
    await box.start()
    listed = {box.address(row.name, row.port): row for row in rows()}
    names = {row.name for row in listed.values()}
    assert names == set(registers.BOX) | set(registers.PORT)
    for address, row in listed.items():
        assert address == row.offset + (0 if row.port is None else 0x100 * (row.port + 1))
    for address in range(0, 0x700, 4):
        value = await box.access(address)
        expected = resets_to(listed[address]) if address in listed else 0
        if expected is not None:
            assert value == expected, listed.get(address, hex(address))


@cocotb.test()
async def registers_are_written_and_read_as_the_readme_says(dut: Any) -> None:
    """RW keeps what is written and touches no other; RO does not move; WO reads zero."""
    box = Box(dut)
    await box.start()
    table = [row for row in rows() if row.name != "SAMPLE_FRAMES"]
    written: dict[Row, int] = {}
    for row in table:
        if row.access == "RW" and row.name not in EFFECTS:
            value = random.getrandbits(32) & WIDTHS.get(row.name, 0xFFFF_FFFF)
            await box.access(box.address(row.name, row.port), value)
            written[row] = value
        elif row.access in ("RO", "WO", "RC"):
            await box.access(box.address(row.name, row.port), random.getrandbits(32) & ~(1 << 16))
    for row in table:
        value = await box.access(box.address(row.name, row.port))
        if row in written:
            assert value == written[row], row
        elif row.access in ("RO", "WO", "RC") and resets_to(row) is not None:
            moving = row.name in ("MAC_VALID", "SAMPLE_TOTAL")
            assert moving or value == resets_to(row), row
