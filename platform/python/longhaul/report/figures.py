# SPDX-License-Identifier: Apache-2.0
"""Plots over time in Plotly's JSON form, and the bars of states."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longhaul.record.states import CORE_STATES
from longhaul.results import connection_series, measures, offload, offload_plots, profile
from longhaul.results.runview import RunView
from longhaul.results.series import Figure, Series

STATE_COLOURS = {
    "user": "#2f6fb2",
    "system": "#35a29f",
    "softirq": "#e3a32b",
    "hardirq": "#c8553d",
    "mmio_stall": "#7d5ba6",
    "data": "#2f6fb2",
    "overhead": "#e3a32b",
    "protocol": "#e3a32b",
    "read requests": "#d08a3e",
    "disconnects": "#c8553d",
    "retries": "#a0527f",
    "MMIO": "#7d5ba6",
    "aborts": "#1c2430",
    "arbitration": "#6b7785",
    "split latency": "#9fb4cc",
    "busy": "#35a29f",
    "receive": "#35a29f",
    "message": "#2f6fb2",
    "modulation": "#7d5ba6",
    "timer": "#1c2430",
    "separated": "#9fb4cc",
    "tx_fifo": "#c8553d",
    "replies": "#a0527f",
    "payload": "#e3a32b",
    "memory": "#6b7785",
    "idle": "#e4e7ec",
}
PALETTE = ["#2f6fb2", "#c8553d", "#35a29f", "#e3a32b", "#7d5ba6", "#6b7785", "#a0527f", "#5a8f3d"]


@dataclass(frozen=True)
class Segment:
    """One state's share of a bar."""

    label: str
    pct: float
    colour: str


@dataclass(frozen=True)
class Bar:
    """A bar of states that fills 100 %; waits among them are not busy."""

    title: str
    busy_pct: float
    segments: list[Segment]


# The uses of a bus's time (models/pcix/README.md); the last two are waits on an idle bus.
BUS_BAR = {
    "data": "pcix_dma_data_pct",
    "protocol": "pcix_protocol_pct",
    "read requests": "pcix_read_requests_pct",
    "disconnects": "pcix_disconnects_pct",
    "retries": "pcix_retries_pct",
    "MMIO": "pcix_mmio_pct",
    "aborts": "pcix_aborts_pct",
    "arbitration": "pcix_arbitration_pct",
    "split latency": "pcix_split_wait_pct",
}


def state_bars(host: dict[str, Any]) -> list[Bar]:
    """Return a host's bars: CPU, PCI-X, each memory node, each lane of an offload engine."""
    nodes = sorted(n for n in host if n.startswith("mem_node")) or ["mem_busy_pct"]
    groups = {
        "CPU": ("cpu_busy_pct", {s: f"cpu_{s}_pct" for s in CORE_STATES}),
        "PCI-X": ("pcix_busy_pct", BUS_BAR),
        **{f"Memory{_node(name)}": (name, {"busy": name}) for name in nodes},
        **{
            f"Offload engine, {lane} lane": (
                f"toe_{lane}_busy_pct",
                {part: f"toe_{lane}_{part}_pct" for part in (*offload.EVENTS, *offload.STALLS)},
            )
            for lane in offload.lanes(host)
        },
    }
    bars: list[Bar] = []
    for title, (busy, parts) in groups.items():
        segments = [
            Segment(label.replace("_", " "), float(host[name]), STATE_COLOURS[label])
            for label, name in parts.items()
            if isinstance(host.get(name), int | float)
        ]
        if segments:
            rest = max(0.0, 100.0 - sum(segment.pct for segment in segments))
            idle = Segment("idle", rest, STATE_COLOURS["idle"])
            bars.append(Bar(title, float(host[busy]), [*segments, idle]))
    return bars


def _node(name: str) -> str:
    found = re.fullmatch(r"mem_node(\d+)_busy_pct", name)
    return f", node {found[1]}" if found else ""


def plots(run: RunView) -> list[dict[str, Any]]:
    """Return the run's plots over time as Plotly figures; empty without a series."""
    parquet: Path = run.folder / "series.parquet"
    if not parquet.exists():
        return []
    window: dict[str, int] | None = run.manifest.get("window")
    series = Series(parquet, (window["begin_ps"], window["end_ps"]) if window else None)
    ends = (run.roles["sender"], run.roles["receiver"])
    figures = [series.figure(plot) for plot in measures.plots(*ends, run.adapters)]
    figures[2:2] = connection_series.figures(
        run.folder, run.measured.get("connections", []), series.window
    )
    ports = {role: f"{run.roles[role]}.{run.adapters[role]}" for role in ("sender", "receiver")}
    figures += [series.figure(plot) for plot in offload_plots.plots(ports)]
    figures.append(series.drops())
    return [_plotly(figure, window) for figure in figures if figure]


FLAME_COLOURS = {
    "[MMIO]": STATE_COLOURS["mmio_stall"],
    "[cold lines]": "#6b7785",
    "[copy, checksum, entry]": "#a0527f",
}


def flames(run: RunView) -> list[dict[str, Any]]:
    """Return each host's call paths as a Plotly icicle, with its role; empty without a profile."""
    drawn: list[dict[str, Any]] = []
    for role, machine in run.roles.items():
        paths = profile.read_paths(run.folder, machine)
        if not paths:
            continue
        parts = profile.tree(paths)
        states = [str(name).split("/")[0] for name in parts["ids"]]
        colours = [
            FLAME_COLOURS.get(str(label), STATE_COLOURS.get(state, "#d5dae1"))
            for label, state in zip(parts["labels"], states, strict=True)
        ]
        trace = {
            "type": "icicle",
            "branchvalues": "total",
            "tiling": {"orientation": "v", "flip": "y"},
            "pathbar": {"visible": False},
            "marker": {"colors": colours, "line": {"width": 0.5, "color": "#ffffff"}},
            "hovertemplate": "%{label}<br>%{value:,} thousand cycles, "
            "%{percentRoot:.1%}<extra></extra>",
            **parts,
        }
        drawn.append({"role": role, "data": [trace]})
    return drawn


def _plotly(figure: Figure, window: dict[str, int] | None) -> dict[str, Any]:
    traces: list[dict[str, Any]] = []
    for index, curve in enumerate(figure.curves):
        colour = STATE_COLOURS.get(curve.legend, PALETTE[index % len(PALETTE)])
        trace: dict[str, Any] = {
            "type": "scatter",
            "mode": "lines",
            "name": curve.legend.replace("_", " "),
            "x": [round(t, 6) for t in figure.seconds],
            "y": [float(f"{y:.6g}") for y in curve.y],
            "line": {"width": 0.5 if figure.stacked else 1.4, "color": colour},
        }
        if figure.stacked:
            trace |= {"stackgroup": "one", "fillcolor": colour}
        traces.append(trace)
    layout: dict[str, Any] = {
        "yaxis": {"title": {"text": figure.unit}, "rangemode": "tozero"},
        "xaxis": {"title": {"text": "simulated time, s"}},
    }
    if figure.unit == "%" and figure.stacked:
        layout["yaxis"]["range"] = [0, 100]
    if window:
        layout["shapes"] = [
            {
                "type": "rect",
                "xref": "x",
                "yref": "paper",
                "x0": window["begin_ps"] / 1e12,
                "x1": window["end_ps"] / 1e12,
                "y0": 0,
                "y1": 1,
                "layer": "below",
                "line": {"width": 0},
                "fillcolor": "rgba(47,111,178,0.07)",
            }
        ]
    return {"title": figure.title, "data": traces, "layout": layout}
