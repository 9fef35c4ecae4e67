# SPDX-License-Identifier: Apache-2.0
"""Carries out cases of all kinds side by side, until time or cases are used up."""

from __future__ import annotations

import ctypes
import multiprocessing
import shutil
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path

from longhaul.attack.kind import Kind, Verdict
from longhaul.attack.oracle import Fault
from longhaul.attack.place import Place
from longhaul.attack.tally import Tally
from longhaul.errors import LonghaulError
from longhaul.process import become_reaper, no_strays

_PR_SET_PDEATHSIG = 1  # <linux/prctl.h>
SAVE_S = 5.0
LOOK_S = 1.0
MOST_KEPT_BYTES = 50 << 20  # of a case's folder that is kept
FINDINGS = "findings"


@dataclass(frozen=True)
class Budget:
    """When to stop: after so many seconds, and each kind after so many cases."""

    seconds: float | None
    cases: Mapping[str, int] = field(default_factory=dict[str, int])

    def over(self, spent: float) -> bool:
        """Tell whether the time is used up."""
        return self.seconds is not None and spent >= self.seconds

    def left(self, kind: str, given: int) -> int:
        """Return how many more cases of a kind there may be."""
        return self.cases[kind] - given if kind in self.cases else 1 << 62


class Driver:
    """Carries out an attack in a folder; `tell` hears of each verdict, `say` of what it waits for.

    Interrupted, it saves what is done, and ends its workers and all that they have started.
    """

    def __init__(
        self,
        kinds: Mapping[str, Kind],
        tally: Tally,
        folder: Path,
        scratch: Path,
        *,
        jobs: int,
        tell: Callable[[Verdict, Sequence[str]], None],
        say: Callable[[str], None] = lambda _line: None,
    ) -> None:
        self._kinds = kinds
        self._tally = tally
        self._folder = folder
        self._scratch = scratch
        self._jobs = jobs
        self._tell = tell
        self._say = say
        self._next = {name: tally.of(name).next() for name in kinds}
        self._given = {name: 0.0 for name in kinds}  # seconds of work, done or under way
        self._pending: dict[Future[list[Verdict]], tuple[str, float]] = {}
        self._last_save = time.monotonic()

    def run(self, budget: Budget) -> None:
        """Carry out cases until the budget is used up; all processes are gone when this returns."""
        began, waits = time.monotonic(), False
        with no_strays():
            context = multiprocessing.get_context("fork")
            pool = ProcessPoolExecutor(
                self._jobs, mp_context=context, initializer=_begin, initargs=(self._kinds,)
            )
            try:
                while True:
                    spent = time.monotonic() - began
                    while len(self._pending) < self._jobs and not budget.over(spent):
                        if not self._submit(pool, budget):
                            break
                    if not self._pending:
                        break
                    if budget.over(spent) and not waits:
                        waits = True
                        names = ", ".join(sorted({name for name, _ in self._pending.values()}))
                        self._say(f"time is up; waiting for the last cases of {names}")
                    done, _ = wait(self._pending, timeout=LOOK_S, return_when=FIRST_COMPLETED)
                    for future in done:
                        self._take(future)
            finally:
                self._tally.save(self._folder)
                pool.shutdown(wait=False, cancel_futures=True)

    def _submit(self, pool: ProcessPoolExecutor, budget: Budget) -> bool:
        """Give a worker cases of the kind that has had least of its share; False: none are left."""
        open_kinds = [name for name in self._kinds if budget.left(name, self._done(name)) > 0]
        if not open_kinds:
            return False
        name = min(open_kinds, key=lambda name: self._given[name] / self._kinds[name].weight)
        kind = self._kinds[name]
        count = min(kind.chunk, budget.left(name, self._done(name)))
        numbers = range(self._next[name], self._next[name] + count)
        self._next[name] += count
        guess = self._guess(name) * count
        self._given[name] += guess
        self._pending[pool.submit(_carry_out, name, numbers, self._scratch)] = (name, guess)
        return True

    def _done(self, name: str) -> int:
        return self._next[name]

    def _guess(self, name: str) -> float:
        of = self._tally.of(name)
        return of.seconds / len(of.done) if of.done else 1.0

    def _take(self, future: Future[list[Verdict]]) -> None:
        name, guess = self._pending.pop(future)
        try:
            verdicts = future.result()
        except BrokenProcessPool:
            raise LonghaulError(f"{name}: a worker of the attack died") from None
        self._given[name] += sum(verdict.seconds for verdict in verdicts) - guess
        for verdict in verdicts:
            new = self._tally.add(verdict)
            if verdict.faults:
                self._keep(verdict, new)
            self._tell(verdict, new)
        if time.monotonic() - self._last_save > SAVE_S:
            self._tally.save(self._folder)
            self._last_save = time.monotonic()

    def _keep(self, verdict: Verdict, new: Sequence[str]) -> None:
        """Keep the folder of the first case with something wrong; remove those of others."""
        scratch = _folder(self._scratch, verdict.kind, verdict.number)
        kept = self._folder / FINDINGS / scratch.name
        if new and size_of(scratch) <= MOST_KEPT_BYTES:
            kept.parent.mkdir(exist_ok=True)
            shutil.rmtree(kept, ignore_errors=True)
            shutil.move(scratch, kept)
        shutil.rmtree(scratch, ignore_errors=True)
        if new:
            kept.mkdir(parents=True, exist_ok=True)
            (kept / "finding.txt").write_text(described(verdict, self._tally.again(verdict)))


