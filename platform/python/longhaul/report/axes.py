# SPDX-License-Identifier: Apache-2.0
"""A sweep's figures against each of its axes, as Plotly figures: lines over numbers, else bars."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from longhaul.reference import lookup
from longhaul.report.figures import PALETTE
from longhaul.report.page import split_unit
from longhaul.sweep_points import Point
from longhaul.units import Frequency, Quantity, Rate, Size, Time, UnitError, parse_share

LOG_FROM = 30  # values over 0 whose largest is so many times the smallest: a logarithmic axis
_PLAIN = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

Text = Callable[[Point, str], str]  # a point's value of an axis


@dataclass(frozen=True)
class Panel:
    """One plot: a figure of each host, or one of the run."""

    title: str
    figures: Mapping[str, str]  # names in `measured` by what the legend calls them

    @property
    def unit(self) -> str:
        """The figures' unit."""
        return split_unit(next(iter(self.figures.values())))[1]


def _of_both(figure: str) -> dict[str, str]:
    return {"sender": f"sender.{figure}", "receiver": f"receiver.{figure}"}


PANELS = (
    Panel("Goodput", {"": "goodput_gbps"}),
    Panel("CPU busy", _of_both("cpu_busy_pct")),
    Panel("PCI-X bus busy", _of_both("pcix_busy_pct")),
    Panel("Interrupts of the adapter", _of_both("irq_per_s")),
    Panel(
        "Adapter's engine busy",
        {"sender, transmit": "sender.adapter_tx_busy_pct",
         "receiver, receive": "receiver.adapter_rx_busy_pct"},
    ),
    Panel("TCP retransmits", {"": "retransmits"}),
)  # fmt: skip
ROUND_TRIP = Panel("Round-trip time", {"": "rtt_ms"})


@dataclass(frozen=True)
class Scale:
    """An axis's values as numbers of one unit."""

    unit: str
    of: Mapping[str, float]

    @property
    def is_logarithmic(self) -> bool:
        """Tell whether the values lie too far apart for a linear axis."""
        values = self.of.values()
        return min(values) > 0 and max(values) >= LOG_FROM * min(values)


def scale(texts: Sequence[str]) -> Scale | None:
    """Return the values as numbers; None if they are none, or not of one kind."""
    if all(_PLAIN.fullmatch(text) for text in texts):
        return Scale("", {text: float(text) for text in texts})
    try:
        return Scale("%", {text: 100 * parse_share(text) for text in texts})
    except UnitError:
        pass
    for kind in (Time, Size, Rate, Frequency):
        try:
            read = {text: kind.parse(text) for text in texts}
        except UnitError:
            continue
        return _in_one_unit(kind, read)
    return None


def _in_one_unit(kind: type[Quantity], read: Mapping[str, Quantity]) -> Scale:
    """Choose the largest unit in which the smallest value but zero is not below 1."""
    least = min((value.count for value in read.values() if value.count), default=1)
    fitting = {
        suffix: factor
        for suffix, factor in kind.SUFFIXES.items()
        if factor <= least and suffix not in kind.READ_ONLY
    }
    binary = all(v.count % 1024 == 0 for v in read.values()) if kind is Size else False
    usual = {s: f for s, f in fitting.items() if ("i" in s) == binary} or fitting
    unit = max(usual, key=lambda suffix: usual[suffix], default=kind.BASE)
    factor = kind.SUFFIXES[unit]
    return Scale(unit, {text: value.count / factor for text, value in read.items()})


@dataclass(frozen=True)
class Section:
    """The plots against one axis; names that change with it, and nothing else, stand beside it."""

    name: str
    along: tuple[str, ...]
    plots: list[dict[str, Any]]

    @property
    def heading(self) -> str:
        """What the plots are over."""
        return self.name + (f", with {' and '.join(self.along)}" if self.along else "")


def sections(points: Sequence[Point], names: Sequence[str], text: Text) -> list[Section]:
    """Return the plots against every axis that has two values at least among the done points."""
    done = [point for point in points if point.result]
    varied = [name for name in names if len({text(point, name) for point in done}) > 1]
    drawn: list[Section] = []
    carried: set[str] = set()
    for name in varied:
        if name in carried:
            continue
        along = [o for o in varied if o != name and _follows(done, o, name, text)]
        if any(
            _follows(done, name, other, text) and not _follows(done, other, name, text)
            for other in varied
            if other != name
        ):
            continue  # it is drawn along with that one
        carried |= set(along)
        others = [other for other in varied if other != name and other not in along]
        plots = [
            plot
            for panel in _panels(done)
            if (plot := _plot(panel, done, name, others, text)) is not None
        ]
        drawn.append(Section(name, tuple(along), plots))
    return drawn


def _follows(points: Sequence[Point], name: str, other: str, text: Text) -> bool:
    """Tell whether a name's value is known from the other's."""
    pairs = {(text(point, other), text(point, name)) for point in points}
    return len(pairs) == len({value for value, _ in pairs})


