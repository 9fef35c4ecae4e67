# SPDX-License-Identifier: Apache-2.0
"""An attack of shell texts, for the judge and the driver to be tried on."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from longhaul.attack import driver, processes
from longhaul.attack.kind import CommandLine, Ground, Kind, Verdict
from longhaul.attack.oracle import Expected
from longhaul.attack.place import Place


class Texts(Kind):
    """Case N is the N-th text; what it may end as is the same for all."""

    name = "texts"
    what = "texts for a shell"
    chunk: ClassVar[int] = 2

    def __init__(
        self,
        folder: Path,
        texts: Sequence[str],
        expected: Expected | None = None,
        limits: processes.Limits | None = None,
        shell: Sequence[str] = ("sh", "-c"),
    ) -> None:
        (folder / "scratch").mkdir(exist_ok=True)
        command_line = CommandLine(lambda _words: 0, lambda: None)
        scratch = folder / "scratch"
        super().__init__(Ground(1, Path("none"), folder / "base", scratch, command_line))
        self.texts = texts
        self.expected = expected or Expected()
        self.limits = limits or processes.Limits(30, settle=0.5)
        self.shell = shell

    def run(self, number: int, place: Place) -> Verdict:
        command = [*self.shell, self.texts[number % len(self.texts)]]
        environment = place.environment()
        ended = self.ended(command, place, environment, self.limits, expected=["own"])
        return self.verdict(number, command[-1], ended, self.expected, command=command)


def verdict_of(kind: Texts, number: int = 0) -> Verdict:
    """Carry out one case as the driver does, in a process of its own."""
    return driver.one(kind, number, kind.ground.scratch)[0]


PYTHON = (sys.executable, "-c")
