# SPDX-License-Identifier: Apache-2.0
"""Finished runs whose files are damaged, for the commands that read them."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from longhaul.attack import mutants, processes
from longhaul.attack.kind import Ground, Kind, Verdict
from longhaul.attack.kinds import launches
from longhaul.attack.oracle import DONE, FAILED, USAGE, Expected, codes
from longhaul.attack.place import Place
from longhaul.errors import LonghaulError

RUN = launches.Launch(
    "ixgb_b2b", ("system=linux-2.6.6", "duration=3ms"), options=("--record", "--pcap")
)
LIMIT_S = 120.0
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("report", "run"),
    ("report", "run", "whole", "--html", "page.html"),
    ("compare", "run", "whole"),
    ("compare", "whole", "run"),
    ("diverge", "run", "whole"),
    ("diverge", "whole", "run"),
)
# Files that these commands may write or change.
OWN = ("run", "whole", "page.html")


class Results(Kind):
    """Case N is a finished run with one damaged file, and a command that reads it."""

    name = "results"
    what = "damaged files of finished runs, for the commands that read them"
    weight = 1
    chunk = 8

    def prepare(self) -> None:
        """Make the run that is damaged."""
        self._whole = finished(self.ground, RUN, self.ground.base / "finished")
        files = [path for path in self._whole.rglob("*") if path.is_file()]
        self._files = sorted(str(path.relative_to(self._whole)) for path in files)

    def run(self, number: int, place: Place) -> Verdict:
        """Damage a file and let a command read the run."""
        chance = self.ground.chance(self.name, number)
        shutil.copytree(self._whole, place.work / "run")
        shutil.copytree(self._whole, place.work / "whole")
        read = ["results.json", "manifest.json", "record.bin", "raw/sim.json"]
        file = chance.choice(self._files if chance.random() < 0.3 else read)
        damage = damaged(place.work / "run" / file, chance)
        words = list(chance.choice(COMMANDS))
        environment = launches.environment(place, self.ground.simulator)
        limits = processes.Limits(LIMIT_S * self.ground.patience)
        call = partial(self.ground.command_line.call, words)
        ended = self.ended(call, place, environment, limits, expected=OWN)
        parts = codes(FAILED) if words[0] == "diverge" else codes()
        expected = Expected(codes(DONE, FAILED, USAGE), only=True, silent=parts)
        command = ["longhaul", *words]
        return self.verdict(number, f"{file}: {damage}", ended, expected, command=command)


def finished(ground: Ground, launch: launches.Launch, folder: Path) -> Path:
    """Return a finished run, made if it is not there."""
    out = folder / launches.OUT
    if (out / "results.json").exists():
        return out
    ground.say(f"a run of {launch.scenario} to compare with")
    place = Place(folder.with_name(f"{folder.name}-made")).make()
    environment = launches.environment(place, ground.simulator)
    running = processes.start(launch.command(), place, environment=environment)
    ended = processes.finish(running, place, processes.Limits(600 * ground.patience))
    if ended.code != DONE:
        end = "did not end" if ended.code is None else "failed"
        raise LonghaulError(f"a run to compare with {end}: {ended.err.strip()[-500:]}")
    folder.mkdir(parents=True, exist_ok=True)
    (place.work / launches.OUT).rename(out)
    place.remove()
    return out


def damaged(path: Path, chance: random.Random) -> str:
    """Damage a file; return how, in a few words."""
    name, damage = chance.choice(_DAMAGES)
    damage(path, chance)
    return name


def _cut(path: Path, chance: random.Random) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: chance.randrange(len(data) + 1)])


def _flip(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(chance.choice([1, 10, 1000]) if data else 0):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def _remove(path: Path, _chance: random.Random) -> None:
    path.unlink()


def _folder(path: Path, _chance: random.Random) -> None:
    path.unlink()
    path.mkdir()


def _empty(path: Path, _chance: random.Random) -> None:
    path.write_bytes(b"")


def _noise(path: Path, chance: random.Random) -> None:
    path.write_bytes(chance.randbytes(4096))


def _unreadable(path: Path, _chance: random.Random) -> None:
    path.unlink()
    path.symlink_to(path.name)  # a link to itself


def _mutant(path: Path, chance: random.Random) -> None:
    """Change one value of a JSON file, as of a configuration; cut what offers none."""
    try:
        document: Any = json.loads(path.read_text())
        (mutant,) = mutants.mutants(document, chance.getrandbits(48), 1)
    except (ValueError, LookupError, AttributeError, TypeError):
        return _cut(path, chance)
    path.write_bytes(mutant.encode("utf-8", "surrogatepass"))
    return None


_DAMAGES: tuple[tuple[str, Callable[[Path, random.Random], None]], ...] = (
    ("cut", _cut),
    ("bits flipped", _flip),
    ("removed", _remove),
    ("a folder in its place", _folder),
    ("empty", _empty),
    ("noise", _noise),
    ("a link to itself", _unreadable),
    *(("a value changed", _mutant),) * 6,
)
