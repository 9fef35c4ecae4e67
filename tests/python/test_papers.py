# SPDX-License-Identifier: Apache-2.0
"""The page of every published figure: which runs, how far off, and what is said of it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Cli
from longhaul import registry
from longhaul.errors import Interrupted, LonghaulError, UsageError
from longhaul.papers import figures_file
from longhaul.papers import reproductions as papers
from longhaul.papers.page import as_markdown, render_papers
from longhaul.papers.reproductions import Compared, Reproduction, Summary
from longhaul.published.reference import References
from longhaul.results.repetition import repetitions
from longhaul.sweeps import repeats
from longhaul.sweeps.points import Point, Status

NOWHERE = Path("/nowhere")


def planned(tmp_path: Path, *names: str, quick: bool = False) -> list[Reproduction]:
    return papers.planned(names, tmp_path, quick=quick, simulator=NOWHERE)


def intels_rows(tmp_path: Path) -> Reproduction:
    """Return table 2 with the three rows of Intel's adapter."""
    (one,) = planned(tmp_path, "opteron_table2")
    return replace(one, plan=replace(one.plan, cases=one.plan.cases[:3]))


def fill(one: Reproduction, tmp_path: Path, measured: list[dict[str, Any]]) -> Reproduction:
    """Return a reproduction whose runs have measured this, as if they had been done."""
    points = [
        Point(case, f"p{i}", Status.DONE, "", {}, result=_result(figures))
        for i, (case, figures) in enumerate(zip(one.plan.cases, measured, strict=True))
    ]
    shown, compared = papers.compare(one.entry, one.plan.fixed, points)
    return replace(one, points=shown, figures=compared)


def _result(measured: dict[str, Any]) -> dict[str, Any]:
    verdict = {"what": "sender's CPU", "why": "", "evidence": {}}
    return {"measured": measured, "reference": {}, "error_pct": {}, "bottleneck": verdict}


def test_every_paper_scenario_says_what_its_figure_is_over() -> None:
    for entry in registry.scenarios().values():
        if entry.references.rows:
            assert entry.references.axes.x, entry.name
            assert entry.references.figures, entry.name


def test_every_scenario_with_reference_data_has_its_rows_as_runs(tmp_path: Path) -> None:
    all_of = {one.entry.name: one for one in planned(tmp_path)}
    referenced = {e.name for e in registry.scenarios().values() if e.references.rows}
    assert set(all_of) == referenced
    assert all_of["opteron_table2"].plan.cases[1] == ("card=ixgb", "ip=v4", "mtu=9198")
    assert all_of["opteron_table2"].paper == "OPTERON-10G"
    for one in all_of.values():
        rows = {
            one.entry.references.match(one.entry.parse_case(one.plan.fixed, case)).source  # type: ignore[union-attr]
            for case in one.plan.cases
            if one.entry.references.match(one.entry.parse_case(one.plan.fixed, case))
        }
        assert rows == {row.source for row in one.entry.references.rows}, one.entry.name


def test_a_scenario_without_cases_of_its_own_gets_them_from_its_rows(tmp_path: Path) -> None:
    (wan,) = planned(tmp_path, "ixgb_wan")
    assert wan.plan.cases[0][:4] == ("ip=v6", "mtu=1500", "rtt=400ms", "window=448MB")
    (figure,) = planned(tmp_path, "opteron_fig8")
    assert len(figure.plan.cases) == 1
    assert figure.plan.cases[0]


def test_short_runs_are_runs_of_their_own(tmp_path: Path) -> None:
    (whole,), (short,) = (planned(tmp_path, "opteron_table2", quick=q) for q in (False, True))
    assert short.plan.fixed == registry.find("opteron_table2").quick
    assert short.plan.out != whole.plan.out


def test_another_simulator_is_another_key(tmp_path: Path) -> None:
    (before,) = planned(tmp_path, "opteron_table2")
    (same,) = planned(tmp_path, "opteron_table2")
    program = tmp_path / "simulator"
    program.write_text("other")
    (after,) = papers.planned(["opteron_table2"], tmp_path, quick=False, simulator=program)
    assert same.plan.out == before.plan.out != after.plan.out


