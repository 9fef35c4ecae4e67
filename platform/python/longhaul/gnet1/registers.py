# SPDX-License-Identifier: Apache-2.0
"""Registers of the GNET-1 box by name, as rtl/gnet1/README.md lists them, and values in units.

A name is "TIME" for a register of the box, "p2.DELAY" for one of a port.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.units import Time, ps

PORTS = 4
_PORT_BASE = 0x100


class Unit(enum.Enum):
    """What a register counts in."""

    PLAIN = "number"
    TIME = "time"  # the box's format: 100 ns << 5 | 4 ns
    TENTHS = "100 ns"
    CLOCKS = "32 ns"


_STEP_NS = {Unit.TIME: 4, Unit.TENTHS: 100, Unit.CLOCKS: 32}
_P, _T, _N, _C = Unit.PLAIN, Unit.TIME, Unit.TENTHS, Unit.CLOCKS
BOX = {
    "ID": (0x00, _P), "VERSION": (0x04, _P), "CTRL": (0x08, _P), "TIME": (0x0C, _T),
    "GPS_SECONDS": (0x10, _P), "GPS_TENTHS": (0x14, _N), "PPS_TICKS": (0x18, _C),
    "MAGIC": (0x1C, _P), "SAMPLE_CTRL": (0x20, _P), "SAMPLE_PERIOD": (0x24, _C),
    "SAMPLE_TOTAL": (0x28, _P), "SAMPLE_INDEX": (0x2C, _P), "SAMPLE_WORDS": (0x30, _P),
    "SAMPLE_FRAMES": (0x34, _P), "OBS_SELECT": (0x38, _P), "MAC_LOW": (0x40, _P),
    "MAC_HIGH": (0x44, _P), "MAC_ENTRY": (0x48, _P), "MAC_FLUSH": (0x4C, _P),
    "MAC_AGE": (0x50, _C), "MAC_VALID": (0x54, _P),
}  # fmt: skip
COUNTERS = (
    "RX_FRAMES", "RX_FCS_BAD", "RX_ERROR", "RX_LOST", "RX_NO_SFD", "TAIL_DROP", "RED_DROP",
    "SRAM_DROP", "WORDS", "FRAMES", "FLIPS", "DISCARDS", "BYTES", "TX_FRAMES", "TX_UNDERRUN",
    "NO_ROUTE",
)  # fmt: skip
PORT = {
    "PORT_CTRL": (0x00, _P), "ROUTE": (0x04, _P), "DELAY": (0x08, _T), "IFG": (0x0C, _P),
    "ERROR_THRESHOLD": (0x10, _P), "SEED_LOW": (0x14, _P), "SEED_HIGH": (0x18, _P),
    "DISCARD_CTRL": (0x1C, _P), "DISCARD_ARG": (0x20, _P), "DISCARD_STAMP": (0x24, _T),
    "CAPACITY": (0x28, _P), "LEVEL": (0x2C, _P), "LEVEL_MAX": (0x30, _P), "WORD_COST": (0x34, _T),
    "COST_FRACTION": (0x38, _P), "FRAME_COST": (0x3C, _T), "BURST": (0x40, _T),
    "QUEUE_LIMIT": (0x44, _N), "RED_MIN": (0x48, _N), "RED_MAX": (0x4C, _N),
    "RED_SLOPE": (0x50, _P), "RED_WEIGHT": (0x54, _P), "ATM_OVERHEAD": (0x58, _P),
    "STAMP_OFFSET": (0x5C, _P), "ONEWAY_COUNT": (0x60, _P), "ONEWAY_LAST": (0x64, _N),
    "ONEWAY_MIN": (0x68, _N), "ONEWAY_MAX": (0x6C, _N), "ONEWAY_SUM_LOW": (0x70, _P),
    "ONEWAY_SUM_HIGH": (0x74, _P), "BACKLOG": (0x78, _N), "RED_AVERAGE": (0x7C, _N),
} | {name: (0x80 + 4 * index, _P) for index, name in enumerate(COUNTERS)}  # fmt: skip

READ_ONLY = {
    "ID", "VERSION", "TIME", "GPS_TENTHS", "PPS_TICKS", "SAMPLE_TOTAL", "SAMPLE_WORDS",
    "SAMPLE_FRAMES", "MAC_VALID", "DISCARD_STAMP", "LEVEL", "ONEWAY_LAST", "ONEWAY_MIN",
    "ONEWAY_MAX", "ONEWAY_SUM_LOW", "ONEWAY_SUM_HIGH", "BACKLOG", "RED_AVERAGE", *COUNTERS,
}  # fmt: skip
# What a register holds at most, where that is not 32 bits, and at least, where that is not 0.
MOST = {
    "CTRL": 0x7, "SAMPLE_CTRL": 0x33, "OBS_SELECT": 0x33, "MAC_HIGH": 0xFFFF, "PORT_CTRL": 0x7F,
    "ROUTE": 0xF, "DELAY": 2**30 - 1, "BURST": 2**30 - 1, "WORD_COST": 2**18 - 1,
    "FRAME_COST": 2**18 - 1, "IFG": 63, "DISCARD_CTRL": 0xF, "CAPACITY": 2**23 - 1,
    "COST_FRACTION": 0xFFFF, "QUEUE_LIMIT": 2**27 - 1, "RED_MIN": 2**27 - 1,
    "RED_MAX": 2**27 - 1, "RED_WEIGHT": 15, "ATM_OVERHEAD": 47, "STAMP_OFFSET": 2**14 - 1,
}  # fmt: skip
LEAST = {"IFG": 8, "SAMPLE_PERIOD": 1}


@dataclass(frozen=True)
class Register:
    """A register of the box: its address in bytes, and what it counts in."""

    name: str
    address: int
    unit: Unit


@dataclass(frozen=True)
class Access:
    """A write of `value`, or a read where there is none."""

    register: Register
    value: int | None = None

    def pair(self) -> list[int]:
        """Return [address] or [address, value], as the simulator takes it."""
        return [self.register.address] + ([] if self.value is None else [self.value])


def names() -> list[str]:
    """Return the names of all registers."""
    return [*BOX, *(f"p{port}.{name}" for port in range(PORTS) for name in PORT)]


def find(name: str) -> Register:
    """Return the register of that name; a UsageError names the nearest one."""
    port, dot, register = name.partition(".")
    if not dot and port in BOX:
        address, unit = BOX[port]
        return Register(name, address, unit)
    if port in {f"p{n}" for n in range(PORTS)} and register in PORT:
        offset, unit = PORT[register]
        return Register(name, _PORT_BASE * (int(port[1:]) + 1) + offset, unit)
    raise UsageError(f"no register {name!r}{did_you_mean(name, names())}")


def read(name: str) -> Access:
    """Return the access that reads a register."""
    return Access(find(name))


def write(name: str, value: int | Time) -> Access:
    """Return the access that writes a register; a Time goes to registers that count time.

    Raises UsageError for what the register cannot hold, and for one that cannot be written.
    """
    register = find(name)
    kind = name.rpartition(".")[2]
    if kind in READ_ONLY:
        raise UsageError(f"{name} can only be read")
    word = encode(register, value) if isinstance(value, Time) else value
    least, most = LEAST.get(kind, 0), MOST.get(kind, 2**32 - 1)
    if not least <= word <= most:
        least_text, most_text = (text(register, bound) for bound in (least, most))
        raise UsageError(f"{name}={value}: wants {least_text} to {most_text}")
    return Access(register, word)


def text(register: Register, word: int) -> str:
    """Return a register's word as people read it."""
    value = decode(register, word)
    return str(value) if isinstance(value, Time) or value < 10 else f"{value} ({value:#x})"


