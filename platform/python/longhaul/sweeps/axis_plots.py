# SPDX-License-Identifier: Apache-2.0
"""A sweep's figures against each of its axes, as Plotly figures: lines over numbers, else bars."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from longhaul.registry import ScenarioEntry
from longhaul.report.figures import PALETTE
from longhaul.results.words import split_unit
from longhaul.sweeps.facets import Text, by_values, facet_names, follows, values_text
from longhaul.sweeps.points import Point
from longhaul.sweeps.scales import LOG_FROM, Scale, scale

MOST_LABELS = 8  # of an axis's own values; with more, or closer ones, Plotly chooses
INK = "#1c2430"  # of what stands on a bar of its own colour
SYMBOLS = (  # of a plot's lines in their order, as many as the palette has colours
    *("diamond", "circle", "square", "triangle-up"),
    *("triangle-down", "pentagon", "star", "hexagon"),
)

EACH_POINT = "all points"  # the axis where no other can be drawn


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
class Section:
    """The plots against one axis; names that change with it, and nothing else, stand beside it.

    `key` has the colour of every combination of the other axes, and is empty if there is but one;
    `note` says what else tells the plots' lines or bars apart. `facets` are the combinations that
    have plots of their own (small multiples); a plot's `facet` is one of them, or empty. `left_out`
    counts points that stand alone along the axis: a single dot shows no effect of it.
    """

    name: str
    along: tuple[str, ...]
    key: list[tuple[str, str]]
    note: str
    plots: list[dict[str, Any]]
    facets: tuple[str, ...] = ()
    left_out: int = 0

    @property
    def heading(self) -> str:
        """The plots' axis."""
        return self.name + (f", with {' and '.join(self.along)}" if self.along else "")


@dataclass(frozen=True)
class _Look:
    """How a line and the published figures beside it look; bars have the colour only."""

    colour: str
    symbol: str


@dataclass(frozen=True)
class _Axis:
    """An axis as all its plots have it: where points stand, and the other axes' combinations."""

    name: str
    texts: list[str]
    numeric: Scale | None
    combinations: dict[str, list[Point]]
    text: Text

    @classmethod
    def of(cls, name: str, others: Sequence[str], done: Sequence[Point], text: Text) -> _Axis:
        texts = list(dict.fromkeys(text(point, name) for point in done))
        numeric = scale(texts)
        combinations = by_values(done, others, text)
        if numeric:
            for points in combinations.values():
                points.sort(key=lambda point: numeric.of[text(point, name)])
        return cls(name, texts, numeric, combinations, text)

    def showing(self, points: Collection[Point]) -> _Axis:
        """Return the axis with some of its points."""
        wanted = set(map(id, points))
        there = {
            label: [point for point in group if id(point) in wanted]
            for label, group in self.combinations.items()
        }
        return replace(self, combinations={label: g for label, g in there.items() if g})

    def at(self, point: Point) -> float | str:
        """Return where a point stands."""
        text = self.text(point, self.name)
        return self.numeric.of[text] if self.numeric else text

    def layout(self) -> dict[str, Any]:
        """Return Plotly's description of the axis."""
        if self.numeric is None:
            return {
                "title": {"text": self.name},
                "type": "category",
                "categoryarray": self.texts,
            }
        unit, values = self.numeric.unit, sorted(set(self.numeric.of.values()))
        axis: dict[str, Any] = {"title": {"text": f"{self.name}, {unit}" if unit else self.name}}
        if self.numeric.is_logarithmic:
            axis["type"] = "log"
        elif values[0] >= 0 and values[-1] > 3 * values[0]:
            axis["rangemode"] = "tozero"
        if _far_apart([math.log(v) if self.numeric.is_logarithmic else v for v in values]):
            axis |= {"tickvals": values, "ticktext": [f"{value:.6g}" for value in values]}
        return axis


def _far_apart(places: Sequence[float]) -> bool:
    """Tell whether each value has room for its own label."""
    if len(places) > MOST_LABELS:
        return False
    whole = places[-1] - places[0]
    return all(b - a > whole / MOST_LABELS / 2 for a, b in itertools.pairwise(places))


