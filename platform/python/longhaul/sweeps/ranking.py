# SPDX-License-Identifier: Apache-2.0
"""The gain of each change of a sweep: every point against one of them, the baseline."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.console import Console
from rich.table import Table

from longhaul import registry
from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.registry import ScenarioEntry
from longhaul.results.comparison import change_text
from longhaul.results.words import split_unit
from longhaul.sweeps import points as sweep_points
from longhaul.sweeps.axes import is_parameter
from longhaul.sweeps.facets import follows
from longhaul.sweeps.intervals import SIGNIFICANT, Sample, holm, welch
from longhaul.sweeps.plan import Plan
from longhaul.sweeps.points import Case, Point
from longhaul.sweeps.spread import point_text

SHORTER_IS_BETTER = ("ms", "us", "s", "µs")  # units of figures that a change is to lower
MOST_LINES = 20  # on a terminal; the page has all


@dataclass(frozen=True)
class Change:
    """A point that is not the baseline, by what sets it apart.

    `names` are what differs, as NAME=VALUE, `is_one` if they are one axis; `percent` is how far the
    figure is from the baseline's, None where the baseline has 0. `beyond_chance` tells whether the
    difference is more than chance (Welch, Holm over all changes); None without repetitions.
    """

    point: Point
    names: tuple[str, ...]
    is_one: bool
    value: float
    percent: float | None
    beyond_chance: bool | None


@dataclass(frozen=True)
class Ranking:
    """All changes, best first.

    `alone` differ from the baseline in one name, or in names that change together in all points.
    """

    baseline: Point
    figure: str
    alone: tuple[Change, ...]
    together: tuple[Change, ...]

    @property
    def value(self) -> float:
        """The baseline's figure."""
        return self.baseline.number(self.figure) or 0.0

    @property
    def tested(self) -> bool:
        """Whether there are repetitions that tell an effect from chance."""
        return any(c.beyond_chance is not None for c in (*self.alone, *self.together))

    @property
    def groups(self) -> list[tuple[str, tuple[Change, ...]]]:
        """The changes under their headings, without those that have none."""
        named = (("One change", self.alone), ("Several changes together", self.together))
        return [(heading, changes) for heading, changes in named if changes]


def against(plan: Plan, text: str) -> Plan:
    """Return the plan with the baseline that `--baseline NAME=VALUE,...` means.

    What it does not name has the value that the scenario has without the sweep, or else the first
    of the sweep's values. A UsageError says which values there are.
    """
    entry = registry.find(plan.scenario)
    names = plan.axes()
    values: dict[str, list[str]] = {name: [] for name in names}
    for case in plan.cases:
        for name, value in _pairs(case):
            if value not in values[name]:
                values[name].append(value)
    given = _given(text, entry, values)
    own = entry.parse(plan.fixed)
    wanted: dict[str, str] = {}
    for name in names:
        usual = "" if is_parameter(name) else entry.setting(name).kind.show(getattr(own, name))
        fitting = [v for v in values[name] if _same(entry, name, v, given.get(name, usual))]
        if name in given and not fitting:
            there = ", ".join(values[name])
            raise UsageError(f"--baseline {name}={given[name]}: the sweep has {name}={there}")
        wanted[name] = (fitting or values[name])[0]
    found = next((case for case in plan.cases if dict(_pairs(case)) == wanted), None)
    if found is None:
        what = ",".join(f"{name}={value}" for name, value in wanted.items())
        raise UsageError(f"--baseline {text}: no point of the sweep has {what}")
    return replace(plan, baseline=found)


def _pairs(case: Sequence[str]) -> list[tuple[str, str]]:
    return [(name, value) for name, _, value in (text.partition("=") for text in case)]


def _given(text: str, entry: ScenarioEntry, values: dict[str, list[str]]) -> dict[str, str]:
    """Read `NAME=VALUE,...`; a value may have commas of its own."""
    given: dict[str, str] = {}
    last = ""
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if equals and name in values:
            given[name], last = value, name
        elif last and not equals:
            given[last] += f",{part}"
        else:
            near = did_you_mean(name, values)
            raise UsageError(
                f"--baseline {text}: {name!r} is not varied{near}"
                if equals
                else f"--baseline {text}: write NAME=VALUE,..., such as "
                + ",".join(f"{name}={there[0]}" for name, there in values.items())
            )
    for name, value in given.items():
        if not is_parameter(name):
            entry.setting(name).kind.parse(value, f"--baseline {name}")
    return given


