# SPDX-License-Identifier: Apache-2.0
"""Random traffic for the whole NIC, both ways at once."""

from __future__ import annotations

import random

import cocotb
from nic_line import with_fcs
from nic_top_driver import LONGEST, Driver
from nic_top_host import ADDRESS

BUFFER = 32768  # bytes that the receive buffer of nic_top_tb has


def some_frame(size: int) -> bytes:
    """Return a frame to any kind of address, some with a tag, of some type."""
    to = random.choice((ADDRESS, b"\xff" * 6, random.randbytes(6)))
    tag = b"\x81\0" + random.randbytes(2) if random.random() < 0.3 and size > 60 else b""
    kind = random.choice((b"\x08\0", b"\x86\xdd", b"\x05\x00", b"\x22\xf0"))
    return (to + random.randbytes(6) + tag + kind + random.randbytes(size))[:size]


def some_size(most: int) -> int:
    """Return a length: a short one, a usual one or a long one."""
    return random.choice((random.randint(14, 80), random.randint(60, min(1600, most)),
                          random.randint(min(1500, most), most)))  # fmt: skip


def spoiled(frame: bytes) -> tuple[bytes, bool]:
    """Return a frame that is no frame: a runt, a wrong FCS, an error character, one too long."""
    sort = random.randrange(4)
    other = (random.randbytes(30), frame[:-1] + bytes([frame[-1] ^ 8]), frame,
             with_fcs(random.randbytes(LONGEST + 9)))[sort]  # fmt: skip
    return other, sort == 2


async def feed(driver: Driver, count: int, most: int = LONGEST, spoil: float = 0.0) -> None:
    """Let frames come. Frames that are not yet in memory fit the NIC's buffer."""
    nic = driver.nic
    for _ in range(count):
        frame, error = with_fcs(some_frame(some_size(most))), False
        if random.random() < spoil:
            frame, error = spoiled(frame)
        while sum(8 * kept.words for kept in nic.kept) + len(frame) + 64 > BUFFER:
            driver.progress.clear()
            await driver.progress.wait()
        nic.come(frame, error)
        if random.random() < 0.5:
            await nic.source.wait()
    await nic.source.wait()


async def load(driver: Driver, count: int, most: int = LONGEST) -> None:
    """Send frames, some in several descriptors, some bells for several frames."""
    for _ in range(count):
        await driver.packet(some_frame(some_size(most)), random.choice((0, 0, 1, 4)),
                            bell=random.random() < 0.7)  # fmt: skip
    await driver.ring()


async def traffic(driver: Driver, sending: int, coming: int, most: int = LONGEST,
                  spoil: float = 0.0) -> None:  # fmt: skip
    """Do both, until all is where it should be."""
    feeding = cocotb.start_soon(feed(driver, coming, most, spoil))
    await load(driver, sending, most)
    await feeding
    await driver.finished()
