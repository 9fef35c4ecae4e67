# SPDX-License-Identifier: Apache-2.0
"""`longhaul compare` of repeated runs: is a difference more than chance?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from longhaul.results import comparison
from longhaul.results.repetition import Repetition, finished_in
from longhaul.results.runview import RunView
from longhaul.results.words import figure_text, split_unit
from longhaul.sweeps import repeats
from longhaul.sweeps.intervals import SIGNIFICANT, Difference, Sample, holm, welch
from longhaul.sweeps.spread import confidence_line, range_text, spread_text

YES, ALONE, NO = "yes", "alone", "no"
_BY_SEED = ("seed", "layout")  # what sets repetitions apart, and not the two sides


@dataclass(frozen=True)
class Side:
    """One side of a comparison: a run, or the repetitions of one."""

    name: str
    runs: tuple[RunView, ...]

    @classmethod
    def load(cls, folder: Path) -> Side:
        """Read a folder of a run or of repetitions; a UsageError says why it is neither."""
        name = folder.absolute().name
        return cls(name, tuple(map(RunView.load, finished_in(folder) or [folder])))

    def case(self) -> dict[str, Any]:
        """Return the runs as one case of results.json."""
        which = (
            Repetition(run.manifest["seed"], run.manifest.get("layout", 0)) for run in self.runs
        )
        return repeats.combined(
            {repetition: run.case for repetition, run in zip(which, self.runs, strict=True)}
        )


@dataclass(frozen=True)
class Row:
    """A figure of both sides; a missing one is None.

    `p` is Welch's, None where nothing can be tested; `beyond_chance` is `yes` if the difference
    holds among all figures that were tested (Holm), `alone` if it does by itself only.
    """

    name: str
    first: Sample | None
    second: Sample | None
    p: float | None
    beyond_chance: str

    @property
    def change_pct(self) -> float | None:
        """How far the second mean is from the first, in percent of it."""
        means = (sample and sample.mean for sample in (self.first, self.second))
        return comparison.Row(self.name, *means).change_pct


def rows(first: Side, second: Side) -> list[Row]:
    """Return every figure that either side measured."""
    of_a, of_b = (repeats.samples_of([run.measured for run in s.runs]) for s in (first, second))
    names = list(dict.fromkeys([*of_a, *of_b]))
    for side, samples in ((first, of_a), (second, of_b)):
        for name in names:
            if repeats.is_drops(name) and name not in samples:  # it dropped nothing
                samples[name] = _nothing(len(side.runs))
    tests = {name: _test(of_a.get(name), of_b.get(name)) for name in names}
    tested = {name: found.p for name, found in tests.items() if found}
    together = dict(zip(tested, holm(list(tested.values())), strict=True))
    return [
        Row(name, of_a.get(name), of_b.get(name), tested.get(name),
            _verdict(tested[name], together[name]) if name in tested else "")
        for name in names
    ]  # fmt: skip


def _nothing(runs: int) -> Sample:
    return Sample(runs, 0.0, 0.0 if runs > 1 else None, 0.0, 0.0)


def _test(first: Sample | None, second: Sample | None) -> Difference | None:
    """Compare two samples; a figure that is the same in every run has no chance in it."""
    found = welch(first, second)
    return None if found and found.df is None and found.mean == 0 else found


def _verdict(p: float, among_all: float) -> str:
    return YES if among_all < SIGNIFICANT else ALONE if p < SIGNIFICANT else NO


def show(console: Console, first: Side, second: Side) -> None:
    """Print what differs in settings, and every figure with its change and whether it is chance."""
    sides = (first, second)
    cases = [side.case() for side in sides]
    _show_settings(console, sides, cases)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("figure", no_wrap=True)
    for heading in (first.name, second.name, "change", "p"):
        table.add_column(heading, justify="right")
    table.add_column("beyond chance")
    found = rows(first, second)
    for row in found:
        words, unit = split_unit(row.name)
        samples = (row.first, row.second)
        texts = (spread_text(s.as_json(), unit) if s else figure_text(None) for s in samples)
        table.add_row(
            f"{words}, {unit}" if unit else words,
            *texts,
            comparison.change_text(row.change_pct),
            "" if row.p is None else "<0.001" if row.p < 0.001 else f"{row.p:.3f}",
            row.beyond_chance,
        )
    console.print(table, highlight=False)
    limits = (case["bottleneck"]["what"] for case in cases)
    console.print(f"\nLimited by: {'  |  '.join(limits)}", markup=False, highlight=False)
    console.print(_note(found, cases), markup=False, highlight=False)


def _show_settings(
    console: Console, sides: Sequence[Side], cases: Sequence[dict[str, Any]]
) -> None:
    different = comparison.settings(*(side.runs[0] for side in sides))
    table = comparison.settings_table(
        sides[0].name,
        sides[1].name,
        {name: pair for name, pair in different.items() if name not in _BY_SEED},
    )
    both = [case["repeat"] for case in cases]
    table.add_row("runs", *(str(repeat["number"]) for repeat in both))
    for name in ("seeds", "layouts"):
        table.add_row(name, *(range_text(repeat[name]) for repeat in both))
    console.print(table, highlight=False)
    console.print()


def _note(found: Sequence[Row], cases: Sequence[dict[str, Any]]) -> str:
    several = [case["repeat"] for case in cases if case["repeat"]["number"] > 1]
    meaning = confidence_line(several)
    if len(several) < 2:
        return f"{meaning} One run on a side cannot tell chance from effect: repeat it too."
    tested = sum(row.p is not None for row in found)
    figures = f"{tested} figure{'' if tested == 1 else 's'}"
    return (
        f"{meaning} p is of Welch's t test. Tested: {figures}; by chance alone "
        f"{SIGNIFICANT:.0%} of them have p < {SIGNIFICANT:.2f}. yes: holds among all (Holm); "
        f"{ALONE}: p < {SIGNIFICANT:.2f} by itself only; no: chance can explain it."
    )
