# SPDX-License-Identifier: Apache-2.0
"""The outcome of a study: figures by value and model, their differences, and the verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from longhaul.results.words import figure_text
from longhaul.studies.definition import Cost, Enough, Figure, Study
from longhaul.studies.figures import RunFigures
from longhaul.studies.runs import Part
from longhaul.sweeps.points import Status, status
from longhaul.types.rtl_models import RTL, TLM


@dataclass(frozen=True)
class Pair:
    """A figure at one value of the axis: the twin's and the RTL's; None where there is no run."""

    value: str
    twin: float | None
    rtl: float | None

    @property
    def difference_pct(self) -> float | None:
        """How far the RTL is from the twin; None without both, and where the twin has 0."""
        if self.twin is None or self.rtl is None or not self.twin:
            return None
        return 100 * (self.rtl - self.twin) / self.twin

    def is_alike(self, within_pct: float) -> bool:
        """Tell whether both are within some percent of each other, or one is missing."""
        if self.twin is None or self.rtl is None or self.twin == self.rtl:
            return True
        percent = self.difference_pct
        return percent is not None and abs(percent) <= within_pct


@dataclass(frozen=True)
class Row:
    """A figure of the study with its values along the axis."""

    figure: Figure
    pairs: Sequence[Pair]

    def of(self, model: str) -> dict[str, float]:
        """Return the figure of one model by the axis's value, where there is one."""
        both = ((pair.value, pair.twin if model == TLM else pair.rtl) for pair in self.pairs)
        return {value: number for value, number in both if number is not None}

    def far(self, within_pct: float) -> list[str]:
        """Return the values at which RTL and twin differ by more."""
        return [pair.value for pair in self.pairs if not pair.is_alike(within_pct)]


@dataclass(frozen=True)
class Outcome:
    """All rows, the verdict in one sentence, and the runs that are missing or failed."""

    rows: Sequence[Row]
    verdict: str
    missing: Sequence[str]


def of(study: Study, parts: Sequence[Part]) -> Outcome:
    """Read what the runs of a study have left."""
    runs: dict[tuple[str, str, str], RunFigures] = {}
    missing: list[str] = []
    for part in parts:
        for value in study.twin if part.model == TLM else study.rtl:
            folder = part.folder(value)
            found, why = status(folder)
            if found is Status.DONE:
                runs[part.load.name, part.model, value] = RunFigures(folder)
            else:
                missing.append(f"{folder}: {why or found}")
    rows = [Row(figure, _pairs(study, figure, runs)) for figure in study.figures]
    by_name = {row.figure.name: row for row in rows}
    return Outcome(rows, verdict(study, by_name), missing)


def _pairs(
    study: Study, figure: Figure, runs: Mapping[tuple[str, str, str], RunFigures]
) -> list[Pair]:
    load = study.load_of(figure)

    def value(model: str, at: str) -> float | None:
        run = runs.get((load, model, at))
        return run.value(figure) if run else None

    return [Pair(at, value(TLM, at), value(RTL, at)) for at in study.values()]


def number(value: float, unit: str) -> str:
    """Return a figure with its unit."""
    return f"{figure_text(value)} {unit}".rstrip()


def verdict(study: Study, rows: Mapping[str, Row]) -> str:
    """Return the answer in one sentence; `rows` are by the names of their figures."""
    rule = study.verdict
    if isinstance(rule, Enough):
        row = rows[rule.figure]
        said = [_enough(study, rule, row, model) for model in (TLM, RTL)]
        return f"{study.axis_name}: by the twin {said[0]}; by the RTL {said[1]}."
    said = [_cost(rule, rows[name]) for name in rule.figures]
    return f"{study.axis_name} from {rule.begin} to {rule.end}: {'; '.join(said)}."


def _enough(study: Study, verdict: Enough, row: Row, model: str) -> str:
    """Return from which value on the figure is good by one model, and what the one before has."""
    found = row.of(model)
    order = [value for value in (study.twin if model == TLM else study.rtl) if value in found]
    if not order:
        return "nothing is known"
    last = found[order[-1]]

    def good(value: str) -> bool:
        if verdict.at_most is not None:
            return found[value] <= verdict.at_most
        return abs(found[value] - last) <= verdict.within_pct / 100 * abs(last)

    at = len(order)
    while at and good(order[at - 1]):
        at -= 1
    unit, name = row.figure.unit, row.figure.name
    if at == len(order):
        return f"no value is enough ({name} {number(last, unit)} at {order[-1]})"
    text = f"{order[at]} is enough ({name} {number(found[order[at]], unit)}"
    return text + (f", at {order[at - 1]} {number(found[order[at - 1]], unit)})" if at else ")")


def _cost(verdict: Cost, row: Row) -> str:
    said: list[str] = []
    for model, who in ((TLM, "twin"), (RTL, "RTL")):
        found = row.of(model)
        begin, end = found.get(verdict.begin), found.get(verdict.end)
        if begin is None or end is None:
            said.append(f"{who} unknown")
            continue
        percent = f" ({100 * (end - begin) / begin:+.1f} %)" if begin else ""
        unit = row.figure.unit
        said.append(f"{who} {figure_text(begin)} to {number(end, unit)}{percent}")
    return f"{row.figure.name}: {', '.join(said)}"
