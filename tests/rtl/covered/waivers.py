# SPDX-License-Identifier: Apache-2.0
"""Reasons why no test bench of a block can reach some of it: `uncovered.toml` of its tests.

Each entry has a `why`, and names lines by the text of their source and of their `file`, a `cover`
as `MODULE.NAME`, or a `field` of a register. All but `why` may have `*`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path


@dataclass
class Waiver:
    """A reason, and what it is of."""

    why: str
    file: str = "*"
    line: str = ""
    cover: str = ""
    field: str = ""
    used: int = 0

    def __str__(self) -> str:
        """Return what it is of."""
        return self.cover or self.field or f"{self.file}: {self.line}"


class Waivers:
    """The reasons of a block."""

    def __init__(self, path: Path) -> None:
        """Read the file; a block without one has no reasons."""
        entries = tomllib.loads(path.read_text())["uncovered"] if path.exists() else []
        self._all = [Waiver(**entry) for entry in entries]

    def line(self, file: str, text: str) -> str:
        """Return why a line cannot be reached; empty if nothing says it."""
        return self._first(
            lambda each: fnmatchcase(file, each.file) and fnmatchcase(text.strip(), each.line)
        )

    def cover(self, name: str) -> str:
        """Return why a cover cannot be hit."""
        return self._first(lambda each: fnmatchcase(name, each.cover))

    def field(self, name: str) -> str:
        """Return why a field is not written or read."""
        return self._first(lambda each: fnmatchcase(name, each.field))

    @property
    def needless(self) -> list[Waiver]:
        """Return those that nothing was found for: it is reached, or is not there."""
        return [each for each in self._all if not each.used]

    def _first(self, fits: Callable[[Waiver], bool]) -> str:
        for each in self._all:
            if fits(each):
                each.used += 1
                return each.why
        return ""
