# SPDX-License-Identifier: Apache-2.0
"""Plotly figures as SVG without a script, for pages that are made ahead: matplotlib draws them.

It draws what `sweeps.axis_plots` makes: lines over numbers, and bars by category. Bars lie on their
side, so that their names can be read on a narrow screen. Ink is the text's colour of the page,
light or dark. Filled marks and bars are the model's, open marks are published figures.
"""

from __future__ import annotations

import functools
import io
import math
import re
import textwrap
from collections.abc import Sequence
from importlib import import_module
from typing import Any

WIDTH = 400  # of the drawing's own pixels: a telephone's screen shows them nearly as they are
HEIGHT = 240
ROW = 34  # of each category, beside MARGIN for the axis and the legend
MARGIN = 88
FONT = 11
CLEAR = 0.06  # of the vertical axis, above the highest mark
NEAREST = 0.11  # of the horizontal axis, between two numbers on it
LABEL = 18  # characters of a category's name in a line
INK = "#010203"  # stands for the page's own colour of text until the drawing is whole
_MARKS = {
    "diamond": "D", "circle": "o", "square": "s", "triangle-up": "^", "triangle-down": "v",
    "pentagon": "p", "star": "*", "hexagon": "h",
}  # fmt: skip
_DASHES = {"dot": ":"}
_STYLE = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": FONT,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "legend.frameon": False,
    "legend.fontsize": FONT - 1,
    "hatch.color": INK,
    "hatch.linewidth": 0.6,
}


@functools.cache
def _matplotlib() -> Any:
    return import_module("matplotlib")


