# SPDX-License-Identifier: Apache-2.0
"""One page for every published figure: paper, model, error, plot, verdict, and what was fitted."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from longhaul.outdir import is_whole
from longhaul.papers.reproductions import GOAL_PCT, Compared, Reproduction, Summary
from longhaul.published.reasons import LIMIT_PCT, grouped
from longhaul.report import figures, templates
from longhaul.report.page import script_json, template
from longhaul.results.runview import RunView
from longhaul.results.words import figure_text, split_unit
from longhaul.sweeps import axis_plots as axes
from longhaul.sweeps.spread import WITHIN, WITHIN_MEANS, confidence_line, spread_text

Plots = list[dict[str, Any]]


def render_papers(all_of: Sequence[Reproduction], folder: Path, *, quick: bool) -> str:
    """Return the page that is to stand in `folder`; links lead to the runs from there."""
    papers = list(dict.fromkeys(one.paper for one in all_of))
    drawn: list[Plots] = []
    parts = [
        (paper, [_scenario(one, folder, drawn) for one in all_of if one.paper == paper])
        for paper in papers
    ]
    whole = Summary.of(all_of)
    repeats = [point.repeat for one in all_of for point in one.points if point.repeat]
    return template("papers.html.j2").render(
        quick=quick,
        confidence=confidence_line(repeats) if repeats else "",
        within_means=WITHIN_MEANS,
        goal=GOAL_PCT,
        limit=LIMIT_PCT,
        summary=whole,
        by_paper=[(paper, _of(all_of, paper)) for paper in papers],
        far=[_figure(each, one, folder) for one in all_of for each in one.figures if each.is_far],
        fitted=_fitted(all_of),
        parts=parts,
        plotly=Markup(templates.plotly().read_text(encoding="utf-8")) if any(drawn) else "",
        plots=Markup(script_json(drawn)),
    )


def _of(all_of: Sequence[Reproduction], paper: str) -> Summary:
    return Summary.of(one for one in all_of if one.paper == paper)


def _fitted(all_of: Sequence[Reproduction]) -> list[dict[str, Any]]:
    """Return every fitted parameter once, with the scenarios that it was used in."""
    users: dict[Any, list[str]] = {}
    for one in all_of:
        for each in one.fitted:
            users.setdefault(each, []).append(one.entry.name)
    return [
        {"name": each.name, "value": each.value, "source": each.source, "used": names}
        for each, names in sorted(users.items(), key=lambda item: (item[0].name, item[0].value))
    ]


def _scenario(one: Reproduction, folder: Path, drawn: list[Plots]) -> dict[str, Any]:
    """Return a scenario's part of the page; its plots go to `drawn`."""
    sections = _sections(one)
    first = len(drawn)
    drawn += [plots for _, plots in sections]
    return {
        "name": one.entry.name,
        "title": one.entry.title,
        "reproduces": one.entry.reproduces,
        "failed": one.failed,
        "fixed": one.plan.fixed,
        "figures": [_figure(each, one, folder) for each in one.figures],
        "missing": [point for point in one.points if point.result is None],
        "sections": [
            {"index": first + i, "section": section, "titles": [plot["title"] for plot in plots]}
            for i, (section, plots) in enumerate(sections)
        ],
        "page": _link(one.plan.out / "report.html", folder),
    }


def _sections(one: Reproduction) -> list[tuple[axes.Section | None, Plots]]:
    """Return plots of what was published, over the paper's axes; one run is drawn over time, too.

    Where the reference data name no axes, they are against each axis, or over time.
    """
    points, references = one.points, one.entry.references
    section = axes.of_paper(points, one.entry, references.figures) if references.axes.x else None
    drawn = (
        [section]
        if section
        else axes.sections(
            points,
            one.plan.axes(),
            lambda point, name: point.text(one.entry, name),
            references.figures,
        )
    )
    if drawn and len(points) > 1:
        return [(each, each.plots) for each in drawn]
    done = [point for point in points if point.result]
    shown = [run for run in one.plan.runs() if done and run.case == done[0].case]
    whole = [one.plan.out / run.name for run in shown if is_whole(one.plan.out / run.name)]
    over_time: list[tuple[axes.Section | None, Plots]] = [
        (None, figures.plots(RunView.load(folder))) for folder in whole[:1]
    ]
    return [*((each, each.plots) for each in drawn), *over_time]


def _figure(each: Compared, one: Reproduction, folder: Path) -> dict[str, Any]:
    words, unit = split_unit(each.name)
    repeated = each.point.repeat is not None
    run = one.plan.out if repeated else one.plan.folder(each.point.case)
    return {
        "scenario": one.entry.name,
        "paper": one.paper,
        "case": " ".join(each.point.case),
        "words": words,
        "unit": unit,
        "published": each.published,
        "expected": each.expected if each.name in one.entry.references.relative else None,
        "is_base": each.expected is None,
        "model": _model(each),
        "error": each.error_pct,
        "within": WITHIN.get(each.within, ""),
        "is_far": each.is_far,
        "verdict": each.point.verdict,
        "source": each.source,
        "note": each.note,
        "reason": each.reason,
        "fitted": each.fitted,
        "link": _link(run / "report.html", folder) if each.point.result else "",
        "link_text": "runs" if repeated else "run",
    }


def _model(each: Compared) -> str:
    unit = split_unit(each.name)[1]
    return spread_text(each.spread, unit) if each.spread else figure_text(each.model, unit)


def as_markdown(all_of: Sequence[Reproduction]) -> str:
    """Return a table of every comparison, what ± means, and why figures are far off."""
    repeats = [point.repeat for one in all_of for point in one.points if point.repeat]
    lines = [
        "| figure | | paper | model | error, % | within | limited by |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for one in all_of:
        for each in one.figures:
            words, unit = split_unit(each.name)
            error = "–" if each.error_pct is None else f"{each.error_pct:+.1f}"
            published = figure_text(each.published, unit)
            cells = (each.source, f"{words}, {unit}" if unit else words, published, _model(each))
            cells += (error, WITHIN.get(each.within, ""), each.point.verdict)
            lines.append("| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |")
    notes = [confidence_line(repeats), f"Within: {WITHIN_MEANS}."] if repeats else []
    notes += [""] * bool(notes) + _far_lines(all_of)
    return "\n".join([*lines, "", *notes]).rstrip() + "\n"


def _far_lines(all_of: Sequence[Reproduction]) -> list[str]:
    """Return why figures are beyond the limit, one reason a line with all that it is of."""
    far = (each for one in all_of for each in one.figures if each.is_far)
    why = grouped((f"{each.source} ({split_unit(each.name)[0]})", each.reason) for each in far)
    lines = [f"- {'; '.join(places)}: {reason}" for reason, places in why.items()]
    return [f"Beyond {LIMIT_PCT:.0f} %, and why:", "", *lines] if lines else []


def _link(path: Path, folder: Path) -> str:
    return quote(os.path.relpath(path, folder))
