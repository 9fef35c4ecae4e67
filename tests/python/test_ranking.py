# SPDX-License-Identifier: Apache-2.0
"""The gain of each change of a sweep over its baseline."""

import io
from pathlib import Path
from typing import Any

import pytest
from longhaul import registry
from longhaul.errors import UsageError
from longhaul.sweeps import plan as sweep_plan
from longhaul.sweeps import ranking
from longhaul.sweeps.page import render_sweep
from longhaul.sweeps.points import Point, Status
from rich.console import Console

ENTRY = registry.find("ixgb_b2b")


def point(goodput: float | None, *case: str, verdict: str = "the adapter", **more: Any) -> Point:
    """Return a finished point, or a failed point if there is no goodput."""
    if goodput is None:
        return Point(case, ",".join(case), Status.FAILED, "lost", {})
    result = {
        "measured": {"goodput_gbps": goodput},
        "reference": {},
        "error_pct": {},
        "bottleneck": {"what": verdict, "why": "full"},
        **more,
    }
    return Point(
        case, ",".join(case), Status.DONE, "", {}, result=result, headline=("goodput_gbps",)
    )


def spread(n: int, mean: float, sd: float) -> dict[str, Any]:
    figure = {"n": n, "mean": mean, "sd": sd, "ci95": [mean - sd, mean + sd]}
    figure |= {"min": mean - sd, "max": mean + sd}
    return {
        "repeat": {
            "number": n,
            "figures": {"goodput_gbps": figure},
            "published": {},
            "seeds": [1, n],
            "layouts": [0, n - 1],
            "confidence_pct": 95,
            "bottleneck": {},
        }
    }


def planned(*over: str, baseline: str, fixed: tuple[str, ...] = ()) -> tuple[str, ...]:
    plan = sweep_plan.plan("ixgb_b2b", over, fixed, Path("out/x"), 1)
    return ranking.against(plan, baseline).baseline


def test_changes_are_ranked_by_what_they_bring() -> None:
    base = point(4.0, "cpu_ghz=2.2", "mmrbc=512")
    found = ranking.rank(
        [
            point(4.2, "cpu_ghz=2.2", "mmrbc=4096"),
            base,
            point(5.24, "cpu_ghz=2.8", "mmrbc=512"),
            point(6.0, "cpu_ghz=2.8", "mmrbc=4096"),
            point(3.0, "cpu_ghz=1.8", "mmrbc=512"),
            point(None, "cpu_ghz=1.8", "mmrbc=4096"),
        ],
        base.case,
        ENTRY,
    )
    assert found is not None
    assert [(c.names, ranking.percent_text(c)) for c in found.alone] == [
        (("cpu_ghz=2.8",), "+31.0 %"),
        (("mmrbc=4096",), "+5.00 %"),
        (("cpu_ghz=1.8",), "-25.0 %"),
    ]
    assert [c.names for c in found.together] == [("cpu_ghz=2.8", "mmrbc=4096")]
    assert not found.tested


def test_names_that_change_together_are_one_change() -> None:
    """A joint axis, `--over cpu_ghz,mmrbc=2.2:512,2.8:4096`, beside another one."""
    joint = [("cpu_ghz=2.2", "mmrbc=512"), ("cpu_ghz=2.8", "mmrbc=4096")]
    points = [
        point(4.0 + i + 10 * j, *both, f"mtu={mtu}")
        for i, both in enumerate(joint)
        for j, mtu in enumerate((1500, 9198))
    ]
    found = ranking.rank(points, points[0].case, ENTRY)
    assert found is not None
    assert [c.names for c in found.alone] == [("mtu=9198",), ("cpu_ghz=2.8", "mmrbc=4096")]
    assert [c.names for c in found.together] == [("cpu_ghz=2.8", "mmrbc=4096", "mtu=9198")]


def test_a_shorter_time_is_the_better_change() -> None:
    cases = [("rtt_ms", 2.0, "cpu_ghz=2.2"), ("rtt_ms", 1.0, "cpu_ghz=2.8")]
    points = [
        Point(
            (text,), text, Status.DONE, "", {}, headline=(name,),
            result=point(1.0).result | {"measured": {name: value}},  # pyright: ignore
        )
        for name, value, text in (*cases, ("rtt_ms", 3.0, "cpu_ghz=1.8"))
    ]  # fmt: skip
    found = ranking.rank(points, points[0].case, ENTRY)
    assert found is not None
    assert [c.names[0] for c in found.alone] == ["cpu_ghz=2.8", "cpu_ghz=1.8"]


