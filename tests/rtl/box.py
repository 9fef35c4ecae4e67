# SPDX-License-Identifier: Apache-2.0
"""Python's side of gnet1_tb: register bus, frames in and out, clocks, times."""

from __future__ import annotations

import os
import random
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cocotb.triggers import FallingEdge, Timer

PREAMBLE = b"\x55" * 7 + b"\xd5"
HALF_FS = 4_000_000
TICK_FS = 32_000_000

# Registers used by the benches, by their names in rtl/gnet1/README.md.
GLOBAL = {
    "ID": 0x00, "VERSION": 0x04, "CTRL": 0x08, "TIME": 0x0C, "GPS_SECONDS": 0x10,
    "GPS_TENTHS": 0x14, "PPS_TICKS": 0x18, "MAGIC": 0x1C, "SAMPLE_CTRL": 0x20,
    "SAMPLE_PERIOD": 0x24, "SAMPLE_TOTAL": 0x28, "SAMPLE_INDEX": 0x2C, "SAMPLE_WORDS": 0x30,
    "SAMPLE_FRAMES": 0x34, "OBS_SELECT": 0x38, "MAC_LOW": 0x40, "MAC_HIGH": 0x44,
    "MAC_ENTRY": 0x48, "MAC_FLUSH": 0x4C, "MAC_AGE": 0x50, "MAC_VALID": 0x54,
}  # fmt: skip
PORT = {
    "PORT_CTRL": 0x00, "ROUTE": 0x04, "DELAY": 0x08, "IFG": 0x0C, "ERROR_THRESHOLD": 0x10,
    "SEED_LOW": 0x14, "SEED_HIGH": 0x18, "DISCARD_CTRL": 0x1C, "DISCARD_ARG": 0x20,
    "DISCARD_STAMP": 0x24, "CAPACITY": 0x28, "LEVEL": 0x2C, "LEVEL_MAX": 0x30, "WORD_COST": 0x34,
    "COST_FRACTION": 0x38, "FRAME_COST": 0x3C, "BURST": 0x40, "QUEUE_LIMIT": 0x44,
    "RED_MIN": 0x48, "RED_MAX": 0x4C, "RED_SLOPE": 0x50, "RED_WEIGHT": 0x54, "ATM_OVERHEAD": 0x58,
    "STAMP_OFFSET": 0x5C, "ONEWAY_COUNT": 0x60, "ONEWAY_LAST": 0x64, "ONEWAY_MIN": 0x68,
    "ONEWAY_MAX": 0x6C, "ONEWAY_SUM_LOW": 0x70, "ONEWAY_SUM_HIGH": 0x74, "BACKLOG": 0x78,
    "RED_AVERAGE": 0x7C,
}  # fmt: skip
COUNTERS = (
    "RX_FRAMES", "RX_FCS_BAD", "RX_ERROR", "RX_LOST", "RX_NO_SFD", "TAIL_DROP", "RED_DROP",
    "SRAM_DROP", "WORDS", "FRAMES", "FLIPS", "DISCARDS", "BYTES", "TX_FRAMES", "TX_UNDERRUN",
    "NO_ROUTE",
)  # fmt: skip
PORT |= {name: 0x80 + 4 * index for index, name in enumerate(COUNTERS)}


def stamp(nanoseconds: int) -> int:
    """Return a time, a multiple of 4 ns, in the box's format."""
    return nanoseconds // 100 << 5 | nanoseconds % 100 // 4


def fcs(data: bytes) -> bytes:
    """Return the frame check sequence as it goes over the wire."""
    return zlib.crc32(data).to_bytes(4, "little")


def sealed(data: bytes) -> bytes:
    """Return a frame with its FCS."""
    return data + fcs(data)


def is_good(frame: bytes) -> bool:
    """Return whether the frame's FCS is right."""
    return fcs(frame[:-4]) == frame[-4:]


@dataclass(frozen=True)
class Sent:
    """A frame to play: its bytes from the destination to the FCS, and how it is put on the wire."""

    data: bytes
    gap: int = 12  # idle clocks before it
    preamble: bytes = PREAMBLE
    error_at: int | None = None  # byte with RX_ER


@dataclass(frozen=True)
class Seen:
    """A frame that the box sent."""

    time_fs: int
    gap: int
    data: bytes
    errors: int


