# SPDX-License-Identifier: Apache-2.0
"""Studies of several ways: their files, gains and crossings, what a page says of them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from longhaul.errors import UsageError
from longhaul.studies import catalogue, paying, ways, ways_outcome, ways_page, ways_runs
from longhaul.studies.paying import Gain
from longhaul.studies.ways import WayStudy
from longhaul.sweeps.intervals import Sample
from rich.console import Console

TEXT = """
title = "Two chips"
question = "Which one?"
scenario = "offload"
sets = ["mtu=1500", "duration=20ms"]
pays_pct = 5
not_modelled = ["nothing else"]
[[ways]]
name = "new"
title = "the new one"
sets = ["card=t110", "toe=on"]
[[ways]]
name = "old"
title = "the old one"
sets = ["card=t110"]
[[pairs]]
way = "new"
against = "old"
[[axes]]
name = "rtt"
title = "round-trip time"
over = "rtt,window=1ms:1MB,10ms:10MB"
short = "rtt,window=1ms:1MB"
of_load.load = ["duration=30ms"]
[[figures]]
name = "goodput"
unit = "Gb/s"
of = ["measured:goodput_gbps"]
better = "higher"
[short]
sets = ["duration=1ms"]
"""


def named(tmp_path: Path, *changes: tuple[str, str]) -> ways.Named:
    text = TEXT
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file = tmp_path / "own.toml"
    file.write_text(text)
    found = catalogue.find(str(file))
    assert isinstance(found, ways.Named)
    return found


WRONG = {
    "key": (("pays_pct", "pays_pc"), r"own.toml:6: there is no key pays_pc; did you mean pays_pct"),
    "way": (('against = "old"', 'against = "odd"'), r"there is no way 'odd'; did you mean old"),
    "load": (("of_load.load", "of_load.ping"), r"axis rtt: there is no load 'ping'"),
    "twice": (('name = "old"', 'name = "new"'), r"ways: new stands there twice"),
    "both": (('"mtu=1500"', '"card=t110"'), r"way new: sets holds card too"),
}


@pytest.mark.parametrize(("change", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_file_is_refused_in_one_line(
    tmp_path: Path, change: tuple[str, str], said: str
) -> None:
    with pytest.raises(UsageError, match=said) as error:
        named(tmp_path, change)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ways.names())
def test_a_study_of_the_tree_can_be_planned_in_both_forms(name: str, tmp_path: Path) -> None:
    found = catalogue.find(name)
    assert isinstance(found, ways.Named)
    for form in (found.study, found.study.in_short()):
        parts = list(ways_runs.parts(form, tmp_path, seed=1, repeat=1))
        assert len(parts) == len(form.loads) * len(form.axes)
        for part in parts:
            assert len(set(part.plan.cases)) == len(form.ways) * len(part.values)


def test_repetitions_are_the_axis_own_or_more(tmp_path: Path) -> None:
    study = named(tmp_path, ('short = "rtt', 'repeat = 3\nshort = "rtt')).study
    for asked, runs in ((1, 3), (5, 5)):
        (part,) = ways_runs.parts(study, tmp_path, seed=1, repeat=asked)
        assert len(part.folders("new", "10ms")) == runs
        assert "duration=30ms" in part.plan.fixed, "what an axis sets for a workload stands above"
    (part,) = ways_runs.parts(study.in_short(), tmp_path, seed=1, repeat=1)
    assert part.values == ["1ms"] and "duration=1ms" in part.plan.fixed


def one(value: float) -> Sample:
    sample = Sample.of([value])
    assert sample
    return sample


def test_a_gain_is_positive_where_the_way_is_better() -> None:
    more = paying.gain("x", one(12), one(10), "higher")
    less = paying.gain("x", one(12), one(10), "lower")
    assert more and less
    assert (more.pct, less.pct) == (pytest.approx(20), pytest.approx(-20))
    assert paying.gain("x", one(12), one(0), "lower") is None


def test_a_gain_of_repetitions_has_welchs_interval() -> None:
    way, against = Sample.of([11, 12, 13]), Sample.of([9, 10, 11])
    assert way and against
    found = paying.gain("x", way, against, "higher")
    assert found and found.low is not None and found.high is not None
    half = 2.7764 * (2 / 3) ** 0.5 * 10  # Student's t with 4 degrees of freedom; percent of 10
    assert (found.low, found.high) == (
        pytest.approx(20 - half, abs=0.01),
        pytest.approx(20 + half, abs=0.01),
    )
    assert found.pays(5) is None and found.pays(-5) is True and found.pays(50) is False


def test_a_crossing_is_interpolated_on_the_axis_own_scale() -> None:
    near = paying.paying([Gain("1000", 15), Gain("2000", -5)], 5)
    (crossing,) = near.crossings
    assert not crossing.begins and crossing.at == pytest.approx(1500)
    far = paying.paying([Gain("1ms", 0), Gain("100ms", 10)], 5)
    (crossing,) = far.crossings
    assert crossing.begins and crossing.at == pytest.approx(10)
    from_zero = paying.paying([Gain("0", 10), Gain("1e-4", 0), Gain("1e-2", 0)], 5)
    (crossing,) = from_zero.crossings
    assert crossing.at == pytest.approx(5e-5)
    words = paying.paying([Gain("reno", 10), Gain("cubic", 0)], 5)
    (crossing,) = words.crossings
    assert crossing.at is None


def test_a_crossing_of_repetitions_has_the_interval_of_its_gains() -> None:
    gains = [Gain("1000", 15, 13, 17), Gain("2000", -5, -7, -3)]
    (crossing,) = paying.paying(gains, 5).crossings
    assert crossing.low == pytest.approx(1400) and crossing.high == pytest.approx(1600)
    wide = [Gain("1000", 15, 3, 27), Gain("2000", -5, -17, 7)]
    (crossing,) = paying.paying(wide, 5).crossings
    assert (crossing.low, crossing.high) == (1000, 2000), "an end that passes it elsewhere"


def test_a_statement_says_where_it_pays() -> None:
    def said(*gains: Gain) -> str:
        return paying.statement(paying.paying(gains, 5), "B")

    assert said(Gain("1000", 15), Gain("2000", 7)) == (
        "pays throughout: +7 % at 2000 to +15 % at 1000"
    )
    assert said(Gain("1000", 4), Gain("2000", -7)) == "pays nowhere: -7 % at 2000 to +4 % at 1000"
    assert said(Gain("1000", 15), Gain("2000", -5)) == (
        "stops paying at 1500 B (between 1000 and 2000) (+15 % at 1000, -5 % at 2000)"
    )
    assert said(Gain("a", 0), Gain("b", 9)) == (
        "begins to pay between a and b (+0 % at a, +9 % at b)"
    )
    assert said(Gain("1000", 15, 2, 28), Gain("2000", 9, 8, 10)) == (
        "by the means it pays throughout; chance decides at 1000 (+15 % at 1000, +9 % at 2000)"
    )
    assert said() == "nothing is known"


def outcome_of(study: WayStudy) -> ways_outcome.WayOutcome:
    samples = {("new", "1ms"): one(8), ("old", "1ms"): one(4), ("new", "10ms"): one(4)}
    samples["old", "10ms"] = one(4)
    curves = ways_outcome.curves_of(
        study, study.figures[0], study.axes[0], ["1ms", "10ms"], samples
    )
    return ways_outcome.WayOutcome([curves], ["out/x: failed"])


def test_page_and_terminal_have_figures_and_statements(tmp_path: Path) -> None:
    found = named(tmp_path)
    came = outcome_of(found.study)
    assert list(ways_page.statements(found.study, came)) == [
        "new over old, goodput against round-trip time: stops paying at 9.5 ms "
        "(between 1ms and 10ms) (+100 % at 1ms, +0 % at 10ms)"
    ]
    out = io.StringIO()
    for table in ways_page.tables(found.study, came):
        Console(file=out, width=100).print(table)
    assert [line.split() for line in out.getvalue().splitlines()[2:]] == [
        ["goodput,", "Gb/s", "1ms", "8", "4"],
        ["goodput,", "Gb/s", "10ms", "4", "4"],
    ]
    text = ways_page.write(tmp_path, found, came, [], "longhaul study own.toml").read_text()
    for part in ("Which one?", "stops paying at 9.5 ms", "out/x: failed", "nothing else"):
        assert part in text
    assert "longhaul study own.toml" in text and '"the new one"' not in text