def drawn(plot: dict[str, Any], name: str, words: str) -> str:
    """Return a plot as an `svg` element; `name` is its own on the page, `words` what it shows."""
    mpl = _matplotlib()
    figures: Any = import_module("matplotlib.figure")
    bars = any(trace["type"] == "bar" for trace in plot["data"])
    categories = _categories(plot) if bars else []
    height = MARGIN + ROW * len(categories) if bars else HEIGHT
    legend = sum(-(-len(_label(trace)) // 60) for trace in plot["data"])
    height += 15 * max(0, legend - 2)
    out = io.StringIO()
    with mpl.rc_context(_STYLE | {"svg.hashsalt": name}):
        figure = figures.Figure(figsize=(WIDTH / 72, height / 72), layout="constrained")
        axes = figure.add_subplot()
        if bars:
            _bars(axes, plot, categories)
        else:
            _lines(axes, plot)
        handles, labels = axes.get_legend_handles_labels()
        columns = 2 if len(labels) == 2 and sum(map(len, labels)) < 40 else 1
        figure.legend(handles, labels, loc="outside lower center", ncols=columns)
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    return _element(out.getvalue(), name, words)


def _categories(plot: dict[str, Any]) -> list[str]:
    given: list[str] = plot["layout"]["xaxis"]["categoryarray"]
    there = {x for trace in plot["data"] for x in trace["x"]}
    return [each for each in given if each in there]


def _label(trace: dict[str, Any]) -> str:
    """Return what the legend calls a trace: the model's, or the paper's."""
    first, _, rest = trace["name"].partition(", ")
    if first == "published":
        return f"paper, {rest}" if rest else "paper"
    return f"model, {trace['name']}" if trace["name"] else "model"


def _lines(axes: Any, plot: dict[str, Any]) -> None:
    """Draw curves, and published figures as open marks, over numbers."""
    x, y = plot["layout"]["xaxis"], plot["layout"]["yaxis"]
    for trace in plot["data"]:
        marker, colour = trace["marker"], trace.get("line", trace["marker"])["color"]
        symbol, hollow, _ = marker.get("symbol", "diamond").partition("-open")
        line = trace["mode"] != "markers"
        axes.errorbar(
            trace["x"],
            trace["y"],
            yerr=trace.get("error_y", {}).get("array"),
            capsize=3,
            label=_label(trace),
            color=colour,
            linestyle=_DASHES.get(trace["line"].get("dash", ""), "-") if line else "none",
            linewidth=1.4,
            marker=_MARKS[symbol],
            markersize=8.5 if hollow else 4.5,
            markerfacecolor="none" if hollow else colour,
            markeredgewidth=1.3,
        )
    axes.grid(axis="both", linewidth=0.5, alpha=0.3)
    if x.get("type") == "log":
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter(import_module("matplotlib.ticker").NullFormatter())
    if "tickvals" in x and x.get("type") == "log":
        axes.set_xticks(x["tickvals"], x["ticktext"])
    elif "tickvals" in x:
        axes.set_xticks(x["tickvals"], _apart(x["tickvals"], x["ticktext"], axes.get_xlim()))
    if y.get("type") == "log":
        axes.set_yscale("log")
    elif "range" in y:
        axes.set_ylim(*y["range"])
    else:
        least, most = axes.get_ylim()
        axes.set_ylim(min(0, least), most + CLEAR * (most - min(0, least)))
    if x.get("rangemode") == "tozero":
        axes.set_xlim(left=min(0, *axes.get_xlim()))
    axes.set_xlabel(x["title"]["text"])
    axes.set_ylabel(y["title"]["text"] or plot["title"])


def _apart(places: Sequence[float], texts: Sequence[str], ends: tuple[float, float]) -> list[str]:
    """Return the texts of ticks, empty where the last one is too near; the axis is linear."""
    shown: list[str] = []
    last = -math.inf
    for place, text in zip(places, texts, strict=True):
        near = place - last < NEAREST * (ends[1] - ends[0])
        shown.append("" if near else text)
        last = last if near else place
    return shown


def _bars(axes: Any, plot: dict[str, Any], categories: Sequence[str]) -> None:
    """Draw the bars of each category below each other, and published figures on them."""
    groups = [trace["offsetgroup"] for trace in plot["data"] if trace["type"] == "bar"]
    thick = 0.72 / max(1, len(groups))
    for trace in plot["data"]:
        first = groups.index(trace["offsetgroup"]) if trace["offsetgroup"] in groups else 0
        shift = thick * (first - (len(groups) - 1) / 2)
        places = [categories.index(each) + shift for each in trace["x"]]
        colour = trace["marker"]["color"]
        if trace["type"] == "bar":
            hatch = "//" if "pattern" in trace["marker"] else None
            halves = trace.get("error_y", {}).get("array")
            axes.barh(
                places, trace["y"], thick, color=colour, hatch=hatch, label=_label(trace),
                xerr=halves, capsize=3, ecolor=INK,
            )  # fmt: skip
        else:
            axes.plot(
                trace["y"], places, linestyle="none", marker="D", markersize=8, label=_label(trace),
                markerfacecolor="none", markeredgecolor=INK, markeredgewidth=1.5,
            )  # fmt: skip
    axes.set_yticks(range(len(categories)), [textwrap.fill(each, LABEL) for each in categories])
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", linewidth=0.5, alpha=0.3)
    axes.set_axisbelow(True)
    axes.set_xlim(left=0)
    axes.margins(x=0.08)
    axes.set_xlabel(plot["layout"]["yaxis"]["title"]["text"] or plot["title"])


def _element(text: str, name: str, words: str) -> str:
    """Return matplotlib's file as an element of a page: its size, names and ink are the page's."""
    begin = text.index("<svg")
    head_end = text.index(">", begin)
    box = re.search(r'viewBox="([^"]+)"', text[begin:head_end])
    body = re.sub(r"<metadata>.*?</metadata>", "", text[head_end + 1 :], flags=re.S)
    body = re.sub(r"<!--.*?-->\s*", "", body, flags=re.S)
    linked = set(re.findall(r"(?:href=\"|url\()#([\w.-]+)", body))
    body = re.sub(
        r' id="([^"]+)"',
        lambda found: f' id="{name}-{found[1]}"' if found[1] in linked else "",
        body,
    )
    body = re.sub(r"(href=\"|url\()#", rf"\g<1>#{name}-", body)
    body = body.replace(INK, "currentColor").replace("font-family: 'sans-serif'", "")
    body = re.sub(r"\n\s*", "\n", body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'class="figure" viewBox="{box[1] if box else ""}" role="img" aria-label="{words}">{body}'
    )
