# SPDX-License-Identifier: Apache-2.0
"""Runs an adapter's tests side by side, and keeps what came of each; finished ones are kept.

A test's outcome holds as long as all that it depends on is the same: RTL and map, driver, script,
settings, simulator.
"""

from __future__ import annotations

import dataclasses
import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from longhaul.answers import sha256
from longhaul.coverage import kept as coverage_files
from longhaul.errors import Interrupted, UsageError
from longhaul.guest import own_modules
from longhaul.outdir import cannot_make, partial_path, write_json
from longhaul.paths import ROOT, simulator
from longhaul.process import ending_signals_raise
from longhaul.runs import child_runs, given
from longhaul.runs.child_runs import Ended, Job, Pool
from longhaul.types import everywhere, plugins
from longhaul.validation import catalog, outcome
from longhaul.validation.catalog import ValidationTest
from longhaul.validation.judge import HOST, PORT, judge
from longhaul.validation.outcome import Finding, Outcome
from longhaul.validation.twins import joined
from longhaul.validation.twins.chosen import Twin
from longhaul.workspace import current

SCENARIO = "adapter_validation"
LOCK = ".validation.lock"
WAVES = "-waves"  # behind a test's name: its run with waves
TRACED = "link,nic,rtl,pcix"
FST = "waves.fst"
LENGTH = "5ms"  # of waves from a check's begin on
MARK = "validation.json"  # makes a folder one of a validation

Say = Callable[[str], None]


@dataclass(frozen=True)
class Plan:
    """A validation: an adapter's type, tests, the scenario's other settings, the PC's modules."""

    adapter: str
    tests: tuple[ValidationTest, ...]
    out: Path
    sets: tuple[str, ...] = ()
    seed: int = 1
    layout: int = 0
    force: bool = False
    fail_fast: bool = False
    waves: bool = True  # a test that fails is repeated with waves around what failed
    software: given.Given = ()
    twin: Twin | None = None
    coverage: bool = False  # of the adapter's RTL

    def command(
        self,
        test: ValidationTest,
        lock: Path,
        failed: Outcome | None = None,
        *,
        of_twin: bool = False,
    ) -> list[str]:
        """Return the command line of a test's run; if it has `failed`, with waves."""
        recorded = self.has_twin(test) and not failed
        return [
            *child_runs.command(
                SCENARIO,
                self.out / _Run(test, failed, of_twin).name,
                self.settings(test, of_twin=of_twin),
                seed=self.seed,
                layout=self.layout,
                force=True,
                lock=lock,
                software=self.software,
                coverage=self.coverage and not failed and not of_twin,
            ),
            "--pcap",
            *(("--record-device", PORT) if recorded else ()),
            *(waves_words(failed) if failed else ()),
        ]

    def settings(self, test: ValidationTest, *, of_twin: bool = False) -> list[str]:
        """Return what the run of a test, or its twin's, sets, as NAME=VALUE."""
        adapter = self.twin.name if self.twin and of_twin else self.adapter
        return [f"adapter={adapter}", f"test={test.name}", *self.sets]

    def has_twin(self, test: ValidationTest) -> bool:
        """Tell whether a test runs against the twin, too."""
        return bool(test.twin) and self.twin is not None


def waves_words(failed: Outcome) -> list[str]:
    """Return the options that trace what failed.

    That is the time before a bad end; around the first frame that was lost; or from the begin of
    the check that failed.
    """
    words = ["--waves", TRACED]
    if not failed.is_whole:
        return [*words, "--waves-trigger", "violation"]
    if failed.lost and not catalog.find(failed.test).box:
        return [*words, "--waves-trigger", "drop:1"]
    check = next((each for each in failed.checks if each.verdict == outcome.FAILED), None)
    if check and check.begin_s is not None and failed.window_s is not None:
        from_us = max(0.0, check.begin_s - failed.window_s) * 1e6
        words += ["--waves-from", f"{from_us:.3f}us"]
    return [*words, "--waves-length", LENGTH]


def adapter(name: str | None) -> str:
    """Return the adapter to test: the one named here or by the workspace, else the plug-ins' only.

    Raises UsageError where there is none, or a choice.
    """
    workspace = current.given()
    name = name or (workspace.validated if workspace else "")
    if name:
        return everywhere.find("adapter", name).name
    own = list(everywhere.of_plugins("adapter"))
    if not own:
        raise UsageError(
            "which adapter? No plug-in adds one; name one of `longhaul types`, or stand in a "
            "workspace that has one"
        )
    if len(own) > 1:
        raise UsageError(f"which adapter? The plug-ins add {', '.join(own)}; name one")
    return own[0]


