# SPDX-License-Identifier: Apache-2.0
"""Python's side of a test bench with GMII ports: frames in and out, clocks, GNET-1's register bus.

A top level has for each port `rx_halfN_i`, `loadN_i`, `idleN_o`, and of all ports `playing_o`.
"""

from __future__ import annotations

import os
import random
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import accesses
from cocotb.triggers import FallingEdge, Timer
from longhaul.gnet1 import registers
from longhaul.units import ps

PREAMBLE = b"\x55" * 7 + b"\xd5"
HALF_FS = 4_000_000
TICK_FS = 32_000_000


def stamp(nanoseconds: int) -> int:
    """Return a time, a multiple of 4 ns, in the box's format."""
    return registers.time_word(ps(nanoseconds * 1000))


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
    """The test bench: its ports, their recorders, and GNET-1's register bus."""

    def __init__(self, dut: Any) -> None:
        """Take the test bench's top level; files go to the test's scratch folder."""
        self.dut = dut
        self.dir = Path(os.environ["LONGHAUL_SCRATCH"])
        self.ports = next(n for n in range(99) if not hasattr(dut, f"load{n}_i"))
        self.loads = [0] * self.ports
        self.ppm = [0] * self.ports

    async def start(self, ppm: Sequence[int] = ()) -> None:
        """Set the receive clocks' offsets, none without any, and leave reset."""
        self.ppm = list(ppm) or [0] * self.ports
        for port, offset in enumerate(self.ppm):
            half = round(HALF_FS / (1 + offset * 1e-6))
            getattr(self.dut, f"rx_half{port}_i").value = half
        self.dut.arst_ni.value = 0
        await Timer(1, "us")
        self.dut.arst_ni.value = 1
        await Timer(1, "us")

    def address(self, name: str, port: int | None) -> int:
        """Return a register's address on the bus."""
        return registers.find(name if port is None else f"p{port}.{name}").address

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
        if data is None:
            accesses.read(address, value)
        else:
            accesses.written(address, data)
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
        return {name: await self.read(name, port) for name in registers.COUNTERS}

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
                idle = [int(getattr(self.dut, f"idle{port}_o").value) for port in range(self.ports)]
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