def sections(
    points: Sequence[Point], names: Sequence[str], text: Text, only: Collection[str] | None = None
) -> list[Section]:
    """Return the plots against every axis that has two values at least among the done points.

    With `only` they are those of some figures, by their dotted names. Where no axis has two points
    that differ in nothing else, the points themselves are the axis.
    """
    done = [point for point in points if point.result]
    varied = [name for name in names if len({text(point, name) for point in done}) > 1]
    leads: list[str] = []
    for name in varied:
        known_from = [o for o in varied if o != name and follows(done, name, o, text)]
        alike = [other for other in known_from if follows(done, other, name, text)]
        if len(alike) == len(known_from) and not set(alike) & set(leads):
            leads.append(name)
    drawn: list[Section] = []
    for name in leads:
        others = [other for other in leads if other != name]
        along = tuple(o for o in varied if o not in leads and follows(done, o, name, text))
        paired = [p for group in by_values(done, others, text).values() for p in group
                  if len({text(other, name) for other in group}) > 1]  # fmt: skip
        if paired:
            left_out = len(done) - len(paired)
            drawn.append(_section(name, along, others, paired, text, only, left_out))
    if varied and not drawn:
        drawn.append(_section(EACH_POINT, (), [], done, _own_values(varied, text), only, 0))
    return drawn


def of_paper(
    points: Sequence[Point], entry: ScenarioEntry, only: Collection[str]
) -> Section | None:
    """Return the plots of some figures over what the paper's figure is over; None without points.

    Curves whose values are far apart have a logarithmic vertical axis.
    """
    done = [point for point in points if point.result]
    of = entry.references.axes

    def text(point: Point, name: str) -> str:
        return point.text(entry, name)

    if not done:
        return None
    if len(of.x) != 1:
        return _section(" and ".join(of.x), (), [], done, _own_values(of.x, text), only, 0)
    section = _section(of.x[0], (), of.lines, done, text, only, 0)
    unit = str(getattr(entry.settings[of.x[0]].kind, "unit", ""))
    for plot in section.plots:
        x, y = (plot["layout"][axis] for axis in ("xaxis", "yaxis"))
        plain = x["title"]["text"] == of.x[0] and x.get("type") != "category"
        if plain and unit not in ("", of.x[0]):
            x["title"]["text"] += f", {unit}"
        values = [each for trace in plot["data"] for each in trace["y"]]
        lines = all(trace["type"] == "scatter" for trace in plot["data"])
        if lines and min(values) > 0 and max(values) >= LOG_FROM * min(values):
            y |= {"type": "log"}
    return section


def _own_values(names: Sequence[str], text: Text) -> Text:
    """Return what tells points apart as the text of the axis of all points."""
    return lambda point, _: values_text(point, names, text)


def _section(
    name: str,
    along: tuple[str, ...],
    others: Sequence[str],
    done: Sequence[Point],
    text: Text,
    only: Collection[str] | None,
    left_out: int,
) -> Section:
    """Return an axis's plots: one for each figure, or one for each figure and facet."""
    apart = facet_names(done, others, text, len(PALETTE))
    lines = [other for other in others if other not in apart]
    facets = by_values(done, apart, text)
    colours = {label: PALETTE[i] for i, label in enumerate(by_values(done, lines, text))}
    axis = _Axis.of(name, lines, done, text)
    axes = {label: axis.showing(group) for label, group in facets.items()}
    plots: list[dict[str, Any]] = []
    for panel in _panels(done, only):
        drawn = {label: _plot(panel, each, colours) for label, each in axes.items()}
        there = [plot | {"facet": label} for label, plot in drawn.items() if plot is not None]
        if apart:
            _share_y(there)
        plots += there
    several = len(colours) > 1
    note = _note(done, axis) if several else ""
    key = list(colours.items()) if several else []
    return Section(name, along, key, note, plots, tuple(facets) if apart else (), left_out)


def _share_y(plots: Sequence[dict[str, Any]]) -> None:
    """Give the plots one vertical axis, so that they can be compared."""
    highest = max(y for plot in plots for trace in plot["data"] for y in trace["y"])
    for plot in plots:
        plot["layout"]["yaxis"] |= {"range": [0, 1.08 * highest or 1]}


def _note(done: Sequence[Point], axis: _Axis) -> str:
    first, second = ("solid", "dotted") if axis.numeric else ("plain", "hatched")
    published = "; open marks: published" if any(point.reference for point in done) else ""
    bars = "; bars: 95 % intervals" if any(point.repeat for point in done) else ""
    return f"{first}: sender, {second}: receiver{published}{bars}"