def test_errors_are_those_of_the_rows_and_far_ones_want_a_reason(tmp_path: Path) -> None:
    one = intels_rows(tmp_path)
    done = fill(one, tmp_path, [{"goodput_gbps": v} for v in (3.23, 6.05 * 1.5, 6.35 * 1.04)])
    assert [each.error_pct for each in done.figures] == [0.0, 50.0, 4.0]
    summary = Summary.of([done])
    assert (summary.figures, summary.median_pct, summary.missing) == (3, 4.0, 0)
    assert summary.worst is done.figures[1]
    assert summary.far == (done.figures[1],)
    assert summary.unreasoned == 1
    assert "median error 4.0 %" in summary.text()
    given = replace(done, figures=(replace(done.figures[1], reason="of a known kind"),))
    assert Summary.of([given]).unreasoned == 0


def test_figures_that_something_was_fitted_to_are_told_from_predictions(tmp_path: Path) -> None:
    (one,) = planned(tmp_path, "gnet1_fig4")
    near = {"rate_before_mb_per_s": 100.0, "rate_after_100ms_pct": 90.0}
    done = fill(one, tmp_path, [near] * len(one.plan.cases))
    assert [each.name for each in done.figures if each.fitted] == ["rate_before_mb_per_s"]
    summary = Summary.of([done])
    assert (summary.fitted, summary.predicted_pct) == (1, 10.0)
    assert "(10.0 % without 1 that were fitted to)" in summary.text()
    assert [each["fitted_to"] for each in figures_file.as_json([done])].count(True) == 1
    assert "fitted to" not in Summary.of([replace(done, figures=done.figures[:1])]).text()


def test_what_is_fitted_to_a_figure_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "reference.json"
    row = {"where": {}, "reference": {"rtt_ms": 1}, "source": "", "fitted": ["goodput_gbps"]}
    path.write_text(json.dumps({"source": "", "rows": [row]}))
    with pytest.raises(LonghaulError, match="'goodput_gbps' is fitted to, but no figure"):
        References.load(path, {})


def test_a_figure_without_a_unit_is_compared_by_its_ratio_to_one_row(tmp_path: Path) -> None:
    (one,) = planned(tmp_path, "opteron_table5")
    model = [7.0, 7.0 * 0.214 / 0.224, 7.0, 7.0]
    figures = [{"sender": {"goodput_per_cpu_gbps": v}} for v in model]
    done = fill(one, tmp_path, figures)
    errors = [each.error_pct for each in done.figures]
    assert errors[0] is None  # the unit
    assert errors[1] == pytest.approx(0.0, abs=0.01)
    assert errors[3] == pytest.approx(100 * (0.224 / 0.185 - 1), abs=0.01)
    assert [each.published for each in done.figures] == [0.224, 0.214, 0.210, 0.185]
    assert done.points[3].reference == pytest.approx({"sender.goodput_per_cpu_gbps": 5.78125})


def test_without_the_row_of_the_unit_there_is_no_error(tmp_path: Path) -> None:
    (one,) = planned(tmp_path, "opteron_table5")
    done = fill(one, tmp_path, [{}, *({"sender": {"goodput_per_cpu_gbps": 7.0}},) * 3])
    assert [each.error_pct for each in done.figures] == [None] * 4


def test_scenarios_go_on_when_one_fails_and_the_page_is_written_each_time(tmp_path: Path) -> None:
    two = planned(tmp_path, "opteron_table2", "opteron_table3")
    begun: list[str] = []
    pages: list[int] = []

    def carry_out(plan: Any) -> None:
        begun.append(plan.scenario)
        raise LonghaulError("no luck")

    done = papers.run(two, carry_out, lambda all_of: pages.append(len(all_of)))
    assert begun == ["opteron_table2", "opteron_table3"]
    assert pages == [2, 2]
    assert [one.failed for one in done] == ["no luck", "no luck"]
    page = render_papers(done, tmp_path, quick=False)
    assert "no luck" in page
    assert "opteron_table3" in page


