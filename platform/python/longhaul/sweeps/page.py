# SPDX-License-Identifier: Apache-2.0
"""A sweep's page: its figures against every axis, all its points, and which failed and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from longhaul.published.reasons import LIMIT_PCT
from longhaul.registry import ScenarioEntry
from longhaul.report import templates
from longhaul.report.page import script_json, template
from longhaul.results.steadiness import warning
from longhaul.results.words import split_unit
from longhaul.sweeps import axis_plots as axes
from longhaul.sweeps import ranking
from longhaul.sweeps.facets import values_text
from longhaul.sweeps.plan import Run
from longhaul.sweeps.points import Point, Status
from longhaul.sweeps.points_table import far_reasons
from longhaul.sweeps.spread import WITHIN, WITHIN_MEANS, confidence_line, point_text, spread_text

HOSTS = ("sender.cpu_busy_pct", "receiver.cpu_busy_pct", "sender.pcix_busy_pct",
         "receiver.pcix_busy_pct", "receiver.irq_per_s")  # fmt: skip


def render_sweep(
    entry: ScenarioEntry,
    points: Sequence[Point],
    fixed: Sequence[str],
    seed: int,
    layout: int = 0,
    repetitions: Sequence[tuple[Run, Point]] = (),
    ranked: ranking.Ranking | None = None,
) -> str:
    """Return the page of a sweep; `fixed` are the NAME=VALUE texts that hold for all points.

    `repetitions` are the runs behind the points, if those are of several; `ranked` is what each
    point brings against the baseline, if one was named.
    """
    names = list(dict.fromkeys(text.partition("=")[0] for point in points for text in point.case))

    def text(point: Point, name: str) -> str:
        return point.text(entry, name)

    drawn = axes.sections(points, names, text) if names else _by_layout(repetitions)
    done = [point for point in points if point.result]
    repeats = [point.repeat for point in done if point.repeat]
    headline = [*dict.fromkeys(name for point in done for name in point.headline), *HOSTS]
    figures = [name for name in headline if any(p.figure(name) is not None for p in done)]
    published = {name for point in done for name in point.reference}
    return template("sweep.html.j2").render(
        scenario=entry.name,
        question=entry.title,
        fixed=fixed,
        seed=seed,
        layout=layout,
        names=names,
        columns=[(*split_unit(name), name in published) for name in figures],
        counts={str(status): sum(p.status is status for p in points) for status in Status},
        failed=_failed(points, repetitions),
        unsteady=_unsteady(points, entry.name),
        far=far_reasons(points),
        far_pct=LIMIT_PCT,
        confidence=confidence_line(repeats) if repeats else "",
        within_means=WITHIN_MEANS if any(each["published"] for each in repeats) else "",
        spreads=[_spreads(point, names, text) for point in done if point.repeat],
        **_ranked(ranked),
        runs=[_run(run, point, names, figures, text) for run, point in repetitions],
        rows=[_row(point, names, figures, published, text) for point in points],
        sections=drawn,
        plotly=Markup(templates.plotly().read_text(encoding="utf-8")) if drawn else "",
        plots=Markup(script_json([section.plots for section in drawn])),
    )


def _ranked(ranked: ranking.Ranking | None) -> dict[str, Any]:
    """Return what the template needs for the table of changes."""
    if ranked is None:
        return {"ranked": None}
    words, unit = split_unit(ranked.figure)
    percents = [abs(c.percent) for c in (*ranked.alone, *ranked.together) if c.percent]
    return {
        "ranked": ranked,
        "ranking": ranking,
        "point_text": point_text,
        "ranked_words": words,
        "ranked_unit": unit,
        "ranked_most": max(percents, default=1.0),
    }


def _by_layout(repetitions: Sequence[tuple[Run, Point]]) -> list[axes.Section]:
    """Return plots of each run's figures, for one point of several runs."""
    layouts = {id(point): str(run.repetition.layout) for run, point in repetitions}
    runs = [point for _, point in repetitions]
    return axes.sections(runs, ["layout"], lambda point, _: layouts[id(point)])


def _unsteady(points: Sequence[Point], scenario: str) -> list[dict[str, str]]:
    """Return the points whose window is not of the steady rate, each with its warning."""
    said = ((", ".join(p.case) or scenario, warning(p.steady, scenario)) for p in points)
    return [{"name": name, "why": why} for name, why in said if why]


def _failed(
    points: Sequence[Point], repetitions: Sequence[tuple[Run, Point]]
) -> list[dict[str, str]]:
    """Return the runs that failed, and why."""
    each = [(run.name, point) for run, point in repetitions] or [(p.name, p) for p in points]
    return [
        {"name": name, "why": point.why} for name, point in each if point.status is Status.FAILED
    ]


def _spreads(point: Point, names: Sequence[str], text: axes.Text) -> dict[str, Any]:
    """Return what several runs of a point make of its figures, and which verdicts they have."""
    assert point.repeat is not None
    return {
        "case": values_text(point, names, text),
        "verdicts": point.repeat["bottleneck"],
        "number": point.repeat["number"],
        "figures": [
            (*split_unit(name), spread_text(figure, split_unit(name)[1]), figure)
            for name, figure in point.repeat["figures"].items()
            if not name.startswith("guest.")
        ],
    }


def _run(
    run: Run, point: Point, names: Sequence[str], figures: Sequence[str], text: axes.Text
) -> dict[str, Any]:
    """Return the row of a repetition."""
    return {
        "values": [text(point, name) for name in names],
        "seed": run.repetition.seed,
        "layout": run.repetition.layout,
        "figures": [(point.figure(name), split_unit(name)[1]) for name in figures],
        "status": str(point.status),
        "verdict": point.verdict,
        "link": f"{quote(run.name)}/report.html" if point.result else "",
    }


def _row(
    point: Point,
    names: Sequence[str],
    figures: Sequence[str],
    published: set[str],
    text: axes.Text,
) -> dict[str, Any]:
    return {
        "values": [text(point, name) for name in names],
        "figures": [
            (
                point_text(point, name),
                split_unit(name)[1],
                name in published,
                point.reference.get(name),
                point.error_pct.get(name),
                WITHIN.get(point.within(name), ""),
            )
            for name in figures
        ],
        "status": str(point.status),
        "verdict": point.verdict,
        "link": f"{quote(point.name)}/report.html" if point.result and not point.repeat else "",
    }
