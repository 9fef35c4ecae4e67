# SPDX-License-Identifier: Apache-2.0
"""A sweep's page: its figures against every axis, all its points, and which failed and why."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from longhaul.reference import lookup
from longhaul.registry import ScenarioEntry
from longhaul.report import axes
from longhaul.report.page import environment, script_json, split_unit
from longhaul.sweep_points import Point, Status

HOSTS = ("sender.cpu_busy_pct", "receiver.cpu_busy_pct", "sender.pcix_busy_pct",
         "receiver.pcix_busy_pct", "receiver.irq_per_s")  # fmt: skip


def render_sweep(
    entry: ScenarioEntry,
    points: Sequence[Point],
    fixed: Sequence[str],
    seed: int,
    layout: int = 0,
) -> str:
    """Return the page of a sweep; `fixed` are the NAME=VALUE texts that hold for all points."""
    names = list(dict.fromkeys(text.partition("=")[0] for point in points for text in point.case))

    def text(point: Point, name: str) -> str:
        return point.text(entry, name)

    drawn = axes.sections(points, names, text)
    done = [point for point in points if point.status is Status.DONE]
    headline = [*dict.fromkeys(name for point in done for name in point.headline), *HOSTS]
    figures = [name for name in headline if any(_value(p, name) is not None for p in done)]
    published = {name for point in done for name in point.reference}
    plotly = resources.files("plotly") / "package_data" / "plotly.min.js"
    return (
        environment()
        .get_template("sweep.html.j2")
        .render(
            scenario=entry.name,
            question=entry.title,
            fixed=fixed,
            seed=seed,
            layout=layout,
            names=names,
            columns=[(*split_unit(name), name in published) for name in figures],
            counts={str(status): sum(p.status is status for p in points) for status in Status},
            failed=[point for point in points if point.status is Status.FAILED],
            rows=[_row(point, names, figures, published, text) for point in points],
            sections=drawn,
            plotly=Markup(plotly.read_text(encoding="utf-8")) if drawn else "",
            plots=Markup(script_json([section.plots for section in drawn])),
        )
    )


def _value(point: Point, name: str) -> Any:
    return point.measured[name] if name in point.measured else lookup(point.measured, name)


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
                _value(point, name),
                split_unit(name)[1],
                name in published,
                point.reference.get(name),
                point.error_pct.get(name),
            )
            for name in figures
        ],
        "status": str(point.status),
        "verdict": point.verdict,
        "link": f"{quote(point.name)}/report.html" if point.result else "",
    }