def test_an_interruption_ends_it_with_its_page(tmp_path: Path) -> None:
    pages: list[int] = []

    def carry_out(plan: Any) -> None:
        raise Interrupted("interrupted")

    with pytest.raises(Interrupted):
        papers.run(planned(tmp_path, "opteron_table2"), carry_out, lambda a: pages.append(len(a)))
    assert pages == [1]


def test_the_page_says_what_is_far_and_why(tmp_path: Path) -> None:
    one = intels_rows(tmp_path)
    done = fill(one, tmp_path, [{"goodput_gbps": v} for v in (3.23, 9.0, 6.3)])
    reasoned = tuple(replace(each, reason="it is <known>") for each in done.figures)
    page = render_papers([replace(done, figures=reasoned)], tmp_path, quick=True)
    assert "it is &lt;known&gt;" in page
    assert "OPTERON-10G table 2, v4 9198 IXGB" in page
    assert "+48.8" in page
    assert "from short runs" in page
    assert "none stated" not in page


def test_all_figures_by_the_command_line_and_nothing_is_run_twice(cli: Cli, tmp_path: Path) -> None:
    command = ("report", "--all", "--of", "ixgb_b2b", "--out", "r", "--jobs", "2")
    done = cli(*command)
    assert done.returncode == 0, done.stderr
    assert "5 figures, median error" in done.stdout
    assert (tmp_path / "r" / "report.html").is_file()
    figures = json.loads((tmp_path / "r" / "figures.json").read_text())
    assert [each["published"] for each in figures] == [3.23, 6.05, 5236, 6.35, 9169, None]
    assert all(isinstance(each["error_pct"], float) for each in figures[:5])
    alone = figures[5]  # of MTU 1500, for which table 4 has nothing
    assert alone["figure"] == "receiver.irq_per_s" and alone["model"] > 0
    assert alone["limited_by"] == figures[0]["limited_by"] != ""
    again = cli(*command)
    assert again.returncode == 0, again.stderr
    assert "started" in done.stderr
    assert "started" not in again.stderr


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("", "which runs? longhaul report out/first, or longhaul report --all"),
        ("x --quick", "--quick: is for report --all"),
        ("x --all", "x: --all takes no folders; --of NAME chooses scenarios"),
        (
            "--all --of gnet1_storm",
            "gnet1_storm has no reference data: scenarios/gnet1_storm/reference.json",
        ),
        ("--all --of opteron_table", "no scenario is called 'opteron_table'; did you mean"),
    ],
)
def test_what_cannot_be_reported_is_one_line(cli: Cli, words: str, line: str) -> None:
    done = cli("report", *words.split())
    assert done.returncode == 2
    assert done.stderr.startswith(f"longhaul: {line}")
    assert done.stderr.count("\n") == 1


def test_a_reason_may_be_of_one_figure() -> None:
    row = registry.find("opteron_table2").references.rows[0]
    both = replace(row, reason={"goodput_gbps": "slow"})
    assert both.reason_of("goodput_gbps") == "slow"
    assert both.reason_of("rtt_ms") == ""
    assert replace(row, reason="slow").reason_of("rtt_ms") == "slow"


def test_a_figure_that_a_run_does_not_have_is_missing(tmp_path: Path) -> None:
    one = intels_rows(tmp_path)
    done = fill(one, tmp_path, [{"goodput_gbps": v} for v in (3.0, None, 6.0)])
    compared: tuple[Compared, ...] = done.figures
    assert compared[1].error_pct is None
    assert Summary.of([done]).missing == 1