class Box:
    """The bench: four ports, their recorders, and the register bus."""

    def __init__(self, dut: Any) -> None:
        """Take the bench's top level; files go to the test's scratch folder."""
        self.dut = dut
        self.dir = Path(os.environ["LONGHAUL_SCRATCH"])
        self.loads = [0] * 4
        self.ppm = [0] * 4

    async def start(self, ppm: Sequence[int] = (0, 0, 0, 0)) -> None:
        """Set the receive clocks' offsets and leave reset."""
        self.ppm = list(ppm)
        for port, offset in enumerate(ppm):
            half = round(HALF_FS / (1 + offset * 1e-6))
            getattr(self.dut, f"rx_half{port}_i").value = half
        self.dut.arst_ni.value = 0
        await Timer(1, "us")
        self.dut.arst_ni.value = 1
        await Timer(1, "us")

    def address(self, name: str, port: int | None) -> int:
        """Return a register's address on the bus."""
        return GLOBAL[name] if port is None else 0x100 * (port + 1) + PORT[name]

    async def access(self, address: int, data: int | None = None) -> int:
        """Make one bus access; write if there is data."""
        dut = self.dut
        await FallingEdge(dut.clk_31m25)
        dut.bus_sel_i.value, dut.bus_addr_i.value = 1, address
        dut.bus_write_i.value, dut.bus_wdata_i.value = int(data is not None), data or 0
        for _ in range(8):
            await FallingEdge(dut.clk_31m25)
            if dut.bus_ack_o.value == 1:
                break
        else:
            raise AssertionError("the bus did not acknowledge")
        value = int(dut.bus_rdata_o.value)
        dut.bus_sel_i.value = 0
        return value

    async def write(self, name: str, value: int, port: int | None = None) -> None:
        """Write a register by name."""
        await self.access(self.address(name, port), value)

    async def read(self, name: str, port: int | None = None) -> int:
        """Read a register by name."""
        return await self.access(self.address(name, port))

    async def counters(self, port: int) -> dict[str, int]:
        """Latch all counters and return one port's."""
        await self.write("CTRL", 1 | await self.read("CTRL"))
        return {name: await self.read(name, port) for name in COUNTERS}

    def play(self, port: int, frames: Iterable[Sent]) -> None:
        """Give a port's player frames to send; it begins at once."""
        self.loads[port] += 1
        lines: list[str] = []
        for frame in frames:
            for idle in _pieces(frame.gap, 2047):
                lines.append(f"{0x800 | idle:03x}")
            wire = frame.preamble + frame.data
            error_at = None if frame.error_at is None else frame.error_at + len(frame.preamble)
            for place, byte in enumerate(wire):
                lines.append(f"{0x100 | (place == error_at) << 9 | byte:03x}")
        lines += ["801", "800"]
        assert len(lines) < 1 << 20, "the player's memory is full"
        name = f"in{port}.{self.loads[port]}.hex"
        (self.dir / name).write_text("\n".join(lines) + "\n")
        getattr(self.dut, f"load{port}_i").value = self.loads[port]

    async def settle(self, quiet_us: float = 5, limit_us: float = 20000) -> None:
        """Wait until all players are done and all transmitters have been quiet."""
        waited = 0.0
        while waited < limit_us:
            await Timer(1, "us")
            waited += 1
            if int(self.dut.playing_o.value) == 0:
                idle = [int(getattr(self.dut, f"idle{port}_o").value) for port in range(4)]
                if min(idle) > quiet_us * 125 and waited > quiet_us:
                    return
        raise AssertionError(f"still busy after {limit_us} us")

    def seen(self, port: int) -> list[Seen]:
        """Return the frames that a port has sent so far, without their preambles."""
        frames: list[Seen] = []
        for line in (self.dir / f"out{port}.txt").read_text().splitlines():
            fields = line.split()
            if len(fields) != 4:
                continue  # still going out
            wire = bytes.fromhex(fields[2])
            assert wire.startswith(PREAMBLE), wire[:8].hex()
            frames.append(Seen(int(fields[0]), int(fields[1]), wire[8:], int(fields[3])))
        return frames

    def sent_fs(self, port: int) -> list[int]:
        """Return the times at which a port's player began its frames."""
        return [int(line) for line in (self.dir / f"sent{port}.txt").read_text().split()]


def _pieces(total: int, most: int) -> list[int]:
    return [most] * (total // most) + ([total % most] if total % most else [])


def random_frame(length: int) -> bytes:
    """Return `length` random bytes, the last four of them their FCS."""
    return sealed(random.randbytes(length - 4))
