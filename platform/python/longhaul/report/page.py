# SPDX-License-Identifier: Apache-2.0
"""Fills the page's template from finished runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from longhaul.outdir import write_bytes
from longhaul.published import reasons
from longhaul.published.reference import lookup
from longhaul.report import figures, templates
from longhaul.results import adapter_models, profile, rtl_rules, unclaimed, uncounted
from longhaul.results.runview import RunView, flatten
from longhaul.results.steadiness import warning
from longhaul.results.words import figure_text, run_words, split_unit

WINDOW_SPEED = "wall per simulated second of the window"
MOST_FUNCTIONS = 60
PLOTLY_PLACE = "\0plotly\0"  # no text of a run has a NUL: Plotly's 5 MB are not moved as text


def write_report(folder: Path, results: dict[str, Any]) -> None:
    """Write report.html into the folder of a run whose results.json is not written yet."""
    manifest = json.loads((folder / "manifest.json").read_text())
    run = RunView(folder, results, manifest)
    before, place, after = _filled([run], title=results["scenario"]).partition(PLOTLY_PLACE)
    plotly = templates.plotly().read_bytes() if place else b""
    write_bytes(folder / "report.html", before.encode(), plotly, after.encode())


def render(runs: Sequence[RunView], *, title: str = "") -> str:
    """Return one page for all runs, with an overview when there are several."""
    before, place, after = _filled(runs, title=title).partition(PLOTLY_PLACE)
    plotly = templates.plotly().read_text(encoding="utf-8") if place else ""
    return f"{before}{plotly}{after}"


def _filled(runs: Sequence[RunView], *, title: str) -> str:
    """Return the page with PLOTLY_PLACE, if it has plots, where Plotly's program comes."""
    plots = [figures.plots(run) for run in runs]
    flames = [figures.flames(run) for run in runs]
    return template("template.html.j2").render(
        title=title or f"{len(runs)} runs",
        runs=[
            _view(run, plots[index], index) | {"profiles": _profiles(run, flames[index])}
            for index, run in enumerate(runs)
        ],
        plotly=Markup(PLOTLY_PLACE) if any(plots) or any(flames) else "",
        plots=Markup(script_json(plots)),
        flames=Markup(script_json(flames)),
    )


def template(name: str) -> jinja2.Template:
    """Return a page's template; its numbers are written as all pages write them."""
    return templates.environment(figure=figure_text).get_template(name)


def connection_rows(measured: dict[str, Any]) -> list[tuple[str, str, str, str, str]]:
    """Return each connection's direction, ends, goodput (Gb/s), retransmits and round trip (ms)."""
    return [
        (
            each["direction"],
            f"{each['protocol'].upper()} {each['from']} > {each['to']}",
            "<0.001" if 0 < each["goodput_gbps"] < 0.001 else figure_text(each["goodput_gbps"]),
            figure_text(each["retransmits"]),
            figure_text(each["rtt_ms"]),
        )
        for each in measured.get("connections", [])
    ]


def _view(run: RunView, drawn: list[dict[str, Any]], index: int) -> dict[str, Any]:
    measured = run.measured
    own: set[str] = set(run.case["own"]) if run.own_heading else set()
    headline = [
        (*run_words(run, name), measured.get(name)) for name in run.headline if name not in own
    ]
    headline.append((WINDOW_SPEED, "s/s", run.window_speed))
    hosts = [role for role in ("sender", "receiver") if role in measured]
    by_host = [dict(flatten(measured[role])) for role in hosts]
    names = list(dict.fromkeys(name for each in by_host for name in each))
    far = reasons.of_case(run.case)
    return {
        "index": index,
        "name": run.name,
        "results": run.results,
        "case": run.case,
        "manifest": run.manifest,
        "headline": headline,
        "own_heading": run.own_heading,
        "own": [(*split_unit(name), measured.get(name)) for name in run.headline if name in own],
        "bottleneck": run.case["bottleneck"],
        "other_verdicts": run.other_verdicts,
        "connections": connection_rows(measured),
        "connections_not_listed": measured.get("connections_not_listed", 0),
        "window_s": measured.get("window_s"),
        "start_up": warning(run.case.get("steady"), run.results["scenario"]),
        "uncounted": run.manifest.get("uncounted_programs"),
        "uncounted_matters": uncounted.warning(run.manifest.get("uncounted_programs")),
        "console": run.console,
        "adapter_models": run.results.get(adapter_models.KEY, {}),
        "model_notes": adapter_models.notes(run.results),
        "violations": rtl_rules.rows(run.case),
        "unclaimed": unclaimed.of_case(run.case),
        "hosts": [(role, figures.state_bars(measured[role])) for role in hosts],
        "figures": [(*split_unit(name), [each.get(name) for each in by_host]) for name in names],
        "references": [
            (
                *split_unit(name),
                lookup(measured, name),
                value,
                run.case["error_pct"].get(name),
                far.get(name, ""),
            )
            for name, value in run.case["reference"].items()
        ],
        "reference_source": run.case.get("reference_source", ""),
        "guests": measured.get("guest", {}),
        "plots": [plot["title"] for plot in drawn],
        "captures": sorted(path.name for path in run.folder.glob("*.pcapng")),
        "has_timeline": (run.folder / "timeline.pftrace").exists(),
        "has_series": (run.folder / "series.parquet").exists(),
    }


def _profiles(run: RunView, drawn: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return, by role, the dearest functions with their shares of the busy cycles."""
    views: list[dict[str, Any]] = []
    for role, machine in run.roles.items():
        functions = profile.read_functions(run.folder, machine)
        whole = sum(f.cycles for f in functions)
        if not whole:
            continue
        rows = [
            (f.function, *(100 * n / whole for n in (f.cycles, *f.costs)))
            for f in functions[:MOST_FUNCTIONS]
        ]
        flame = next((i for i, figure in enumerate(drawn) if figure["role"] == role), None)
        views.append({"role": role, "rows": rows, "functions": len(functions), "flame": flame})
    return views


def script_json(value: Any) -> str:
    """Return JSON that cannot end the script element it stands in."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")
