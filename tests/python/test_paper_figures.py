# SPDX-License-Identifier: Apache-2.0
"""Figures of papers on the site: each is drawn and explained where a document has its marker."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from typing import Any

import pytest
from longhaul import registry
from longhaul.catalogue import entry, paper_figures, values
from longhaul.catalogue.recorded import Recorded, recorded
from longhaul.docs import tree
from longhaul.docs.staging import FIGURES
from longhaul.errors import LonghaulError
from longhaul.paths import ROOT
from longhaul.report import svg
from longhaul.sweeps.axis_plots import SYMBOLS

OF_PAPERS = [each.name for each in registry.scenarios().values() if each.references.rows]
SVG = "{http://www.w3.org/2000/svg}"
scenarios = pytest.mark.parametrize("scenario", OF_PAPERS)


def kept(scenario: str) -> list[Recorded]:
    there = values.load()
    published = [
        one for one in entry.everything(entry.load()) if one.published and one.name in there
    ]
    all_of = (each for one in published for each in recorded(one, there[one.name]))
    return [each for each in all_of if each.entry.name == scenario]


def drawings(text: str) -> list[ET.Element]:
    return [ET.fromstring(each) for each in re.findall(r"<svg.*?</svg>", text, re.S)]


def words(drawing: ET.Element) -> list[str]:
    return ["".join(each.itertext()).strip() for each in drawing.iter(f"{SVG}text")]


def test_every_scenario_of_a_paper_is_drawn_in_one_document() -> None:
    marked = Counter(
        found[1] for name in tree.pages() for found in FIGURES.finditer((ROOT / name).read_text())
    )
    assert marked == Counter(OF_PAPERS)


@scenarios
def test_every_figure_is_drawn_with_both_and_has_its_row(scenario: str) -> None:
    text = paper_figures.section(scenario)
    one = kept(scenario)[0]
    shown = drawings(text)
    assert len(shown) == len({each.figure for each in one.kept})
    printed = {each.name for each in one.figures}
    legends = [words(each) for each in shown]
    assert all(any(word.startswith("model") for word in each) for each in legends)
    both = [any(word.startswith("paper") for word in each) for each in legends]
    assert sum(both) == len(printed)
    rows = [line for line in text.splitlines() if line.startswith("| `") or line.startswith("|  |")]
    assert len(rows) == len(one.kept)


@scenarios
def test_what_is_far_off_has_error_and_reason_on_the_same_page(scenario: str) -> None:
    text = paper_figures.section(scenario)
    far = [each for each in kept(scenario)[0].figures if each.is_far]
    for each in far:
        assert f"**{each.error_pct:+.1f}** %" in text
        plain = re.sub(r"\\|&lt;", "", text)
        assert each.reason.partition("(")[0][:60] in plain
    assert ("off:" in text) == bool(far)


def test_names_in_drawings_are_of_one_page_each_and_ink_is_the_page_s() -> None:
    whole = "".join(map(paper_figures.section, OF_PAPERS))
    names = re.findall(r' id="([^"]+)"', whole)
    assert len(names) == len(set(names)) > 20
    linked = set(re.findall(r"(?:href=\"|url\()#([\w.-]+)", whole))
    assert linked <= set(names)
    assert svg.INK not in whole and "currentColor" in whole
    assert not re.search(r"#000000|#ffffff|fill: black", whole)


def test_figures_that_are_not_kept_are_refused() -> None:
    with pytest.raises(LonghaulError, match="no kept figures of 'gbe_jumb'; did you mean gbe_ju"):
        paper_figures.section("gbe_jumb")


def curve(name: str, symbol: str, **more: object) -> dict[str, Any]:
    line = {} if symbol.endswith("-open") else {"line": {"color": "#2f6fb2", "width": 1}}
    mode = "markers" if symbol.endswith("-open") else "lines+markers"
    marker = {"symbol": symbol, "color": "#2f6fb2", "size": 6}
    return {"type": "scatter", "mode": mode, "name": name, "x": [1.0, 100.0], "y": [2.0, 200.0],
            "marker": marker, **line, **more}  # fmt: skip


def test_every_look_of_a_sweep_can_be_drawn() -> None:
    data = [curve(f"a={each}", each) for each in SYMBOLS]
    data += [curve(f"published, a={each}", f"{each}-open") for each in SYMBOLS]
    data.append(curve("b", "circle", error_y={"array": [1.0, 2.0]}))
    data.append(curve("c", "circle", line={"color": "#2f6fb2", "width": 1, "dash": "dot"}))
    layout = {
        "xaxis": {"title": {"text": "rtt, ms"}, "type": "log", "tickvals": [1.0, 100.0],
                  "ticktext": ["1", "100"]},
        "yaxis": {"title": {"text": "Gb/s"}, "type": "log"},
    }  # fmt: skip
    plot = {"title": "Goodput", "data": data, "layout": layout}
    said = words(ET.fromstring(svg.drawn(plot, "one", "Goodput")))
    assert {"rtt, ms", "Gb/s", "model, a=star", "paper, a=star", "1", "100"} <= set(said)
    assert svg.drawn(plot, "one", "Goodput") == svg.drawn(plot, "one", "Goodput")


def test_bars_lie_below_each_other_with_whole_names() -> None:
    name = "system=linux-2.6.18, relay=off"
    bar = {"type": "bar", "name": "", "x": ["b", name], "y": [1.0, 2.0], "offsetgroup": "",
           "marker": {"color": "#2f6fb2", "pattern": {"shape": "/"}}}  # fmt: skip
    layout = {"xaxis": {"categoryarray": [name, "b"]}, "yaxis": {"title": {"text": ""}}}
    plot = {"title": "frames per ack", "data": [bar], "layout": layout}
    said = words(ET.fromstring(svg.drawn(plot, "one", "x")))
    assert {"frames per ack", "model"} <= set(said)
    at = said.index("b")
    assert " ".join(said[at - 2 : at]).replace("- ", "-") == name


@pytest.mark.parametrize(
    ("scenario", "title"),
    [("booster_fig6", "km"), ("booster_fig8", "streams, connections"), ("gbe_jumbo", "frame, B"),
     ("gnet1_fig6", "delay, ms")],
)  # fmt: skip
def test_an_axis_has_its_unit_once(scenario: str, title: str) -> None:
    assert title in words(drawings(paper_figures.section(scenario))[0])
