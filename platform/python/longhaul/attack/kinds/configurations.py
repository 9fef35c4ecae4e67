# SPDX-License-Identifier: Apache-2.0
"""Mutated configurations for the simulator: it refuses them in words, or runs them to an end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from longhaul import registry
from longhaul.attack import mutants, processes
from longhaul.attack.kind import Ground, Kind, Verdict
from longhaul.attack.oracle import DONE, FAILED, INTERRUPTED, USAGE, Expected, Fault, codes
from longhaul.attack.place import Place
from longhaul.process import QUIET_SYSTEMC
from longhaul.runs import runner

BATCH = 32  # mutants of one base
RUN_EVERY = 16  # of so many cases one is also run
FILE = "config.json"
OUT = "out"
CHECK_S, RUN_S, STOP_S = 60.0, 5.0, 30.0

# Mutated are adapters, boxes, systems, workloads and sinks of each kind, in short runs.
_SHORT = ("duration=2ms", "window=256KiB")
_BASES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ixgb_b2b", ("system=linux-2.6.6", *_SHORT)),
    ("ixgb_b2b", ("system=solaris-9", "processors=2", "streams=3", *_SHORT)),
    ("ixgb_wan", ("system=freebsd-5.1", "rtt=1ms", "loss=1%", *_SHORT)),
    ("gnet1_table1_modelled", ("box=gnet1", "delay=1ms", "duration=5ms")),
    ("gnet1_table1_modelled", ("box=nistnet", "delay=1ms", "duration=5ms")),
    ("pairs", ("pairs=2", "path=delay", "rtt=1ms", *_SHORT)),
    ("booster_fig6", ()),
)
_WITH_SINKS = {"timeline": True, "record": True, "profile_period": "20us"}


class Configurations(Kind):
    """Case N is mutant N of the seed; one of sixteen is run, too, if it is a good one."""

    name = "configurations"
    what = "mutated configurations, for the simulator to refuse or to run"
    weight = 3
    chunk = BATCH

    def __init__(self, ground: Ground) -> None:
        super().__init__(ground)
        self._of_batch = lru_cache(maxsize=4)(self._mutants)

    def prepare(self) -> None:
        """Make the good configurations."""
        self._bases = bases()

    def _mutants(self, batch: int) -> Sequence[mutants.Mutant]:
        base = self._bases[batch % len(self._bases)]
        seed = self.ground.chance(self.name, batch).getrandbits(48)
        return list(mutants.mutants(base, seed, BATCH))

    def run(self, number: int, place: Place) -> Verdict:
        """Let the simulator check a mutant, and run it."""
        mutant = self._of_batch(number // BATCH)[number % BATCH]
        (place.work / FILE).write_bytes(mutant.encode("utf-8", "surrogatepass"))
        (place.work / OUT).mkdir()
        command = [str(self.ground.simulator), "--check", FILE]
        expected = Expected(codes(DONE, USAGE), place=True, only=True)
        limits = processes.Limits(CHECK_S * self.ground.patience)
        checked = self._end(command, place, limits, [FILE, OUT])
        wrote = [path.name for path in (place.work / OUT).iterdir()]
        more = [Fault("file", f"written by a check: {wrote[0]}")] if wrote else []
        verdict = self.verdict(number, mutant.label, checked, expected, command=command, more=more)
        if number % RUN_EVERY or verdict.faults:
            return verdict
        place.err.replace(place.folder / "checked.txt")
        return self._run(number, mutant, place, good=checked.code == DONE)

    def _run(self, number: int, mutant: mutants.Mutant, place: Place, *, good: bool) -> Verdict:
        """Run a mutant: it ends, or does so when it is told to; refused is what was refused."""
        command = [str(self.ground.simulator), FILE]
        limits = processes.Limits(RUN_S * self.ground.patience, stop=STOP_S * self.ground.patience)
        ended = self._end(command, place, limits, _may_write(mutant))
        expected = codes(DONE, FAILED, INTERRUPTED) if good else codes(FAILED, USAGE)
        more: list[Fault] = []
        if ended.code == DONE and not list(place.box.rglob("sim.json")):
            more.append(Fault("results", "exit code 0 without a sim.json"))
        if ended.code == INTERRUPTED and not ended.stopped:
            more.append(Fault("exit code", "130, but nobody interrupted it"))
        return self.verdict(
            number,
            f"{mutant.label}, run",
            ended,
            Expected(expected, place=ended.code == USAGE, only=True),
            command=command,
            more=more,
        )

    def _end(
        self, command: list[str], place: Place, limits: processes.Limits, files: Sequence[str]
    ) -> processes.Ended:
        environment = place.environment(QUIET_SYSTEMC)
        return self.ended(command, place, environment, limits, expected=files)


def bases() -> list[dict[str, Any]]:
    """Return good configurations of modelled hosts, every second one with all sinks."""
    found: list[dict[str, Any]] = []
    for number, (name, sets) in enumerate(_BASES):
        entry = registry.find(name)
        case = (entry.cases(list(sets)) or [()])[0]
        settings = entry.parse_case(list(sets), case)
        request = runner.RunRequest(entry, settings, Path(OUT))
        scenario = entry.build(settings, 1)
        config = runner.configuration(request, scenario, None, None).model_dump(mode="json")
        config["out"] = OUT
        if number % 2:
            config["observe"] |= _WITH_SINKS
            config["observe"]["pcap"] = [link["name"] for link in config["links"]]
        found.append({key: value for key, value in config.items() if value not in ("", None)})
    return found


def _may_write(mutant: str) -> list[str]:
    """Return what a run of a mutant may write to: its `out`."""
    try:
        out = json.loads(mutant)["out"]
        return [FILE, OUT, PurePosixPath(out).parts[0]]
    except (ValueError, LookupError, TypeError, RecursionError):
        return [FILE, OUT]
