# SPDX-License-Identifier: Apache-2.0
"""A plan of a fault: a run, what befalls it, and how it may end."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from longhaul.attack.kinds import launches
from longhaul.attack.oracle import DOCUMENTED, INTERRUPTED
from longhaul.attack.place import Place
from longhaul.attack.processes import Disturbance, Running

MODELLED = launches.Launch("ixgb_b2b", ("system=linux-2.6.6", "duration=40ms"))
GUESTS = launches.Launch("ixgb_b2b", ("duration=20ms",))


@dataclass(frozen=True)
class Plan:
    """One fault of one run.

    With `front_door` it is started by ./longhaul, as a user does. `before` prepares the case's
    place and returns what undoes that; `words` go ahead of the command; `leaves` are files that it
    may leave in its working folder beside its own. A run that ends well has the figures of an
    undisturbed one. `silent` are codes that need no message.
    """

    label: str
    launch: launches.Launch = MODELLED
    codes: frozenset[int] = DOCUMENTED - {INTERRUPTED}
    out: str = launches.OUT
    front_door: bool = False
    before: Callable[[Place], Callable[[], None]] | None = None
    words: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    resources: Mapping[int, int] = field(default_factory=dict[int, int])
    disturb: Disturbance | None = None
    leaves: Sequence[str] = ()
    litters: bool = False  # killed, it cannot remove its temporary files
    settle: float = 3.0
    says: str = ""
    silent: frozenset[int] = frozenset()
    stop_after: float | None = None

    def command(self) -> list[str]:
        """Return the whole command line."""
        return [*self.words, *self.launch.command(self.out, front_door=self.front_door)]


@dataclass(frozen=True)
class Basis:
    """The parts of plans: undisturbed runs and their durations, by their launches."""

    seconds: Mapping[launches.Launch, float]
    base: Path

    def moment(self, chance: random.Random, launch: launches.Launch, share: float = 1.0) -> float:
        """Return a moment in a run, in seconds of wall time."""
        return chance.uniform(0, self.seconds[launch] * share)


def at(seconds: float, act: Disturbance) -> Disturbance:
    """Return what acts so long after a run's start, if it still goes on."""

    def disturb(running: Running) -> None:
        if running.goes_on(seconds):
            act(running)

    return disturb


def when(
    condition: Callable[[Running], object], seconds: float, act: Disturbance, limit: float = 300
) -> Disturbance:
    """Return what acts so long after a condition has come true, if the run still goes on."""

    def disturb(running: Running) -> None:
        deadline = time.monotonic() + limit
        while running.poll() is None and time.monotonic() < deadline:
            if condition(running):
                if running.goes_on(seconds):
                    act(running)
                return
            time.sleep(0.01)

    return disturb


def nothing() -> None:
    """Undo nothing."""
