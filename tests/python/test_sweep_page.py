# SPDX-License-Identifier: Apache-2.0
"""A sweep's plots: what stands on which axis, and which lines or bars there are."""

from typing import Any

import pytest
from longhaul.sweeps import axis_plots as axes
from longhaul.sweeps.points import Point, Status


def point(goodput: float, **given: str) -> Point:
    """Return a finished point; its CPUs are 10 and 20 times as busy as its goodput."""
    case = tuple(f"{name}={text}" for name, text in given.items())
    measured: dict[str, Any] = {
        "goodput_gbps": goodput,
        "sender": {"cpu_busy_pct": 10 * goodput},
        "receiver": {"cpu_busy_pct": 20 * goodput},
    }
    reference = {"goodput_gbps": 6.05} if given.get("rtt") == "2ms" else {}
    result = {
        "measured": measured,
        "reference": reference,
        "error_pct": {},
        "bottleneck": {"what": "the wire", "why": "full"},
    }
    return Point(case, ",".join(case), Status.DONE, "", given, result=result)


def sections(points: list[Point]) -> dict[str, axes.Section]:
    names = list(dict.fromkeys(name for each in points for name in each.settings))
    drawn = axes.sections(points, names, lambda each, name: each.settings.get(name, ""))
    return {section.heading: section for section in drawn}


def lines(section: axes.Section, title: str) -> dict[str, list[tuple[Any, float]]]:
    plot = next(plot for plot in section.plots if plot["title"] == title)
    return {t["name"]: list(zip(t["x"], t["y"], strict=True)) for t in plot["data"]}


GRID = [
    point(6, rtt="10ms", tso="on"),
    point(5, rtt="1ms", tso="on"),
    point(4, rtt="10ms", tso="off"),
    point(3, rtt="1ms", tso="off"),
]


def test_a_numeric_axis_has_a_line_for_each_combination_of_the_others() -> None:
    section = sections(GRID)["rtt"]
    assert lines(section, "Goodput") == {
        "tso=on": [(1, 5), (10, 6)],
        "tso=off": [(1, 3), (10, 4)],
    }
    assert lines(section, "CPU busy")["receiver, tso=off"] == [(1, 60), (10, 80)]
    assert [label for label, _ in section.key] == ["tso=on", "tso=off"]
    plot = section.plots[0]
    assert {trace["type"] for trace in plot["data"]} == {"scatter"}
    assert plot["layout"]["xaxis"]["title"]["text"] == "rtt, ms"
    assert plot["layout"]["xaxis"]["tickvals"] == [1, 10]


def test_an_axis_of_texts_has_bars() -> None:
    section = sections(GRID)["tso"]
    assert lines(section, "Goodput") == {
        "rtt=10ms": [("on", 6), ("off", 4)],
        "rtt=1ms": [("on", 5), ("off", 3)],
    }
    assert {trace["type"] for trace in section.plots[0]["data"]} == {"bar"}


def test_what_was_not_measured_has_no_plot() -> None:
    assert [plot["title"] for plot in sections(GRID)["rtt"].plots] == ["Goodput", "CPU busy"]


def test_what_changes_with_an_axis_has_no_plots_of_its_own() -> None:
    points = [
        point(1, box="a", rtt="1ms", duration="1s"),
        point(2, box="b", rtt="1ms", duration="1s"),
        point(3, box="a", rtt="5ms", duration="10s"),
        point(4, box="b", rtt="5ms", duration="10s"),
        point(5, box="a", rtt="9ms", duration="10s"),
        point(6, box="b", rtt="9ms", duration="10s"),
    ]
    found = sections(points)
    assert set(found) == {"box", "rtt, with duration"}
    assert lines(found["rtt, with duration"], "Goodput")["box=b"] == [(1, 2), (5, 4), (9, 6)]
    assert set(lines(found["box"], "Goodput")) == {"rtt=1ms", "rtt=5ms", "rtt=9ms"}


def test_an_axis_with_one_value_is_none() -> None:
    assert set(sections([point(1, rtt="1ms", tso="on"), point(2, rtt="3ms", tso="on")])) == {"rtt"}


def test_published_figures_stand_beside_the_models() -> None:
    section = sections([point(5, rtt="1ms"), point(6, rtt="2ms")])["rtt"]
    assert lines(section, "Goodput") == {"": [(1, 5), (2, 6)], "published": [(2, 6.05)]}
    assert section.plots[0]["layout"]["showlegend"]