def repeated(one: Reproduction, runs: list[list[dict[str, Any]]]) -> Reproduction:
    """Return a reproduction whose cases have each had some runs, as if they had been done."""
    whole: list[Point] = []
    for case, measured in zip(one.plan.cases, runs, strict=True):
        each = [
            Point(case, "p", Status.DONE, "", {}, result=_result(m) | {"case": {}})
            for m in measured
        ]
        which = repetitions(1, 0, len(each))
        whole.append(repeats.merged("p", dict(zip(which, each, strict=True))))
    shown, compared = papers.compare(one.entry, one.plan.fixed, whole)
    return replace(one, points=shown, figures=compared)


def test_repeated_runs_tell_errors_from_chance(tmp_path: Path) -> None:
    one = intels_rows(tmp_path)
    values = [[3.20, 3.23, 3.26], [6.35, 6.36, 6.37], [6.20, 6.30, 6.40]]
    done = repeated(one, [[{"goodput_gbps": v} for v in each] for each in values])
    assert [each.within for each in done.figures] == ["interval", "no", "interval"]
    low, high = done.figures[1].error_ci95_pct or (0.0, 0.0)
    assert 0 < low < 5.1 < high
    summary = Summary.of([done])
    assert (summary.told, summary.chance) == (3, 2)
    assert "2 of 3 within chance (95 %)" in summary.text()
    figure = figures_file.as_json([done])[1]
    assert (figure["runs"], figure["within"]) == (3, "no")
    assert figure["sd"] == pytest.approx(0.01)
    assert figure["ci95"][0] < 6.36 < figure["ci95"][1]
    page = render_papers([done], tmp_path, quick=False)
    assert "6.360 ± 0.025" in page and "over 3 runs, seeds 1 to 3" in page
    table = as_markdown([done]).splitlines()
    assert len(table) == 2 + 3 + 3
    assert "| 6.050 | 6.360 ± 0.025 | +5.1 | no |" in table[3]


def test_a_ratio_of_repeated_runs_has_both_spreads(tmp_path: Path) -> None:
    (one,) = planned(tmp_path, "opteron_table5")
    same = 7.0 * 0.214 / 0.224
    spread = [[6.9, 7.0, 7.1], [same - 0.01, same, same + 0.01], [9.0, 9.1, 9.2], [7.0, 7.0, 7.0]]
    figures = [[{"sender": {"goodput_per_cpu_gbps": v}} for v in each] for each in spread]
    done = repeated(one, figures)
    assert [each.within for each in done.figures] == ["", "interval", "no", "no"]
    low, high = done.figures[1].error_ci95_pct or (0.0, 0.0)
    assert low == -high and high > 100 * 4.303 * 0.1 / 3**0.5 / 7 * 0.9  # the unit's is the larger


def test_short_and_repeated_runs_have_folders_of_their_own(tmp_path: Path) -> None:
    (once,) = planned(tmp_path, "opteron_table2")
    (ten,) = papers.planned(["opteron_table2"], tmp_path, quick=False, simulator=NOWHERE, repeat=10)
    assert ten.plan.out.name == f"{once.plan.out.name}-repeated"
    assert len(ten.plan.runs()) == 10 * len(once.plan.runs())


def test_repeated_figures_by_the_command_line(cli: Cli, tmp_path: Path) -> None:
    done = cli("report", "--all", "--of", "ixgb_b2b", "--out", "r", "--repeat", "2")
    assert done.returncode == 0, done.stderr
    figures = json.loads((tmp_path / "r" / "figures.json").read_text())
    assert [(each["runs"], each["within"]) for each in figures[:5]] == [(2, "no spread")] * 5
    assert figures[5]["runs"] == 2 and "within" not in figures[5]
    assert "seeds 1 to 2, layouts 0 to 1" in (tmp_path / "r" / "figures.md").read_text()
    assert ">runs</a>" in (tmp_path / "r" / "report.html").read_text()
    wrong = cli("report", "x", "--repeat", "2")
    assert wrong.returncode == 2
    assert wrong.stderr == "longhaul: --repeat: is for report --all\n"


def test_names_are_checked_before_anything_is_planned(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no scenario is called"):
        planned(tmp_path, "opteron_table2", "nonsense")
