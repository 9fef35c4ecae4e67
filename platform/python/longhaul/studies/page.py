# SPDX-License-Identifier: Apache-2.0
"""The page of a study: question, verdict, the twin's curve with the RTL's points, and a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from longhaul.outdir import write_text
from longhaul.report import templates
from longhaul.report.figures import PALETTE
from longhaul.report.page import script_json, template
from longhaul.results.words import figure_text
from longhaul.studies.definition import Named
from longhaul.studies.outcome import Outcome, Pair, Row
from longhaul.studies.runs import Part
from longhaul.sweeps.scales import scale
from longhaul.types.rtl_models import RTL, TLM

PAGE = "report.html"
LOG_FROM = 8  # largest over smallest value: doubled sizes stand evenly on a logarithmic axis


def write(out: Path, named: Named, outcome: Outcome, parts: Sequence[Part], command: str) -> Path:
    """Write the page into the study's folder and return its place."""
    study = named.study
    text = template("study.html.j2").render(
        name=named.name,
        study=study,
        outcome=outcome,
        command=command,
        tables=[_table(row, study.alike_pct) for row in outcome.rows],
        links=[
            (f"{part.load.name}, {part.model}", f"{part.load.name}/{part.model}/report.html")
            for part in parts
        ],
        plots=Markup(script_json([_plot(row, study.axis_name) for row in outcome.rows])),
        plotly=Markup(templates.plotly().read_text(encoding="utf-8")),
    )
    write_text(out / PAGE, text)
    return out / PAGE


def difference_text(pair: Pair, unit: str) -> str:
    """Return how far the RTL is from the twin: in percent, or as it is where the twin has 0."""
    if pair.difference_pct is not None:
        return f"{pair.difference_pct:+.1f} %"
    if pair.twin is None or pair.rtl is None:
        return ""
    difference = pair.rtl - pair.twin
    return f"+{figure_text(difference)} {unit}".rstrip() if difference else "0"


def lines(outcome: Outcome) -> Iterator[str]:
    """Yield a line for each figure at each value of the axis, with both models."""
    for row in outcome.rows:
        unit = row.figure.unit
        for pair in row.pairs:
            both = (("twin", pair.twin), ("RTL", pair.rtl))
            said = ", ".join(f"{who} {figure_text(v)}" for who, v in both if v is not None)
            difference = difference_text(pair, unit)
            text = f"{row.figure.name} at {pair.value}: {said} {unit}".rstrip()
            yield f"{text} ({difference})" if difference else text


def _table(row: Row, alike_pct: float) -> dict[str, Any]:
    unit = row.figure.unit
    far = row.far(alike_pct)
    why = row.figure.reason or "no reason is stated"
    return {
        "title": f"{row.figure.name}, {unit}" if unit else row.figure.name,
        "rows": [
            (pair.value, _shown(pair.twin), _shown(pair.rtl), difference_text(pair, unit))
            for pair in row.pairs
        ],
        "far": f"RTL and twin differ by more than {alike_pct:g} % at {', '.join(far)}: {why}"
        if far
        else "",
    }


def _shown(value: float | None) -> str:
    return "" if value is None else figure_text(value)


def _plot(row: Row, axis_name: str) -> dict[str, Any]:
    """Return Plotly's figure: a line for the twin, open marks for the RTL."""
    texts = [pair.value for pair in row.pairs]
    numeric = scale(texts)
    order = sorted(texts, key=lambda text: numeric.of[text]) if numeric else texts

    def trace(model: str, name: str, **look: Any) -> dict[str, Any]:
        found = row.of(model)
        there = [text for text in order if text in found]
        places = [numeric.of[text] for text in there] if numeric else there
        return {"type": "scatter", "name": name, "x": places, "y": [found[t] for t in there]} | look

    axis: dict[str, Any] = {"title": {"text": axis_name}}
    if numeric:
        unit = f", {numeric.unit}" if numeric.unit else ""
        axis = {"title": {"text": axis_name + unit}}
        axis |= {
            "tickvals": [numeric.of[text] for text in order],
            "ticktext": [f"{numeric.of[text]:.6g}" for text in order],
        }
        places = numeric.of.values()
        if min(places) > 0 and max(places) >= LOG_FROM * min(places):
            axis["type"] = "log"
    else:
        axis |= {"type": "category", "categoryarray": order}
    marker = {"symbol": "diamond-open", "size": 13, "color": PALETTE[1], "line": {"width": 2.5}}
    return {
        "data": [
            trace(TLM, "twin (TLM)", mode="lines+markers", line={"color": PALETTE[0]}),
            trace(RTL, "RTL", mode="markers", marker=marker),
        ],
        "layout": {
            "xaxis": axis,
            "yaxis": {"title": {"text": row.figure.unit}, "rangemode": "tozero"},
            "hovermode": "closest",
        },
    }