def described(verdict: Verdict, again: str) -> str:
    """Return what is wrong with a case, and how to repeat it: `again` are the options."""
    lines = [f"{verdict.kind} {verdict.number}: {verdict.label}", f"ended with: {verdict.end}"]
    lines += [f"{fault.kind}: {fault.text}" for fault in verdict.faults]
    lines += [f"command: {verdict.command}"]
    lines += [f"again: ./longhaul attack {again}"]
    return "\n".join(lines).encode(errors="replace").decode() + "\n"


def size_of(folder: Path) -> int:
    """Return how many bytes the files in a folder take."""
    return sum(p.lstat().st_size for p in folder.rglob("*") if not p.is_symlink())


def one(kind: Kind, number: int, scratch: Path) -> tuple[Verdict, Place]:
    """Carry out one case in this process's child, and leave its folder."""
    place = Place(_folder(scratch, kind.name, number))
    with no_strays():
        context = multiprocessing.get_context("fork")
        pool = ProcessPoolExecutor(
            1, mp_context=context, initializer=_begin, initargs=({kind.name: kind},)
        )
        try:
            future = pool.submit(_carry_out, kind.name, [number], scratch, keep=True)
            while not wait([future], timeout=LOOK_S).done:  # a wait without end hears no Ctrl-C
                pass
            (verdict,) = future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # the worker hears no Ctrl-C
    return verdict, place


# --- in a worker -----------------------------------------------------------------------------

_kinds: Mapping[str, Kind] = {}


def _begin(kinds: Mapping[str, Kind]) -> None:
    """Make this process a worker: it becomes the parent of processes that cases leave behind."""
    global _kinds
    _kinds = kinds
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    become_reaper()
    # Out of memory, the kernel ends cases before other processes.
    Path("/proc/self/oom_score_adj").write_text("500\n")


def _carry_out(
    name: str, numbers: Sequence[int], scratch: Path, *, keep: bool = False
) -> list[Verdict]:
    verdicts: list[Verdict] = []
    for number in numbers:
        place = Place(_folder(scratch, name, number))
        began = time.monotonic()
        try:
            verdict = _kinds[name].run(number, place.make())
        except Exception as error:  # an attack goes on without the case that it cannot make
            fault = Fault("attack", f"the case could not be carried out: {error!r}")
            seconds = time.monotonic() - began
            verdict = Verdict(name, number, "", "no verdict", seconds, faults=(fault,))
        verdicts.append(verdict)
        if not verdict.faults and not keep:
            place.remove()
    return verdicts


def _folder(scratch: Path, kind: str, number: int) -> Path:
    return scratch / f"{kind}-{number}"
