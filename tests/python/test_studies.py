# SPDX-License-Identifier: Apache-2.0
"""Studies of a block: their files, their figures, and the verdict that comes of the runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from longhaul.errors import LonghaulError, UsageError
from longhaul.portmap.read import read as read_map
from longhaul.studies import catalogue, definition, outcome, page
from longhaul.studies.definition import Figure, Study
from longhaul.studies.figures import RunFigures
from longhaul.studies.outcome import Outcome, Pair, Row
from longhaul.studies.runs import parts

TEXT = """
title = "Buffer"
question = "How large?"
scenario = "ixgb_b2b"
axis = "receiver.eth0.rx_fifo"
axis_name = "buffer"
adapters = ["receiver.eth0"]
sets = ["mtu=1500", "duration=20ms"]
twin = ["32KiB", "48KiB", "64KiB"]
rtl = ["32KiB", "64KiB"]
not_modelled = ["nothing else"]
[[figures]]
name = "lost"
unit = "%"
of = ["ethtool:receiver.rx_missed_errors"]
over = ["probe:cable.frames"]
times = 100
[verdict]
kind = "enough"
figure = "lost"
at_most = 0
[short]
sets = ["duration=1ms"]
twin = ["32KiB"]
rtl = ["32KiB"]
"""


def study(tmp_path: Path, *changes: tuple[str, str]) -> Study:
    text = TEXT
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file = tmp_path / "own.toml"
    file.write_text(text)
    found = catalogue.find(str(file))
    assert isinstance(found, definition.Named)
    return found.study


COST = (
    'kind = "enough"\nfigure = "lost"\nat_most = 0',
    'kind = "cost"\nfigures = ["lost"]\nbegin = "32KiB"\nend = "64KiB"',
)
WRONG = {
    "key": (
        ("axis_name", "axisname"),
        r"own.toml:6: there is no key axisname; did you mean axis_n",
    ),
    "missing": (('question = "How large?"\n', ""), r"own.toml:\d+: question: Field required"),
    "term": (("probe:cable.frames", "cable.frames"), r"own.toml:\d+: figures.over: "),
    "figure": (('figure = "lost"', 'figure = "loss"'), r"there is no figure 'loss'; did you mean"),
    "load": (('unit = "%"', 'unit = "%"\nload = "ping"'), r"lost: there is no load 'ping'"),
}


@pytest.mark.parametrize(("change", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_file_is_refused_in_one_line(
    tmp_path: Path, change: tuple[str, str], said: str
) -> None:
    with pytest.raises(UsageError, match=said) as error:
        study(tmp_path, change)
    assert "\n" not in str(error.value)


def test_a_cost_wants_both_values_in_each_form(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="64KiB is no value of both twin and RTL"):
        study(tmp_path, COST)


def test_an_unknown_study_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"no study 'buffers'; did you mean buffer\?"):
        catalogue.find("buffers")


def test_the_short_form_replaces_settings_by_name(tmp_path: Path) -> None:
    short = study(tmp_path).in_short()
    assert short.sets == ("mtu=1500", "duration=1ms")
    assert (short.twin, short.rtl) == (("32KiB",), ("32KiB",))


@pytest.mark.parametrize("name", definition.names())
def test_a_study_of_the_tree_can_be_planned_in_both_forms(name: str, tmp_path: Path) -> None:
    """Its scenario takes its settings; its RTL has a model for each value of a parameter."""
    found = catalogue.find(name)
    assert isinstance(found, definition.Named)
    (map_,) = found.path.parents[1].glob("*.toml")
    known = read_map(map_).map.parameters
    for form in (found.study, found.study.in_short()):
        sweeps = list(parts(form, tmp_path, seed=1))
        assert [part.model for part in sweeps] == ["tlm", "rtl"] * len(form.loads)
        for part in sweeps:
            asks = any(text.endswith(".model=rtl") for text in part.plan.params)
            assert asks == (part.model == "rtl")
        *_, parameter = form.axis.split(".")
        if "." in form.axis:
            assert set(form.rtl) <= {str(value) for value in known[parameter].values}
        assert form.not_modelled


def run(folder: Path, missed: int, frames: int) -> Path:
    """Write what a study reads of a run."""
    (folder / "raw").mkdir(parents=True)
    report = folder / "guests" / "receiver" / "report"
    report.mkdir(parents=True)
    (report / "ethtool-S.txt").write_text(f"NIC statistics:\n     rx_missed_errors: {missed}\n")
    results = {"measured": {"goodput_gbps": 2.5}}
    (folder / "results.json").write_text(json.dumps({"cases": [results]}))
    probes = {"cable.frames": {"delta": frames}, "level": {"mean": 1.0}}
    (folder / "raw" / "sim.json").write_text(json.dumps({"probes": probes}))
    return folder


class Stub:
    """Stands in for a run's view and summary, which want whole files."""

    def __init__(self, folder: Path) -> None:
        self.measured = json.loads((folder / "results.json").read_text())["cases"][0]["measured"]


