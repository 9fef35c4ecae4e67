# SPDX-License-Identifier: Apache-2.0
"""Registers of the GNET-1 box by name, as rtl/gnet1/gnet1.rdl describes them, and its time.

A name is "TIME" for a register of the box, "p2.DELAY" for one of a port.
"""

from __future__ import annotations

from longhaul.registers import Access, Register, load
from longhaul.units import Time, ps

MAP = load("gnet1")
find, read, write, parse = MAP.find, MAP.read, MAP.write, MAP.parse

# By kind: offset within the block, and what the register counts in.
BOX = {each.name: (each.address, each.unit) for each in MAP.kinds["box"]}
PORT = {each.name: (each.address, each.unit) for each in MAP.kinds["port"]}
PORTS = sum(block.kind == "port" for block in MAP.blocks)
COUNTERS = tuple(each.name for each in MAP.kinds["port"] if each.counter)

_ALL = [*MAP.kinds["box"], *MAP.kinds["port"]]
READ_ONLY = {each.name for each in _ALL if each.access == "RO"}
# A register's largest value, where that is not 32 bits, and least value, where that is not 0.
MOST = {each.name: each.most for each in _ALL if each.most < 2**32 - 1}
LEAST = {each.name: each.least for each in _ALL if each.least}

_TIME = MAP.find("TIME")
RANGE = _TIME.range  # after which TIME starts again: 13.4 s
AHEAD = RANGE / 2  # a time that is further ahead counts as passed

__all__ = [
    "AHEAD", "BOX", "COUNTERS", "LEAST", "MAP", "MOST", "PORT", "PORTS", "RANGE", "READ_ONLY",
    "Access", "Register", "ahead", "decode", "encode", "find", "names", "parse", "read", "text",
    "time_word", "write",
]  # fmt: skip


def names() -> list[str]:
    """Return the names of all registers."""
    return list(MAP.registers)


def text(register: Register, word: int) -> str:
    """Return a register's word as people read it."""
    return register.text(word)


def encode(register: Register, time: Time) -> int:
    """Return a time as the register counts it; a UsageError if it counts none or not so finely."""
    return register.encode(time)


def decode(register: Register, word: int) -> Time | int:
    """Return a register's word as the time it stands for, or as it is."""
    return register.decode(word)


def time_word(time: Time) -> int:
    """Return a time of whole 4 ns in the box's format."""
    return _TIME.word(time)


def ahead(now: Time, then: Time) -> Time | None:
    """Return how long after `now` the box's time is `then`; None for a time that it has passed."""
    left = ps((then.ps - now.ps) % RANGE.ps)
    return left if 0 < left.ps < AHEAD.ps else None