def encode(register: Register, time: Time) -> int:
    """Return a time as the register counts it; a UsageError if it counts none or not so finely."""
    if register.unit is Unit.PLAIN:
        raise UsageError(f"{register.name}={time}: is no time; wants a number")
    step_ns = _STEP_NS[register.unit]
    ns, rest = divmod(time.ps, 1000)
    if rest or ns % step_ns:
        raise UsageError(f"{register.name}={time}: counts in steps of {step_ns} ns")
    return time_word(time) if register.unit is Unit.TIME else ns // step_ns


RANGE = ps(2**27 * 100_000)  # after which TIME starts anew: 13.4 s
AHEAD = RANGE / 2  # the box takes a time that is not less ahead of it for one that it has passed


def ahead(now: Time, then: Time) -> Time | None:
    """Return how long after `now` the box's time is `then`; None for a time that it has passed."""
    left = ps((then.ps - now.ps) % RANGE.ps)
    return left if 0 < left.ps < AHEAD.ps else None


def time_word(time: Time) -> int:
    """Return a time of whole 4 ns in the box's format."""
    stamps, rest_ns = divmod(time.ps // 1000, _STEP_NS[Unit.TENTHS])
    return stamps << 5 | rest_ns // _STEP_NS[Unit.TIME]


def decode(register: Register, word: int) -> Time | int:
    """Return a register's word as the time it stands for, or as it is."""
    if register.unit is Unit.PLAIN:
        return word
    if register.unit is Unit.TIME:
        ns = (word >> 5) * _STEP_NS[Unit.TENTHS] + (word & 31) * _STEP_NS[Unit.TIME]
    else:
        ns = word * _STEP_NS[register.unit]
    return ps(ns * 1000)


def parse(text: str) -> Access:
    """Read "NAME=VALUE"; a value is a number (also 0x...) or a time with its unit."""
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"{text!r}: wants REGISTER=VALUE, such as p0.DELAY=4ms")
    try:
        return write(name, int(value, 0))
    except ValueError:
        return write(name, Time.parse(value, where=name))