def own_driver(name: str) -> given.Given:
    """Return the workspace's modules for the PC under test, if [validate] names this adapter."""
    workspace = current.given()
    if workspace is None or workspace.validated != name:
        return ()
    return given.parse({"module": [f"{HOST}={folder}" for folder in workspace.modules]})


def chosen(only: Sequence[str], skip: Sequence[str]) -> tuple[ValidationTest, ...]:
    """Return the tests that are asked for, in their order; a UsageError names the nearest one.

    The workspace's `skip` holds for what is not named by `only`.
    """
    workspace = current.given()
    if workspace and not only:
        skip = [*skip, *workspace.skipped]
    for name in (*only, *skip):
        catalog.find(name)
    return tuple(
        each
        for name, each in catalog.tests().items()
        if (not only or name in only) and name not in skip
    )


def fitting(
    tests: Sequence[ValidationTest], adapter: str, only: Sequence[str]
) -> tuple[ValidationTest, ...]:
    """Return the tests that an adapter can have: some set what RTL by a port map alone has.

    Raises UsageError for one of `only` that it cannot.
    """
    if everywhere.find("adapter", adapter).rtl:
        return tuple(tests)
    for each in tests:
        if each.adapter_params and each.name in only:
            raise UsageError(
                f"the test {each.name} is for RTL by a port map, which {adapter} is not: it sets "
                f"{', '.join(each.adapter_params)}"
            )
    return tuple(each for each in tests if not each.adapter_params)


def run(plan: Plan, open_pool: Callable[[Path], Pool], say: Say) -> list[Outcome]:
    """Run what has no outcome yet, and return the outcomes of all tests of the plan.

    An interrupted or lost run is no outcome: the same command does it.
    """
    lock = plan.out / LOCK
    try:
        plan.out.mkdir(parents=True, exist_ok=True)
        there = [path.name for path in plan.out.iterdir() if path.name != LOCK]
        if there and not (plan.out / MARK).exists():
            holds = "is not empty and holds no validation"
            raise UsageError(f"{plan.out} {holds}; choose another --out")
        write_json(plan.out / MARK, {"adapter": plan.adapter})
    except OSError as error:
        raise cannot_make(plan.out, error) from None
    with child_runs.holding(lock):
        common = _common_key(plan)
        keys = {each.name: _key(common, plan, each) for each in plan.tests}
        found: dict[str, Outcome] = {}
        for test in plan.tests:
            kept = outcome.load(_record(plan, test))
            if kept and kept.key == keys[test.name] and not plan.force and _covered(plan, test):
                found[test.name] = kept
        if found:
            say(f"{len(found)} of {len(plan.tests)} tests have been run already")
        waiting = [each for each in plan.tests if each.name not in found]
        if waiting:
            with ending_signals_raise(), open_pool(lock) as pool:
                _Running(plan, pool, say, keys, found, lock).go(waiting)
    return [limited(found[each.name]) for each in plan.tests if each.name in found]


def limited(done: Outcome) -> Outcome:
    """Return an outcome with a finding for each figure that the workspace's bounds do not allow."""
    workspace = current.given()
    if workspace is None:
        return done
    wrong: list[Finding] = []
    for bounds, what in ((workspace.least, "least"), (workspace.most, "most")):
        for name, bound in bounds.items():
            text = done.figures.get(name)
            value = outcome.number(text) if text else None
            if value is not None and (value < bound if what == "least" else value > bound):
                wrong.append(Finding(name, f"{text}; longhaul.toml wants {bound:g} at {what}"))
    return dataclasses.replace(done, findings=(*done.findings, *wrong))


def _covered(plan: Plan, test: ValidationTest) -> bool:
    """Tell whether a test's run has the coverage that is asked for; without it nothing differs."""
    return not plan.coverage or coverage_files.has_some(plan.out / test.name)


def _record(plan: Plan, test: ValidationTest) -> Path:
    return plan.out / f"{test.name}.json"


def _common_key(plan: Plan) -> str:
    """Return a checksum of what all tests depend on; compiles the RTL if need be."""
    parts = [repr(sorted(plugins.checksums(plugins.given()).values())), sha256(simulator())]
    workspace = current.given()
    for folder in workspace.modules if workspace else ():
        parts.append(own_modules.checksum(own_modules.sources(folder)))
    parts.append(sha256(ROOT / "scenarios" / SCENARIO / "scenario.py"))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _key(common: str, plan: Plan, test: ValidationTest) -> str:
    texts = [common, repr(test), test.script(), *plan.settings(test), f"{plan.seed} {plan.layout}"]
    texts += [f"{one.option} {one.host}" for one in plan.software]
    texts += [plan.twin.key()] if plan.twin and test.twin else []
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