def _panels(done: Sequence[Point], only: Collection[str] | None) -> list[Panel]:
    """Return the plots: the main figures that were measured, then the scenario's own."""
    own = dict.fromkeys(n for p in done if p.result for n in p.result.get("own", ()))
    panels = [*PANELS]
    published = any("rtt_ms" in point.reference for point in done)
    if published or all(point.measured.get("goodput_gbps") is None for point in done):
        panels.insert(1, ROUND_TRIP)
    panels += [Panel(split_unit(name)[0], {"": name}) for name in own]
    if only is not None:
        drawn = {name for panel in panels for name in panel.figures.values()}
        panels += [Panel(split_unit(name)[0], {"": name}) for name in only if name not in drawn]
        panels = [panel for panel in panels if not set(only).isdisjoint(panel.figures.values())]
    return [panel for panel in panels if any(_has(point, panel) for point in done)]


def _has(point: Point, panel: Panel) -> bool:
    values = [point.number(name) for name in panel.figures.values()]
    if panel.title == "TCP retransmits":
        return any(values)
    return any(value is not None for value in values)


def _plot(panel: Panel, axis: _Axis, colours: Mapping[str, str]) -> dict[str, Any] | None:
    """Return a panel's Plotly figure: a trace for each host and combination of the other axes."""
    traces: list[dict[str, Any]] = []
    several = len(colours) > 1
    looks = {
        label: _Look(colour, symbol)
        for (label, colour), symbol in zip(colours.items(), SYMBOLS, strict=False)
    }
    for combination, points in axis.combinations.items():
        for second, (host, figure) in enumerate(panel.figures.items()):
            label = ", ".join(filter(None, (host, combination)))
            look = looks[combination] if several else _Look(PALETTE[second], SYMBOLS[second])
            there = [p for p in points if p.number(figure) is not None]
            if there:
                traces.append(_trace(there, figure, axis, label, look, second=bool(second)))
            published = [point for point in points if figure in point.reference]
            if published:
                traces.append(_published(published, figure, axis, label, look))
    if not traces:
        return None
    layout = {
        "yaxis": {"title": {"text": panel.unit}, "rangemode": "tozero"},
        "xaxis": axis.layout(),
        "barmode": "group",
        **({} if axis.numeric else {"scattermode": "group"}),
        "hovermode": "closest",
        "showlegend": not several and any(trace["name"] for trace in traces),
    }
    return {"title": panel.title, "data": traces, "layout": layout}


def _trace(
    points: Sequence[Point], figure: str, axis: _Axis, label: str, look: _Look, *, second: bool
) -> dict[str, Any]:
    """Return a line over numbers, or bars; those of the second host are dotted, or hatched."""
    trace: dict[str, Any] = {
        "name": label,
        "x": [axis.at(point) for point in points],
        "y": [point.number(figure) for point in points],
        "customdata": [[label, ", ".join(point.case), point.verdict] for point in points],
        "hovertemplate": "%{y:.4~g} %{customdata[0]}<br>%{customdata[1]}"
        "<br>limited by: %{customdata[2]}<extra></extra>",
        **_error_bars([point.spread(figure) for point in points]),
    }
    if axis.numeric:
        dash = {"dash": "dot"} if second else {}
        trace |= {"type": "scatter", "mode": "lines+markers"}
        marker = {"size": 6, "symbol": look.symbol}
        return trace | {"line": {"color": look.colour, "width": 1.6} | dash, "marker": marker}
    pattern = {"pattern": {"shape": "/"}} if second else {}
    return trace | {"type": "bar", "offsetgroup": label, "marker": {"color": look.colour} | pattern}


def _error_bars(spreads: Sequence[dict[str, Any] | None]) -> dict[str, Any]:
    """Return the 95 % intervals of means as Plotly's error bars; nothing for single runs."""
    edges = [spread["ci95"] if spread else None for spread in spreads]
    if not any(edges):
        return {}
    halves = [(edge[1] - edge[0]) / 2 if edge else 0.0 for edge in edges]
    return {"error_y": {"type": "data", "array": halves, "thickness": 1, "width": 4}}


def _published(
    points: Sequence[Point], figure: str, axis: _Axis, label: str, look: _Look
) -> dict[str, Any]:
    """Return the published figures as open marks, of the model's shape over numbers."""
    return {
        "type": "scatter",
        "mode": "markers",
        "name": ", ".join(filter(None, ("published", label))),
        "x": [axis.at(point) for point in points],
        "y": [point.reference[figure] for point in points],
        "marker": {
            "color": look.colour if axis.numeric else INK,
            "symbol": f"{look.symbol if axis.numeric else SYMBOLS[0]}-open",
            "size": 10,
        },
        "hovertemplate": "published: %{y:.4~g}<extra></extra>",
        **({} if axis.numeric else {"offsetgroup": label}),  # on its bar
    }
