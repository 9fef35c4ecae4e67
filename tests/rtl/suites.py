# SPDX-License-Identifier: Apache-2.0
"""The suites of a block: its test benches, and which of its modules they are of.

A block's suites are in `suites.toml` in its folder of tests.
"""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from harness import HERE, build, claims, rtl_files, run, sources_of


@dataclass(frozen=True)
class Suite:
    """A top level, the test benches that run on it, and the modules that they test."""

    top: str
    benches: list[str]
    folders: list[str]
    modules: list[str]
    every_corner: bool = False  # also of modules that others test
    whole: bool = False  # of the whole block
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


class BlockTests:
    """The tests of a block: its suites' claims, and what is asked of all claims together."""

    def __init__(self, block: str) -> None:
        self._block = block
        self.suites = suites_of(block)
        self.claims = [(suite, *claim) for suite in self.suites for claim in suite.claims()]
        self._ran: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
        self._corners: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def run(self, suite: Suite, bench: str, claim: str, folder: Path) -> None:
        """Run one claim of a test bench; a failure fails the test."""
        self._corners[suite.top].update(run(suite.program(), bench, claim, folder))
        self._ran[suite.top].add((bench, claim))

    def check_corners(self, suite: Suite) -> None:
        """Look that the claims met each `cover property` of the suite's modules."""
        ran = self._ran[suite.top]
        assert set(suite.claims()) == ran, "coverage is judged when every claim has run"
        corners = suite.corners(self._corners[suite.top])
        assert len(corners) >= suite.least_corners
        unmet = {name for name, count in corners.items() if not count}
        assert unmet == set()
        files = rtl_files(self._block)
        covered = [path.stem for path in files if "cover property" in path.read_text()]
        wanted = set(suite.modules) & set(covered)
        assert {name.split(".")[0] for name in corners} >= wanted

    def check_modules(self) -> None:
        """Look that each module is of one suite: a module of no suite has no test bench."""
        modules = [path.stem for path in rtl_files(self._block) if not path.stem.endswith("_pkg")]
        assert sorted(module for suite in self.suites for module in suite.modules) == sorted(
            modules
        )


def name_of(each: Suite | str) -> str:
    """Return the word of a test's name for a suite, a test bench or a claim."""
    return each.top if isinstance(each, Suite) else each