def test_with_repetitions_a_change_is_more_than_chance_or_not() -> None:
    base = point(4.0, "mtu=1500", **spread(10, 4.0, 0.1))
    same = point(4.02, "mtu=4000", **spread(10, 4.02, 0.1))
    more = point(5.0, "mtu=9198", **spread(10, 5.0, 0.1))
    found = ranking.rank([base, same, more], base.case, ENTRY)
    assert found is not None and found.tested
    assert {c.names[0]: c.beyond_chance for c in found.alone} == {
        "mtu=9198": True,
        "mtu=4000": False,
    }


def test_there_is_no_ranking_while_the_baseline_is_not_done() -> None:
    points = [point(None, "mtu=1500"), point(4.0, "mtu=9198")]
    assert ranking.rank(points, points[0].case, ENTRY) is None
    said = io.StringIO()
    ranking.show(points, points[0].case, ENTRY, Console(file=said, width=100))
    assert said.getvalue().strip() == "No ranking: mtu=1500 is not done."


@pytest.mark.parametrize(
    ("over", "baseline", "case"),
    [
        (("mmrbc=512,4096", "tso=on,off"), "mmrbc=512", ("mmrbc=512", "tso=on")),
        (("tso=off,on",), "tso=on", ("tso=on",)),
        (("mtu=1500,4000",), "mtu=4000", ("mtu=4000",)),
        (("mtu=1500,4000", "tso=on,off"), "tso=off", ("mtu=1500", "tso=off")),
        (("warmup=1ms,2ms",), "warmup=1000us", ("warmup=1ms",)),
        (("*.eth0.tx_kib_clocks=150,200",), "*.eth0.tx_kib_clocks=200",
         ("*.eth0.tx_kib_clocks=200",)),
        (("mtu,tso=1500:on,4000:off",), "mtu=4000,tso=off", ("mtu=4000", "tso=off")),
    ],
)  # fmt: skip
def test_the_baseline_is_one_of_the_points(
    over: tuple[str, ...], baseline: str, case: tuple[str, ...]
) -> None:
    assert planned(*over, baseline=baseline) == case


@pytest.mark.parametrize(
    ("baseline", "said"),
    [
        ("mtu=9000", "--baseline mtu=9000: the sweep has mtu=1500, 4000"),
        ("mtuu=1500", "--baseline mtuu=1500: 'mtuu' is not varied; did you mean mtu?"),
        ("fast", "--baseline fast: write NAME=VALUE,..., such as mtu=1500,tso=on"),
        (
            "mtu=4000,tso=on",
            "--baseline mtu=4000,tso=on: no point of the sweep has mtu=4000,tso=on",
        ),
        ("mtu=x", "--baseline mtu=x: a plain whole number is wanted"),
    ],
)
def test_a_baseline_that_is_no_point_is_refused(baseline: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        planned("mtu,tso=1500:on,4000:off", baseline=baseline)
    assert str(caught.value).startswith(said)


def test_page_and_terminal_show_the_ranking(tmp_path: Path) -> None:
    points = [
        point(4.0, "cpu_ghz=2.2", "mmrbc=512", verdict="the receiver's CPU"),
        point(5.24, "cpu_ghz=2.8", "mmrbc=512"),
        point(4.2, "cpu_ghz=2.2", "mmrbc=4096"),
    ]
    ranked = ranking.rank(points, points[0].case, ENTRY)
    page = render_sweep(ENTRY, points, (), 1, ranked=ranked)
    assert page.index("+31.0 %") < page.index("+5.00 %")
    assert "What each change brings" in page
    said = io.StringIO()
    ranking.show(points, points[0].case, ENTRY, Console(file=said, width=100))
    lines = said.getvalue().splitlines()
    assert lines[1] == (
        "Against cpu_ghz=2.2, mmrbc=512 (goodput 4 Gb/s, limited by the receiver's CPU):"
    )
    assert lines[3].split("  ")[0] == "cpu_ghz=2.8" and "+31.0 %" in lines[3]
