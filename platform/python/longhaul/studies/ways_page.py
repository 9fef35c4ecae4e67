# SPDX-License-Identifier: Apache-2.0
"""A study of several ways on a page and on a terminal: where each pays, curves and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup
from rich.table import Table

from longhaul.outdir import write_text
from longhaul.report import templates
from longhaul.report.figures import PALETTE
from longhaul.report.page import script_json, template
from longhaul.results.words import figure_text
from longhaul.studies.page import PAGE
from longhaul.studies.paying import is_spread
from longhaul.studies.ways import Axis, Named, Pair, WayStudy
from longhaul.studies.ways_outcome import Curves, WayOutcome
from longhaul.studies.ways_runs import WayPart
from longhaul.sweeps.intervals import Sample
from longhaul.sweeps.scales import scale

_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "star")


def write(
    out: Path, named: Named, outcome: WayOutcome, parts: Sequence[WayPart], command: str
) -> Path:
    """Write the page into the study's folder and return its place."""
    study = named.study
    text = template("ways.html.j2").render(
        name=named.name,
        study=study,
        missing=outcome.missing,
        command=command,
        axes=[_axis(study, outcome, axis) for axis in study.axes],
        links=[
            (f"{part.load.name}, {part.axis.name}", f"{part.load.name}/{part.axis.name}/{PAGE}")
            for part in parts
        ],
        plots=Markup(script_json([_plot(study, each) for each in outcome.curves])),
        plotly=Markup(templates.plotly().read_text(encoding="utf-8")),
    )
    write_text(out / PAGE, text)
    return out / PAGE


def tables(study: WayStudy, outcome: WayOutcome) -> Iterator[Table]:
    """Yield a table for each axis: a line for each figure at each value, a column for each way."""
    for axis in study.axes:
        table = Table(box=None, pad_edge=False, title=f"Against {axis.title}", title_justify="left")
        table.add_column("figure")
        table.add_column(axis.name)
        for way in study.ways:
            table.add_column(way.name, justify="right")
        for curves in outcome.along(axis):
            for value in curves.values:
                cells = [_shown(curves.samples.get((way.name, value))) for way in study.ways]
                table.add_row(_title(curves), value, *cells)
        yield table


def statements(study: WayStudy, outcome: WayOutcome) -> Iterator[str]:
    """Yield where each pair's way pays, a line for each figure along each axis."""
    for pair in study.pairs:
        for curves in outcome.curves:
            if pair in curves.pays:
                about = f"{pair_text(pair)}, {curves.figure.name} against {curves.axis.title}"
                yield f"{about}: {curves.said(pair)}"


def pair_text(pair: Pair) -> str:
    """Return a pair in words."""
    return f"{pair.way} over {pair.against}"


def _title(curves: Curves) -> str:
    unit = curves.figure.unit
    return f"{curves.figure.name}, {unit}" if unit else curves.figure.name


def _shown(sample: Sample | None) -> str:
    if sample is None:
        return "–"
    half = sample.half_width()
    text = figure_text(sample.mean)
    return f"{text} ± {figure_text(half)}" if half else text


def _axis(study: WayStudy, outcome: WayOutcome, axis: Axis) -> dict[str, Any]:
    """Return what the page shows of an axis; a figure's plot is known by its place."""
    along = outcome.along(axis)
    places = {id(curves): i for i, curves in enumerate(outcome.curves)}
    return {
        "title": axis.title,
        "over": axis.over,
        "sets": axis.sets,
        "said": [
            (curves.figure.name, [_verdict(curves, pair) for pair in study.pairs])
            for curves in along
            if curves.pays
        ],
        "figures": [
            {
                "title": _title(curves),
                "plot": places[id(curves)],
                "rows": [
                    (value, [_shown(curves.samples.get((w.name, value))) for w in study.ways])
                    for value in curves.values
                ],
            }
            for curves in along
        ],
    }


def _verdict(curves: Curves, pair: Pair) -> tuple[str, str]:
    """Return a pair's statement, and how the page marks it."""
    found = curves.pays[pair]
    if not found.gains:
        return curves.said(pair), ""
    mark = "pays" if found.everywhere else "not" if found.nowhere else "part"
    return curves.said(pair), mark


def _plot(study: WayStudy, curves: Curves) -> dict[str, Any]:
    """Return Plotly's figure: a line for each way; zero stands beside a logarithmic axis."""
    numeric = scale(curves.values)
    order = sorted(curves.values, key=lambda v: numeric.of[v]) if numeric else list(curves.values)
    places: dict[str, Any] = dict(numeric.of) if numeric else {value: value for value in order}
    title = curves.axis.title
    unit = (numeric.unit if numeric else "") or curves.axis.unit
    axis: dict[str, Any] = {"title": {"text": f"{title}, {unit}" if unit else title}}
    if numeric:
        if is_spread(numeric):
            least = min(value for value in numeric.of.values() if value > 0)
            places = {text: value or least / 10 for text, value in numeric.of.items()}
            axis["type"] = "log"
        ticks = [f"{numeric.of[text]:.6g}" for text in order]
        axis |= {"tickvals": [places[text] for text in order], "ticktext": ticks}
    else:
        axis |= {"type": "category", "categoryarray": order}
    data: list[dict[str, Any]] = []
    for i, way in enumerate(study.ways):
        there = [value for value in order if (way.name, value) in curves.samples]
        samples = [curves.samples[way.name, value] for value in there]
        halves = [sample.half_width() or 0.0 for sample in samples]
        colour = PALETTE[i % len(PALETTE)]
        trace: dict[str, Any] = {
            "type": "scatter",
            "mode": "lines+markers",
            "name": way.name,
            "x": [places[value] for value in there],
            "y": [sample.mean for sample in samples],
            "line": {"color": colour},
            "marker": {"symbol": _SYMBOLS[i % len(_SYMBOLS)], "size": 8, "color": colour},
        }
        if any(halves):
            trace["error_y"] = {"type": "data", "array": halves, "thickness": 1}
        data.append(trace)
    return {
        "data": data,
        "layout": {
            "xaxis": axis,
            "yaxis": {"title": {"text": curves.figure.unit}, "rangemode": "tozero"},
            "hovermode": "closest",
        },
    }
