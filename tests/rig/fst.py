# SPDX-License-Identifier: Apache-2.0
"""What pywellen, which knows nothing of the writer, reads in a run's waves.fst."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from pathlib import Path

import pywellen

_RANGE = re.compile(r"\[\d+:\d+\]$")
_LABEL = re.compile(r"^\+\{[^}]*\} ")  # what GTKWave shows instead of the name


def _number(value: object) -> int:
    """Return a value as a number: pywellen has some as integers, others as binary digits."""
    return value if isinstance(value, int) else int(str(value), 2)


class Row:
    """One variable: its changes, and its value at a time in picoseconds."""

    def __init__(self, var: pywellen.Var) -> None:
        changes = [(int(at), value) for at, value in var.tv]
        self.times = [at for at, _ in changes]
        self.values = [value for _, value in changes]

    def at(self, time: int) -> str:
        """Return the value that stands at a time; "x" before the first."""
        where = bisect_right(self.times, time) - 1
        return str(self.values[where]) if where >= 0 else "x"

    def number(self, time: int) -> int:
        """Return the number that stands at a time; ValueError before the first."""
        where = bisect_right(self.times, time) - 1
        if where < 0:
            raise ValueError(f"nothing stands at {time}")
        return _number(self.values[where])

    @property
    def changes(self) -> list[tuple[int, int]]:
        """Return time and value of each change of a number."""
        return [
            (at, _number(value))
            for at, value in zip(self.times, self.values, strict=True)
            if str(value).strip("01") == "" or isinstance(value, int)
        ]


class Waves:
    """The variables of a file by their full names, without ranges of bits."""

    def __init__(self, run: Path) -> None:
        self._waveform = pywellen.Waveform(str(run / "waves.fst"))

    @cached_property
    def _variables(self) -> dict[str, pywellen.Var]:
        return {_RANGE.sub("", var.full_name): var for var in self._waveform.all_vars()}

    @property
    def names(self) -> set[str]:
        """Return the full names."""
        return set(self._variables)

    def row(self, name: str) -> Row:
        """Return a variable by its full name."""
        return Row(self._variables[name])

    def below(self, start: str) -> dict[str, Row]:
        """Return the rows of a scope by their names in it."""
        return {
            name.removeprefix(start): Row(var)
            for name, var in self._variables.items()
            if name.startswith(start)
        }


def layout_rows(run: Path) -> list[str]:
    """Return the variables that a layout shows, those of the trigger's cause left out."""
    return _variables(_split(run)[1])


def cause_rows(run: Path) -> list[str]:
    """Return the variables that explain the trigger, which stand above all others."""
    return _variables(_split(run)[0])


def _split(run: Path) -> tuple[list[str], list[str]]:
    lines = (run / "waves.gtkw").read_text().splitlines()
    ends = [i for i, line in enumerate(lines) if line.startswith("-trigger: ")]
    return (lines[ends[0] : ends[1]], lines[ends[1] :]) if ends else ([], lines)


def _variables(lines: list[str]) -> list[str]:
    rows = [_LABEL.sub("", line) for line in lines]
    return [_RANGE.sub("", row) for row in rows if re.match(r"\w[\w-]*\.", row)]