def _panels(done: Sequence[Point]) -> list[Panel]:
    """Return what is drawn: what was measured of the main figures, then the scenario's own."""
    own = dict.fromkeys(n for p in done if p.result for n in p.result.get("own", ()))
    panels = [*PANELS]
    published = any("rtt_ms" in point.reference for point in done)
    if published or all(point.measured.get("goodput_gbps") is None for point in done):
        panels.insert(1, ROUND_TRIP)
    panels += [Panel(split_unit(name)[0], {"": name}) for name in own]
    return [panel for panel in panels if any(_has(point, panel) for point in done)]


def _has(point: Point, panel: Panel) -> bool:
    values = [_number(point.measured, name) for name in panel.figures.values()]
    if panel.title == "TCP retransmits":
        return any(values)
    return any(value is not None for value in values)


def _number(figures: Mapping[str, Any], name: str) -> float | None:
    value = figures[name] if name in figures else lookup(figures, name)
    return float(value) if isinstance(value, int | float) else None


def _plot(
    panel: Panel, done: Sequence[Point], name: str, others: Sequence[str], text: Text
) -> dict[str, Any] | None:
    """Return a panel's Plotly figure: a trace for each host and combination of the other axes."""
    texts = list(dict.fromkeys(text(point, name) for point in done))
    numeric = scale(texts)
    combinations: dict[str, list[Point]] = {}
    for point in done:
        combination = ", ".join(f"{other}={text(point, other)}" for other in others)
        combinations.setdefault(combination, []).append(point)
    traces: list[dict[str, Any]] = []
    for index, (combination, points) in enumerate(combinations.items()):
        for second, (host, figure) in enumerate(panel.figures.items()):
            shade = second if len(combinations) == 1 else index
            style = {"colour": PALETTE[shade % len(PALETTE)], "second": bool(second)}
            label = ", ".join(filter(None, (host, combination)))
            drawn = [p for p in points if _number(p.measured, figure) is not None]
            if numeric:
                drawn.sort(key=lambda point: numeric.of[text(point, name)])
            traces += _traces(drawn, figure, label, style, name, numeric, text)
    if not traces:
        return None
    axis: dict[str, Any] = {
        "title": {"text": name + (f", {numeric.unit}" if numeric and numeric.unit else "")}
    }
    if numeric is None:
        axis |= {"type": "category", "categoryarray": texts}
    elif numeric.is_logarithmic:
        axis |= {"type": "log", "dtick": "D2" if _decades(numeric) <= 2 else 1}
    elif min(numeric.of.values()) >= 0 and max(numeric.of.values()) > 3 * min(numeric.of.values()):
        axis["rangemode"] = "tozero"
    layout = {
        "yaxis": {"title": {"text": panel.unit}, "rangemode": "tozero"},
        "xaxis": axis,
        "barmode": "group",
        "hovermode": "closest",
    }
    return {"title": panel.title, "data": traces, "layout": layout}


def _decades(numeric: Scale) -> float:
    return math.log10(max(numeric.of.values()) / min(numeric.of.values()))


def _traces(
    points: Sequence[Point],
    figure: str,
    label: str,
    style: Mapping[str, Any],
    name: str,
    numeric: Scale | None,
    text: Text,
) -> list[dict[str, Any]]:
    """Return the trace of a line or of bars, and one of published figures if there are any."""
    if not points:
        return []
    colour = style["colour"]

    def at(point: Point) -> float | str:
        return numeric.of[text(point, name)] if numeric else text(point, name)

    trace: dict[str, Any] = {
        "name": label,
        "x": [at(point) for point in points],
        "y": [_number(point.measured, figure) for point in points],
        "customdata": [[", ".join(point.case), point.verdict] for point in points],
        "hovertemplate": "%{y:.4~g}<br>%{customdata[0]}<br>limited by: %{customdata[1]}"
        "<extra></extra>",
        "showlegend": bool(label),
    }
    if numeric:
        dash = {"dash": "dot"} if style["second"] else {}
        trace |= {"type": "scatter", "mode": "lines+markers"}
        trace |= {"line": {"color": colour, "width": 1.6} | dash, "marker": {"size": 6}}
    else:
        pattern = {"pattern": {"shape": "/"}} if style["second"] else {}
        trace |= {"type": "bar", "marker": {"color": colour} | pattern}
    published = [point for point in points if figure in point.reference]
    if not published:
        return [trace]
    return [
        trace,
        {
            "type": "scatter",
            "mode": "markers",
            "name": ", ".join(filter(None, ("published", label))),
            "x": [at(point) for point in published],
            "y": [point.reference[figure] for point in published],
            "marker": {"color": colour, "symbol": "diamond-open", "size": 10},
            "hovertemplate": "published: %{y:.4~g}<extra></extra>",
            "showlegend": True,
        },
    ]
