# SPDX-License-Identifier: Apache-2.0
"""The suites of a block: its test benches, and which of its modules they are of.

A block's suites are in `suites.toml` in its folder of tests.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from harness import HERE, build, claims, sources_of


@dataclass(frozen=True)
class Suite:
    """A top level, the test benches that run on it, and the modules that they test."""

    top: str
    benches: list[str]
    folders: list[str]
    modules: list[str]
    every_corner: bool = False  # also of modules that others test
    least_corners: int = 1

    def claims(self) -> list[tuple[str, str]]:
        """Return each claim with its test bench."""
        return [(bench, claim) for bench in self.benches for claim in claims(bench)]

    def sources(self) -> list[Path]:
        """Return the sources of the top level, packages first."""
        return sources_of(self.top, *self.folders)

    def program(self) -> Path:
        """Return the top level as a program."""
        return build(self.top, *self.folders)

    def corners(self, met: Mapping[str, int]) -> dict[str, int]:
        """Return those corners that this suite has to meet, with how often it did."""
        return {
            name: count
            for name, count in met.items()
            if self.every_corner or name.split(".")[0] in self.modules
        }


def suites_of(block: str) -> list[Suite]:
    """Return the suites of a block."""
    text = (HERE / block / "suites.toml").read_text()
    return [Suite(**entry) for entry in tomllib.loads(text)["suite"]]
