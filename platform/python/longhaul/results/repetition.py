# SPDX-License-Identifier: Apache-2.0
"""A repetition of a run: the same settings with another seed and layout, in a folder of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from longhaul.outdir import is_whole

LARGEST = 2**63 - 1  # seed or layout
_FOLDER = re.compile(r"seed=(\d+),layout=(\d+)")


@dataclass(frozen=True, order=True)
class Repetition:
    """The seed and layout that set a repetition apart from others of the same settings."""

    seed: int
    layout: int

    @property
    def folder(self) -> str:
        """The name of its folder."""
        return f"seed={self.seed},layout={self.layout}"

    @classmethod
    def named(cls, folder: str) -> Repetition | None:
        """Return the repetition of a folder's name; None if it is none's."""
        found = _FOLDER.fullmatch(folder)
        return cls(int(found[1]), int(found[2])) if found else None


def repetitions(seed: int, layout: int, number: int) -> tuple[Repetition, ...]:
    """Return so many repetitions; the first has this seed and layout, each next one both of + 1."""
    return tuple(Repetition(seed + i, layout + i) for i in range(number))


def finished_in(folder: Path) -> list[Path]:
    """Return the folders of a point's finished repetitions, in their order."""
    if not folder.is_dir():
        return []
    there = {Repetition.named(child.name): child for child in folder.iterdir()}
    return [there[each] for each in sorted(r for r in there if r) if is_whole(there[each])]
