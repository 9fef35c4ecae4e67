# SPDX-License-Identifier: Apache-2.0
"""The outcome of a study of several ways: their figures along each axis, and where each pays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from longhaul.studies.figures import RunFigures
from longhaul.studies.paying import Paying, gain, paying, statement
from longhaul.studies.ways import Axis, Pair, WayFigure, WayStudy
from longhaul.studies.ways_runs import WayPart
from longhaul.sweeps.intervals import Sample
from longhaul.sweeps.points import Status, status


@dataclass(frozen=True)
class Curves:
    """A figure of all ways along an axis, by way and value, and what the pairs come to."""

    figure: WayFigure
    axis: Axis
    values: Sequence[str]
    samples: Mapping[tuple[str, str], Sample]
    pays: Mapping[Pair, Paying]  # empty for a figure that is not judged

    def said(self, pair: Pair) -> str:
        """Return in words where a pair's way pays."""
        return statement(self.pays[pair], self.axis.unit)


@dataclass(frozen=True)
class WayOutcome:
    """All curves, axis by axis, and the runs that are missing or failed."""

    curves: Sequence[Curves]
    missing: Sequence[str]

    def along(self, axis: Axis) -> list[Curves]:
        """Return the curves of one axis."""
        return [each for each in self.curves if each.axis.name == axis.name]


def of(study: WayStudy, parts: Sequence[WayPart]) -> WayOutcome:
    """Read what the runs of a study have left."""
    missing: list[str] = []
    curves: list[Curves] = []
    for axis in study.axes:
        of_axis = [part for part in parts if part.axis.name == axis.name]
        runs = {part.load.name: _runs(part, missing) for part in of_axis}
        for figure in study.figures:
            part = next(each for each in of_axis if each.load.name == study.load_of(figure))
            samples = {
                place: sample
                for place, found in runs[part.load.name].items()
                if (sample := Sample.of([run.value(figure) for run in found]))
            }
            curves.append(curves_of(study, figure, axis, part.values, samples))
    return WayOutcome(curves, missing)


def curves_of(
    study: WayStudy,
    figure: WayFigure,
    axis: Axis,
    values: Sequence[str],
    samples: Mapping[tuple[str, str], Sample],
) -> Curves:
    """Compare the pairs in one figure along one axis."""
    pays: dict[Pair, Paying] = {}
    for pair in study.pairs if figure.better else ():
        gains = [
            found
            for value in values
            if (pair.way, value) in samples
            and (pair.against, value) in samples
            and (
                found := gain(
                    value,
                    samples[pair.way, value],
                    samples[pair.against, value],
                    figure.better,
                )
            )
        ]
        pays[pair] = paying(gains, study.pays_pct)
    return Curves(figure, axis, values, samples, pays)


def _runs(part: WayPart, missing: list[str]) -> dict[tuple[str, str], list[RunFigures]]:
    """Return the runs that are done, by way and value; note the others."""
    runs: dict[tuple[str, str], list[RunFigures]] = {}
    for way, value in part.cases:
        for folder in part.folders(way, value):
            found, why = status(folder)
            if found is Status.DONE:
                runs.setdefault((way, value), []).append(RunFigures(folder))
            else:
                missing.append(f"{folder}: {why or found}")
    return runs
