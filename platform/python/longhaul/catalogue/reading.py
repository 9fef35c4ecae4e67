# SPDX-License-Identifier: Apache-2.0
"""Reads a figure from what its command left: its folder and what it printed."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longhaul import json_file
from longhaul.catalogue import functions
from longhaul.catalogue.entry import Figure, Reading
from longhaul.errors import LonghaulError

_EDGE = "│┃|"  # between cells of rich's tables, and at their ends
_NUMBER = re.compile(r"[-+]?\d[\d,\u202f ]*(?:\.\d+)?(?:e[-+]?\d+)?")


@dataclass(frozen=True)
class Output:
    """The output of a command: the folder of its results, and its standard output."""

    folder: Path
    text: str


def value(figure: Figure, output: Output) -> float:
    """Return a figure's value; a LonghaulError says what was looked for and is not there."""
    first = _one(figure.read, output)
    if figure.over is None:
        return first
    second = _one(figure.over, output)
    if not second:
        raise LonghaulError(f"{figure.what}: is over zero")
    return first / second


def _one(read: Reading, output: Output) -> float:
    if read.json_:
        return _by_keys(read.json_, output.folder)
    if read.pattern:
        found = re.search(read.pattern, output.text, re.MULTILINE)
        if found is None:
            raise LonghaulError(f"no printed line matches {read.pattern!r}")
        return number(found[1])
    if read.call:
        return functions.call(read.call, output.folder)
    return number(cell(output.text, read.row, read.column))


def _by_keys(text: str, folder: Path) -> float:
    file, _, keys = text.partition(" ")
    try:
        here: Any = json_file.read(folder / file)
    except (OSError, ValueError) as error:
        raise LonghaulError(f"{folder / file}: cannot be read ({error})") from None
    for key in keys.split("."):
        if isinstance(here, Mapping) and key in here:
            here = here[key]  # pyright: ignore[reportUnknownVariableType]
        elif isinstance(here, Sequence) and key.isdecimal() and int(key) < len(here):  # pyright: ignore[reportUnknownArgumentType]
            here = here[int(key)]  # pyright: ignore[reportUnknownVariableType]
        else:
            raise LonghaulError(f"{folder / file}: has no {keys}")
    if isinstance(here, bool) or not isinstance(here, int | float) or not math.isfinite(here):
        raise LonghaulError(f"{folder / file}: {keys} is no number")
    return here


def number(text: str) -> float:
    """Return the first number of a text, which may have spaces or commas between thousands."""
    found = _NUMBER.search(text)
    if found is None:
        raise LonghaulError(f"{text!r} has no number")
    plain = re.sub(r"[,\u202f ]", "", found[0])
    return int(plain) if re.fullmatch(r"[-+]?\d+", plain) else float(plain)


def cell(text: str, row: str, column: str) -> str:
    """Return the cell of a printed table by the head of its column and the first cells of its row.

    Where one cell does not tell rows apart, several are given with " / " between.
    """
    first = row.split(" / ")
    rows: set[str] = set()
    for table in _tables(text):
        heads, *body = table
        rows |= {" / ".join(cells[: len(first)]) for cells in body}
        if column in heads:
            at = heads.index(column)
            found = [
                cells[at]
                for cells in body
                if cells[: len(first)] == first and len(cells) == len(heads)
            ]
            if found:
                return found[0]
    known = f"; rows are {', '.join(sorted(rows))}" if rows else "; there is no table"
    raise LonghaulError(f"no printed table has {column!r} of {row!r}{known}")


def _tables(text: str) -> Iterator[list[list[str]]]:
    """Yield tables as rows of cells; a table is lines with edges, and ends with its border."""
    rows: list[list[str]] = []
    for line in [*text.splitlines(), ""]:
        if line[:1] and line[0] in _EDGE and line.rstrip()[-1:] in _EDGE:
            rows.append([each.strip() for each in re.split(f"[{_EDGE}]", line.strip())[1:-1]])
        elif rows and not line.startswith(("├", "┡", "╞")):
            yield rows
            rows = []
