# SPDX-License-Identifier: Apache-2.0
"""Points of coverage in Verilator's format: a line for each, its keys and its count.

A point's place in the source, its page (kind and module), its name and its instance tell it from
all others. Verilator's own tool for these files counts a line twice where two of its keys name it
(5.006), so Longhaul reads them itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from longhaul.errors import UsageError
from longhaul.outdir import write_text

HEADER = "# SystemC::Coverage-3\n"
END = "# end\n"  # the last line of a file that is whole
LINE, BRANCH, TOGGLE, USER = "v_line", "v_branch", "v_toggle", "v_user"
BLOCK = "block"  # the name of a point that is no way of a branch
_COUNT = re.compile(r"C '(.*)' (\d+)")
_BIT = re.compile(r"(.*)\[(\d+)\]")


@dataclass(frozen=True)
class Point:
    """A point: `lines` are the numbers that it counts beside its own (`4,6-8`), as Verilator has.

    The instance is the block's name, the top module and the instances below, with dots.
    """

    file: str
    line: int
    column: int
    page: str
    name: str
    instance: str
    lines: str = field(default="", compare=False)

    @cached_property
    def kind(self) -> str:
        """Return LINE, BRANCH, TOGGLE or USER."""
        return self.page.partition("/")[0]

    @property
    def module(self) -> str:
        """Return the module, with what tells its parameters apart."""
        return self.page.partition("/")[2]

    def numbers(self) -> list[int]:
        """Return the lines of the source that it counts; none for a way that has no text."""
        found: list[int] = []
        for part in filter(None, self.lines.split(",")):
            first, _, last = part.partition("-")
            found += range(int(first), int(last or first) + 1)
        return found

    def signal(self) -> tuple[str, int | None]:
        """Return the signal and the bit of a toggle; no bit for a signal of one."""
        match = _BIT.fullmatch(self.name)
        return (match[1], int(match[2])) if match else (self.name, None)

    def text(self, count: int) -> str:
        """Return the line for a file."""
        keys = {"f": self.file, "l": str(self.line), "n": str(self.column), "page": self.page,
                "o": self.name, "S": self.lines, "h": self.instance}  # fmt: skip
        pairs = "".join(f"\x01{key}\x02{value}" for key, value in keys.items() if value)
        return f"C '{pairs}' {count}\n"


def read(path: Path) -> dict[Point, int]:
    """Read a file; a UsageError says that it is damaged, or that its run did not end."""
    if not path.read_text(errors="replace").endswith(END):
        raise UsageError(f"{path}: is no complete coverage file; repeat its run")
    return read_verilators(path)


def read_verilators(path: Path) -> dict[Point, int]:
    """Read a file that Verilator's own main has written, which ends without a mark."""
    text = path.read_text(errors="replace")
    if not text.startswith(HEADER):
        raise UsageError(f"{path}: is no complete coverage file; repeat its run")
    found: dict[Point, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            continue
        try:
            point, count = _parse(line)
        except (KeyError, ValueError, TypeError):
            raise UsageError(f"{path}:{number}: is no point of coverage; repeat its run") from None
        found[point] = found.get(point, 0) + count
    return found


def write(path: Path, points: Mapping[Point, int]) -> None:
    """Write a file that `read` and Verilator's verilator_coverage read."""
    ordered = sorted(points, key=lambda p: (p.file, p.line, p.column, p.page, p.name, p.instance))
    write_text(path, "".join([HEADER, *(point.text(points[point]) for point in ordered), END]))


def _parse(line: str) -> tuple[Point, int]:
    match = _COUNT.fullmatch(line)
    if match is None:
        raise ValueError(line)
    keys = dict(pair.split("\x02", 1) for pair in match[1].split("\x01")[1:])
    point = Point(
        keys["f"],
        int(keys["l"]),
        int(keys.get("n", "0")),
        keys["page"],
        keys.get("o", ""),
        keys.get("h", ""),
        keys.get("S", ""),
    )
    if not keys["page"].startswith(("v_line/", "v_branch/", "v_toggle/", "v_user/")):
        raise ValueError(line)
    return point, int(match[2])
