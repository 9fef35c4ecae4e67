# SPDX-License-Identifier: Apache-2.0
"""Golden runs made, side by side, and judged; nothing of an earlier time is taken for done."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from longhaul import registry
from longhaul.golden import basis, emulated_host, file
from longhaul.golden.file import Basis, Golden
from longhaul.golden.verdict import State, Verdict, judge, made_of
from longhaul.guest import known_versions
from longhaul.guest import parts as guest_parts
from longhaul.paths import SIMULATOR, simulator
from longhaul.runs import child_runs

EACH = "each"  # of the processors worth a try
Say = Callable[[str], None]


class GuestsHere:
    """The parts of this machine's guests, found at the first use."""

    def __init__(self, say: Say) -> None:
        self._say = say

    @cached_property
    def parts(self) -> guest_parts.GuestParts:
        """Kernel and root."""
        return guest_parts.ensure(self._say)

    @cached_property
    def basis(self) -> Basis:
        """Checksums and versions."""
        return basis.of_guests(self.parts)


@dataclass(frozen=True)
class Host:
    """Where golden runs are made: here, or on a processor that QEMU emulates."""

    processor: str = ""

    @property
    def name(self) -> str:
        """The folder of its runs."""
        return self.processor.replace("/", "_")

    @property
    def title(self) -> str:
        """The heading of its verdicts; empty: here."""
        about = emulated_host.PROCESSORS.get(self.processor)
        return f"On {self.processor}{f' ({about})' if about else ''}:" if self.processor else ""

    @contextmanager
    def simulator(self, say: Say) -> Generator[None]:
        """Let runs that start in this block be made there."""
        if not self.processor:
            yield
            return
        with TemporaryDirectory(prefix="longhaul-host-") as folder:
            here = simulator()
            there = emulated_host.simulator(self.processor, here, Path(folder), say)
            os.environ[SIMULATOR] = str(there)
            try:
                yield
            finally:
                os.environ[SIMULATOR] = str(here)


def hosts(processors: Sequence[str]) -> list[Host]:
    """Return the hosts for --host: of `each` all that are worth a try; none: here.

    A UsageError names a processor that cannot be emulated.
    """
    names = [n for p in processors for n in (emulated_host.PROCESSORS if p == EACH else [p])]
    for name in names:
        emulated_host.check(name)
    return [Host(name) for name in dict.fromkeys(names)] or [Host()]


def has_guests(golden: Golden) -> bool:
    """Tell whether the run has real guests; a UsageError for a command that cannot be."""
    entry = registry.find(golden.run.scenario)
    settings = entry.parse(golden.run.set)
    return entry.build(settings, golden.run.seed).has_guests()


def know_versions(goldens: Iterable[Golden], say: Say) -> None:
    """Keep what this machine's guests are made of, if some of the runs have guests."""
    if any(has_guests(golden) for golden in goldens):
        known_versions.save(GuestsHere(say).parts)


def run(
    names: Sequence[str],
    out: Path,
    say: Say,
    *,
    jobs: int = 1,
    update: bool = False,
    folder: Path = file.FOLDER,
) -> Iterator[Verdict]:
    """Make the named golden runs in `out`, and yield what became of each as it ends.

    With `update` the files are written again.
    """
    here = GuestsHere(say)
    out.mkdir(parents=True, exist_ok=True)
    waiting: dict[str, Golden] = {}
    for name in names:
        golden = file.load(name, folder)
        if has_guests(golden) and not update:
            differences = basis.differences(golden.made_with, here.basis)
            if differences:
                yield _other_guests(name, golden.made_with, here.basis, differences)
                continue
        waiting[name] = golden
    with ExitStack() as stack:
        pool = stack.enter_context(child_runs.Local(jobs))
        queue, going = list(waiting), 0
        while queue or going:
            while queue and not pool.full():
                pool.start(_job(queue[0], waiting[queue.pop(0)], out))
                going += 1
            for ended in pool.ended():
                going -= 1
                yield _ended(ended, waiting[ended.name], out, here, update=update, folder=folder)


def _other_guests(name: str, golden: Basis, here: Basis, differences: Sequence[str]) -> Verdict:
    """Tell guests of another host, whose run cannot be compared, from those of an edited tree."""
    edited = golden.guest_files != here.guest_files
    if edited and golden.guest_packages == here.guest_packages:
        text = "this tree's guests were edited since: longhaul golden --update makes it again"
        return Verdict(name, State.STALE, text)
    more = f" (and {len(differences) - 1} more)" if len(differences) > 1 else ""
    return Verdict(name, State.NOT_COMPARABLE, differences[0] + more)


def _job(name: str, golden: Golden, out: Path) -> child_runs.Job:
    words = child_runs.command(
        golden.run.scenario,
        out / name,
        golden.run.set,
        golden.run.param,
        golden.run.seed,
        force=True,
    )
    return child_runs.Job(name, (*words, "--record", *golden.run.options), out / f"{name}.log")


def _ended(
    ended: child_runs.Ended,
    golden: Golden,
    out: Path,
    here: GuestsHere,
    *,
    update: bool,
    folder: Path,
) -> Verdict:
    name = ended.name
    if ended.code != 0:
        return Verdict(name, State.FAILED, f"{ended.why} ({out / name}.log)")
    if not update:
        return judge(name, golden, out / name)
    made = made_of(out / name, golden, here.basis if has_guests(golden) else None)
    if made.text() == golden.text():
        return Verdict(name, State.UNCHANGED)
    file.save(name, made, folder)
    return Verdict(name, State.UPDATED)
