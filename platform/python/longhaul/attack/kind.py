# SPDX-License-Identifier: Apache-2.0
"""A kind of attack, as the driver sees it: numbered cases, each the same for the same seed."""

from __future__ import annotations

import random
import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from longhaul.attack import processes
from longhaul.attack.cage import Cage
from longhaul.attack.oracle import Expected, Fault, judge
from longhaul.attack.place import Place
from longhaul.attack.processes import Action, Command, Disturbance, Ended, Limits
from longhaul.paths import cache_dir


@dataclass(frozen=True)
class CommandLine:
    """The command line under attack: a function that calls it, and Typer's tree of it."""

    call: Callable[[list[str]], int]
    tree: Callable[[], Any]


@dataclass(frozen=True)
class Ground:
    """The data that all cases of an attack share.

    `base` is a folder for what is prepared once; `patience` stretches every limit of time, for a
    simulator that is slow.
    """

    seed: int
    simulator: Path
    base: Path
    scratch: Path
    command_line: CommandLine
    patience: float = 1.0
    say: Callable[[str], None] = lambda _line: None

    def chance(self, kind: str, number: int) -> random.Random:
        """Return the random numbers of one case."""
        return random.Random(f"{self.seed}/{kind}/{number}")

    def cage(self, *more: Path) -> Cage:
        """Return a cage for the cases: they write to their folders and to the cache."""
        cache_dir().mkdir(parents=True, exist_ok=True)
        return Cage((self.scratch, cache_dir(), *more))


@dataclass(frozen=True)
class Verdict:
    """How a case ended, and what is wrong with that."""

    kind: str
    number: int
    label: str
    end: str
    seconds: float
    command: str = ""
    faults: tuple[Fault, ...] = field(default=())


class Kind(ABC):
    """One kind of attack.

    `weight` is its share of the time, `chunk` how many cases a worker does before it reports.
    """

    name: ClassVar[str]
    what: ClassVar[str]
    weight: ClassVar[int] = 1
    chunk: ClassVar[int] = 1

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self._cage = ground.cage()

    def prepare(self) -> None:
        """Make what the cases share."""
        return

    @abstractmethod
    def run(self, number: int, place: Place) -> Verdict:
        """Carry out one case in its own folder."""

    def ended(
        self,
        what: Command | Action,
        place: Place,
        environment: Mapping[str, str],
        limits: Limits,
        *,
        expected: Sequence[str] = (),
        disturb: Disturbance | None = None,
        resources: Mapping[int, int] | None = None,
    ) -> Ended:
        """Start a case's process in the cage, and return how it ended (`processes`)."""
        running = processes.start(
            what, place, environment=environment, cage=self._cage, resources=resources
        )
        return processes.finish(running, place, limits, expected=expected, disturb=disturb)

    def verdict(
        self,
        number: int,
        label: str,
        ended: Ended,
        expected: Expected,
        *,
        command: Sequence[str] = (),
        more: Sequence[Fault] = (),
    ) -> Verdict:
        """Judge a case."""
        end = "no end" if ended.code is None else str(ended.code)
        faults = (*judge(ended, expected), *more)
        return Verdict(self.name, number, label, end, ended.seconds, shlex.join(command), faults)
