# SPDX-License-Identifier: Apache-2.0
"""A block as Verilator has it: the ports of its class, and its mistakes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from longhaul.errors import LonghaulError

# VL_IN8(&clk,0,0); VL_OUTW(&tdata,511,0,16); VL_IN((&lanes)[4],31,0);
_PORT = re.compile(
    r"^\s*VL_(IN|OUT|INOUT)(8|16|64|W)?\(\(?&(\w+)\)?((?:\[\d+\])*),(\d+),(\d+)(?:,\d+)?\);"
)
_KEYWORD = "__SYM__"  # in front of a name that C++ has already
_ESCAPE = re.compile(r"__0([0-9A-F]{2})")
SOURCES = "sources.json"
"""Beside what Verilator made: the checksums of all files that it has read, by name."""


@dataclass(frozen=True)
class RtlPort:
    """A port of the top module: its name in the RTL and in C++, width in bits, direction.

    `array` is the number of elements of an unpacked array; 0 for a plain port.
    """

    name: str
    member: str
    width: int
    direction: str
    array: int = 0


def ports(header: Path) -> dict[str, RtlPort]:
    """Read the ports from the header of the class that Verilator made."""
    found: dict[str, RtlPort] = {}
    for line in header.read_text().splitlines():
        match = _PORT.match(line)
        if not match:
            continue
        direction, _, member, array, msb, lsb = match.groups()
        plain = member.removeprefix(_KEYWORD)
        name = _ESCAPE.sub(lambda escaped: chr(int(escaped[1], 16)), plain)
        count = 1
        for number in re.findall(r"\d+", array):
            count *= int(number)
        names = {"IN": "input", "OUT": "output", "INOUT": "inout"}
        found[name] = RtlPort(
            name, member, int(msb) - int(lsb) + 1, names[direction], count if array else 0
        )
    if not found:
        raise LonghaulError(f"{header}: Verilator made a class without ports")
    return found


def runtime(work: Path, prefix: str, sources: Path) -> list[Path]:
    """Return the sources of Verilator's runtime that a class needs, as its makefile lists them."""
    text = (work / f"{prefix}_classes.mk").read_text().replace("\\\n", " ")
    lists = re.findall(r"^VM_GLOBAL_(?:FAST|SLOW) \+=(.*)$", text, re.MULTILINE)
    return [sources / f"{name}.cpp" for names in lists for name in names.split()]


def triggers(sources: Path) -> list[str]:
    """Return what the compiler is told where a runtime's triggers are slow (trigger_flags.h).

    Verilator 5.006 has a byte for each trigger, later ones have a bit.
    """
    text = (sources / "verilated_types.h").read_text()
    slow = "std::array<bool, T_size> m_flags;" in text
    return ["-include", "platform/cosim/object/verilator_triggers.h"] if slow else []


_DECLARED = r"\b(?:input|output|inout)\b[^;)]*?\b{}\b"


@dataclass(frozen=True)
class Declared:
    """Where a port is declared."""

    source: Path
    line: int


def declared_at(name: str, sources: Iterable[Path]) -> Declared | None:
    """Return where a port is declared, as well as a look at the text can tell."""
    pattern = re.compile(_DECLARED.format(re.escape(name)))
    for source in sources:
        try:
            text = source.read_text(errors="replace")
        except OSError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if pattern.search(line):
                return Declared(source, number)
    return None


_NO_MODULE = re.compile(r"Cannot find file containing module: '(\w+)'")


def missing_primitive(error: str, folder: Path, given: str) -> str:
    """Return a hint for a module that is missing and that a maker's primitives have."""
    match = _NO_MODULE.search(error)
    if not match or given:
        return ""
    makers = [path.parent.name for path in sorted(folder.glob(f"*/{match[1]}.v"))]
    return f'; `primitives = "{makers[0]}"` has it' if makers else ""


def first_error(said: str) -> str:
    """Return the line of Verilator's output that tells why it gave up."""
    lines = said.splitlines()
    for line in lines:
        if line.startswith("%Error") and "Exiting due to" not in line:
            return line.removeprefix("%")
    return lines[-1] if lines else "it does not say why"
