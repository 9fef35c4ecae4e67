# SPDX-License-Identifier: Apache-2.0
"""Reasons why mutants of a block cannot be caught: `survivors.toml` of its tests.

A mutant by hand is named. A mutant by rule has its `file`, its `rule` and the text of its `line`:
line numbers change.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from harness import HERE

from mutants.mutant import Mutant


@dataclass(frozen=True)
class Reason:
    """A reason, and the mutants that it is of."""

    why: str
    name: str = ""
    file: str = ""
    rule: str = ""
    line: str = ""

    def is_of(self, mutant: Mutant) -> bool:
        """Tell whether it explains a mutant."""
        if self.name:
            return mutant.name == self.name
        of = (mutant.file, mutant.rule, mutant.line)
        return of == (self.file, self.rule, self.line)


def reasons(block: str) -> list[Reason]:
    """Return the reasons of a block."""
    path = HERE / block / "survivors.toml"
    return [Reason(**entry) for entry in _entries(path)] if path.exists() else []


def _entries(path: Path) -> list[dict[str, str]]:
    return tomllib.loads(path.read_text()).get("survivor", [])