class _Running:
    """Tests on their way through a pool."""

    def __init__(
        self,
        plan: Plan,
        pool: Pool,
        say: Say,
        keys: dict[str, str],
        found: dict[str, Outcome],
        lock: Path,
    ) -> None:
        self._plan, self._pool, self._say = plan, pool, say
        self._keys, self._found, self._lock = keys, found, lock
        self._queue: list[_Run] = []
        self._lost: list[Ended] = []
        self._halves = joined.Halves(plan.twin, plan.out)
        self._begin, self._total, self._ended = 0.0, 0, 0

    def go(self, waiting: list[ValidationTest]) -> None:
        """Run all, or until one fails where that is asked for."""
        self._queue = [
            _Run(each, of_twin=of_twin)
            for each in waiting
            for of_twin in ((False, True) if self._plan.has_twin(each) else (False,))
        ]
        running: dict[str, _Run] = {}
        self._begin, self._total = time.monotonic(), len(waiting)
        if self._pool.where:
            self._say(f"{self._total} tests go to {self._pool.where}")
        while self._queue or running:
            while self._queue and not self._pool.full():
                each = self._queue.pop(0)
                running[each.name] = each
                self._start(each)
            for ended in self._pool.ended():
                self._take(running.pop(ended.name), ended)
        if self._lost:
            first = self._lost[0]
            raise Interrupted(f"{first.name} {first.why}; the same command does what is left")

    def _start(self, each: _Run) -> None:
        plan, failed = self._plan, each.failed
        if failed is None:
            _record(plan, each.test).unlink(missing_ok=True)
        log = plan.out / f"{each.name}.log"
        command = plan.command(each.test, self._lock, failed, of_twin=each.of_twin)
        self._pool.start(Job(each.name, tuple(command), log))

    def _take(self, each: _Run, ended: Ended) -> None:
        if ended.code is None:
            self._lost.append(ended)
            return
        made = each.failed
        if made is None:
            made = self._judged(each, ended)
            if made is None:
                return  # the other of the adapter's and its twin's run is not over
            self._ended += 1
            self._tell(made)
            if not made.passed and self._plan.waves:
                self._queue.insert(0, _Run(each.test, made))
            if not made.passed and self._plan.fail_fast:
                self._queue = [run for run in self._queue if run.failed]
        else:
            made = dataclasses.replace(made, waves=_with_waves(self._plan.out / each.name))
        made.write(_record(self._plan, each.test))
        self._found[each.test.name] = made

    def _judged(self, each: _Run, ended: Ended) -> Outcome | None:
        """Return what came of a test once all of its runs are over that it takes."""
        if each.of_twin:
            return self._halves.twin_ended(each.test, ended)
        folder = self._plan.out / each.name
        made = judge(each.test, folder, ended, self._keys[each.name])
        if not self._plan.has_twin(each.test):
            return made
        if not made.passed:  # by itself: nothing is compared
            self._queue = [run for run in self._queue if run.test != each.test]
        return self._halves.judged(each.test, made)

    def _tell(self, made: Outcome) -> None:
        if made.passed:
            counts = made.counts()
            skipped = f", {counts[outcome.SKIPPED]} skipped" if counts[outcome.SKIPPED] else ""
            what = f"passed {made.test}: {counts[outcome.PASSED]} checks{skipped}"
        else:
            first = made.findings[0]
            what = f"FAILED {made.test}: {first.by}: {outcome.shortened(first.message)}"
        left = self._total - self._ended
        ahead = (time.monotonic() - self._begin) / self._ended * left
        self._say(f"{what} ({self._ended} of {self._total}{child_runs.to_go(ahead)})")


@dataclass(frozen=True)
class _Run:
    """A test's run, its twin's run, or the repetition with waves of a run that has `failed`."""

    test: ValidationTest
    failed: Outcome | None = None
    of_twin: bool = False

    @property
    def name(self) -> str:
        ending = WAVES if self.failed else joined.TWIN if self.of_twin else ""
        return self.test.name + ending


def _with_waves(out: Path) -> str:
    """Return the name of the folder in which a run has left waves; empty where it has not."""
    return next((each.name for each in (out, partial_path(out)) if any(each.glob(FST))), "")