@pytest.mark.parametrize(
    ("texts", "unit", "values"),
    [
        (["66", "100"], "", [66, 100]),
        (["0s", "1ms", "1s"], "ms", [0, 1, 1000]),
        (["512KiB", "4MiB"], "KiB", [512, 4096]),
        (["4MiB", "10MB"], "MB", [4.194304, 10]),
        (["66MHz", "99.5MHz"], "MHz", [66, 99.5]),
        (["0", "0.5%"], "%", [0, 0.5]),
    ],
)
def test_values_of_one_kind_are_numbers_of_one_unit(
    texts: list[str], unit: str, values: list[float]
) -> None:
    scale = axes.scale(texts)
    assert scale is not None
    assert (scale.unit, [scale.of[text] for text in texts]) == (unit, values)


@pytest.mark.parametrize(
    "texts", [["on", "off"], ["512/256", "64/64"], ["1", "auto"], ["1ms", "5"]]
)
def test_other_values_are_texts(texts: list[str]) -> None:
    assert axes.scale(texts) is None


def test_values_far_apart_stand_on_a_logarithmic_axis() -> None:
    far = sections([point(n, rtt=text) for n, text in enumerate(("1ms", "10ms", "100ms"))])
    assert far["rtt"].plots[0]["layout"]["xaxis"]["type"] == "log"
    near = sections([point(n, rtt=text) for n, text in enumerate(("0s", "10ms", "100ms"))])
    assert "type" not in near["rtt"].plots[0]["layout"]["xaxis"]


def of_host(*rows: tuple[float, str, str, str]) -> dict[str, axes.Section]:
    """Return the plots of points by goodput, CPU clock, MMRBC and TSO."""
    return sections([point(row[0], cpu=row[1], mmrbc=row[2], tso=row[3]) for row in rows])


def test_an_axis_shows_only_points_that_have_another_beside_them() -> None:
    """One change at a time, as joint axes make them: a dot by itself tells nothing."""
    found = of_host(
        (4, "2.2", "512", "on"),
        (5, "2.8", "512", "on"),
        (6, "2.2", "4096", "on"),
        (3, "2.2", "512", "off"),
    )
    assert set(found) == {"cpu", "mmrbc", "tso"}
    assert lines(found["cpu"], "Goodput") == {"mmrbc=512, tso=on": [(2.2, 4), (2.8, 5)]}
    assert not found["cpu"].key
    assert found["cpu"].left_out == 2


def test_points_without_any_neighbour_are_an_axis_of_their_own() -> None:
    found = of_host(
        (4, "2.2", "512", "on"),
        (5, "2.8", "4096", "on"),
        (6, "2.8", "512", "off"),
        (7, "2.2", "4096", "off"),
    )
    assert set(found) == {axes.EACH_POINT}
    assert lines(found[axes.EACH_POINT], "Goodput")[""][1] == ("cpu=2.8, mmrbc=4096, tso=on", 5)


def test_no_colour_comes_twice_where_there_are_many_lines() -> None:
    points = [
        point(mtu / 1000 + rate + cpu, rtt=rtt, mtu=str(mtu), rate=str(rate), cpu=str(cpu))
        for rtt in ("1ms", "10ms")
        for mtu in (1500, 4000, 9198)
        for rate in (1, 2, 5, 10)
        for cpu in (1, 2)
    ]
    section = sections(points)["rtt"]
    key = dict(section.key)
    assert len(set(key.values())) == len(key) == 8
    assert section.facets == ("mtu=1500", "mtu=4000", "mtu=9198")
    goodputs = [plot for plot in section.plots if plot["title"] == "Goodput"]
    assert [plot["facet"] for plot in goodputs] == list(section.facets)
    for plot in goodputs:
        assert {trace["name"]: trace["line"]["color"] for trace in plot["data"]} == key
    heights = {tuple(plot["layout"]["yaxis"]["range"]) for plot in goodputs}
    assert len(heights) == 1 and max(heights)[1] > 9.198 + 10 + 2


def test_an_axis_of_many_values_has_a_plot_for_each() -> None:
    points = [
        point(number, rtt=rtt, congestion=f"c{number}")
        for rtt in ("1ms", "2ms")
        for number in range(9)
    ]
    section = sections(points)["rtt"]
    assert len(section.facets) == 9 and not section.key