@pytest.fixture
def figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunFigures:
    from longhaul.results import simdata
    from longhaul.results.runview import RunView

    def summary(path: Path) -> object:
        found = json.loads(path.read_text())["probes"]
        probes = {name: simdata.Probe.model_validate(each) for name, each in found.items()}
        return type("Sim", (), {"probes": probes})

    monkeypatch.setattr(RunView, "load", Stub)
    monkeypatch.setattr(simdata, "load", summary)
    return RunFigures(run(tmp_path / "run", missed=5, frames=200))


def test_a_figure_is_a_quotient_of_sums_of_its_terms(figures: RunFigures) -> None:
    lost = ("ethtool:receiver.rx_missed_errors",)
    share = Figure(name="x", of=lost, over=("probe:cable.frames",), times=100)
    assert figures.value(share) == 2.5
    both = Figure(name="x", of=("measured:goodput_gbps", *lost))
    assert figures.value(both) == 7.5


@pytest.mark.parametrize(
    ("term", "said"),
    [
        ("measured:goodput", "has no figure goodput"),
        ("probe:cable.frame", "has no counter cable.frame; did you mean cable.frames?"),
        ("probe:level", "has no counter level"),
        ("ethtool:receiver.rx_missed", "has no rx_missed"),
        ("ethtool:sender.rx_missed", "is sender a real guest?"),
    ],
)
def test_a_term_that_a_run_does_not_have_is_named(
    figures: RunFigures, term: str, said: str
) -> None:
    with pytest.raises(LonghaulError) as error:
        figures.value(Figure(name="x", of=(term,)))
    assert said in str(error.value)


def outcome_of(given: Study, values: Mapping[str, tuple[float | None, float | None]]) -> Outcome:
    row = Row(given.figures[0], [Pair(value, *both) for value, both in values.items()])
    return Outcome([row], outcome.verdict(given, {"lost": row}), [])


def test_the_verdict_is_made_of_the_figures(tmp_path: Path) -> None:
    enough = study(tmp_path)
    values = {"32KiB": (13.0, 12.0), "48KiB": (1.0, None), "64KiB": (0.0, 0.5)}
    assert outcome_of(enough, values).verdict == (
        "buffer: by the twin 64KiB is enough (lost 0 %, at 48KiB 1 %); by the RTL no value is "
        "enough (lost 0.500 % at 64KiB)."
    )
    within = study(tmp_path, ("at_most = 0", "within_pct = 10"))
    values = {"32KiB": (5.0, 6.0), "48KiB": (9.5, None), "64KiB": (10.0, 6.1)}
    assert outcome_of(within, values).verdict == (
        "buffer: by the twin 48KiB is enough (lost 9.500 %, at 32KiB 5 %); by the RTL 32KiB is "
        "enough (lost 6 %)."
    )
    short = (
        'twin = ["32KiB"]\nrtl = ["32KiB"]',
        'twin = ["32KiB", "64KiB"]\nrtl = ["32KiB", "64KiB"]',
    )
    cost = study(tmp_path, COST, short)
    values = {"32KiB": (10.0, 12.0), "48KiB": (9.0, None), "64KiB": (8.0, None)}
    assert outcome_of(cost, values).verdict == (
        "buffer from 32KiB to 64KiB: lost: twin 10 to 8 % (-20.0 %), RTL unknown."
    )


def test_differences_are_shown_and_a_reason_is_asked_for(tmp_path: Path) -> None:
    made = study(tmp_path)
    values = {"32KiB": (10.0, 12.0), "48KiB": (2.0, None), "64KiB": (0.0, 0.5)}
    came = outcome_of(made, values)
    (row,) = came.rows
    assert row.far(5) == ["32KiB", "64KiB"] and row.far(25) == ["64KiB"]
    shown = [page.difference_text(pair, "%") for pair in row.pairs]
    assert shown == ["+20.0 %", "", "+0.500 %"]
    assert list(page.lines(came)) == [
        "lost at 32KiB: twin 10, RTL 12 % (+20.0 %)",
        "lost at 48KiB: twin 2 %",
        "lost at 64KiB: twin 0, RTL 0.500 % (+0.500 %)",
    ]
    named = definition.Named("own", tmp_path / "own.toml", made)
    text = page.write(tmp_path, named, came, [], "longhaul study own.toml").read_text()
    assert "more than 5 % at 32KiB, 64KiB: no reason is stated" in text
    assert "How large?" in text and came.verdict in text and "nothing else" in text
    assert "longhaul study own.toml" in text and "diamond-open" in text