def _same(entry: ScenarioEntry, name: str, one: str, other: str) -> bool:
    """Tell whether two texts are one value: 1ms and 1000us are."""
    if is_parameter(name) or not other:
        return one == other
    kind = entry.setting(name).kind
    return kind.parse(one, name) == kind.parse(other, name)


def rank(points: Sequence[Point], baseline: Case, entry: ScenarioEntry) -> Ranking | None:
    """Return each done point's gain over the baseline; None until the baseline is done."""
    base = next((point for point in points if point.case == baseline and point.result), None)
    if base is None:
        return None
    figure = next((name for name in base.headline if base.number(name) is not None), "")
    if not figure:
        return None
    names = sweep_points.names(point.case for point in points)
    done = [
        point for point in points
        if point.result and point is not base and point.number(figure) is not None
    ]  # fmt: skip
    tested = _tested(base, done, figure)

    def text(point: Point, name: str) -> str:
        return point.text(entry, name)

    before = base.number(figure) or 0.0
    changes: list[Change] = []
    for point in done:
        apart = [name for name in names if text(point, name) != text(base, name)]
        differing = tuple(f"{name}={text(point, name)}" for name in apart)
        is_one = len(apart) == 1 or all(
            follows([base, *done], name, other, text)
            for name, other in itertools.permutations(apart, 2)
        )
        value = point.number(figure) or 0.0
        percent = 100 * (value - before) / before if before else None
        changes.append(Change(point, differing, is_one, value, percent, tested.get(point.name)))
    lower = split_unit(figure)[1] in SHORTER_IS_BETTER
    changes.sort(key=lambda change: change.value if lower else -change.value)
    alone = tuple(change for change in changes if change.is_one)
    together = tuple(change for change in changes if not change.is_one)
    return Ranking(base, figure, alone, together)


def _tested(base: Point, done: Sequence[Point], figure: str) -> dict[str, bool]:
    """Return which points differ from the baseline by more than chance, by their names."""
    first = base.spread(figure)
    found: dict[str, float] = {}
    for point in done:
        second = point.spread(figure)
        if first and second:
            test = welch(Sample.from_json(first), Sample.from_json(second))
            if test:
                found[point.name] = test.p
    return dict(zip(found, (p < SIGNIFICANT for p in holm(list(found.values()))), strict=True))


def chance_text(change: Change) -> str:
    """Return whether a change is more than chance; empty where that was not tested."""
    if change.beyond_chance is None:
        return ""
    return "yes" if change.beyond_chance else "no"


def percent_text(change: Change) -> str:
    """Return how much a change brings, as `+31.0 %`."""
    percent = change.percent
    return change_text(percent) if percent is None or abs(percent) < 10 else f"{percent:+.1f} %"


def show(points: Sequence[Point], baseline: Case, entry: ScenarioEntry, console: Console) -> None:
    """Print the changes, best first; a line says so if the baseline is not done."""
    ranking = rank(points, baseline, entry)
    if ranking is None:
        console.print(f"\nNo ranking: {', '.join(baseline)} is not done.", highlight=False)
        return
    words, unit = split_unit(ranking.figure)
    base = ranking.baseline
    console.print(
        f"\nAgainst {', '.join(base.case)} ({words} {point_text(base, ranking.figure)}"
        f"{' ' if unit else ''}{unit}, limited by {base.verdict}):",
        markup=False,
        highlight=False,
    )
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("change", overflow="fold")
    for heading in ("brings", f"{words}, {unit}" if unit else words):
        table.add_column(heading, justify="right", no_wrap=True)
    if ranking.tested:
        table.add_column("beyond chance")
    table.add_column("limited by")
    shown = (*ranking.alone, *ranking.together)
    for change in shown[:MOST_LINES]:
        value = point_text(change.point, ranking.figure)
        cells = [", ".join(change.names), percent_text(change), value]
        cells += [chance_text(change)] if ranking.tested else []
        table.add_row(*cells, change.point.verdict)
    console.print(table, markup=False, highlight=False)
    if len(shown) > MOST_LINES:
        console.print(f"{len(shown) - MOST_LINES} more are on the page.", highlight=False)
