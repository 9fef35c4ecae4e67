# SPDX-License-Identifier: Apache-2.0
"""Repeated runs: their folders, and their joint report."""

import json
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from conftest import Cli
from longhaul.errors import UsageError
from longhaul.results.repetition import Repetition, finished_in, repetitions
from longhaul.sweeps import repeats, sweep
from longhaul.sweeps.intervals import Sample
from longhaul.sweeps.points import Point, Status
from longhaul.sweeps.spread import confidence_line, spread_text
from support.pages import Page

THREE = repetitions(4, 0, 3)


def case(goodput: float | None, limit: str = "wire", **more: Any) -> dict[str, Any]:
    measured = {"goodput_gbps": goodput, "drops": {}, "guest": {"sender": {"kernel": "6.1"}}}
    return {
        "case": {"mtu": 1500},
        "measured": measured | more,
        "own": [],
        "own_of": "",
        "reference": {"goodput_gbps": 6.0},
        "error_pct": {} if goodput is None else {"goodput_gbps": 1.0},
        "bottleneck": {"what": limit, "why": f"{limit} is full", "evidence": {"x_pct": 90.0}},
    }


def together(*cases: dict[str, Any]) -> dict[str, Any]:
    return repeats.combined(dict(zip(repetitions(4, 0, len(cases)), cases, strict=True)))


def test_each_repetition_has_the_next_seed_and_layout() -> None:
    assert repetitions(7, 2, 3) == (Repetition(7, 2), Repetition(8, 3), Repetition(9, 4))
    assert Repetition.named(Repetition(8, 3).folder) == Repetition(8, 3)
    assert Repetition.named("rtt=1ms") is None


def test_figures_are_means_with_what_is_behind_them() -> None:
    found = together(case(5.0), case(6.0), case(7.0))
    assert found["measured"]["goodput_gbps"] == 6.0
    assert found["measured"]["guest"] == {"sender": {"kernel": "6.1"}}
    behind = found["repeat"]
    assert (behind["number"], behind["seeds"], behind["layouts"]) == (3, [4, 5, 6], [0, 1, 2])
    figure = behind["figures"]["goodput_gbps"]
    assert (figure["n"], figure["mean"], figure["sd"], figure["min"], figure["max"]) == (
        3, 6.0, 1.0, 5.0, 7.0,
    )  # fmt: skip
    half = 4.302653 / 3**0.5
    assert figure["ci95"] == pytest.approx([6 - half, 6 + half], rel=1e-6)
    assert found["error_pct"] == {"goodput_gbps": 0.0}


def test_verdicts_are_counted() -> None:
    limits = ["sender's adapter"] * 2 + ["receiver's CPU"]
    found = together(*(case(6.0, limit) for limit in limits))
    assert found["bottleneck"]["what"] == "sender's adapter in 2 of 3"
    assert found["bottleneck"]["why"].startswith("receiver's CPU in 1 of 3; sender's adapter, in ")
    assert found["repeat"]["bottleneck"] == {"sender's adapter": 2, "receiver's CPU": 1}


def test_what_a_repetition_lacks_is_left_out_but_of_drops_which_is_nothing_dropped() -> None:
    found = together(case(None), case(6.0, rtt_ms=2.0), case(8.0, drops={"mg8.p1": 3}))
    figures = found["repeat"]["figures"]
    assert (figures["goodput_gbps"]["n"], figures["goodput_gbps"]["mean"]) == (2, 7.0)
    assert (figures["rtt_ms"]["n"], figures["rtt_ms"]["sd"]) == (1, None)
    assert (figures["drops.mg8.p1"]["n"], figures["drops.mg8.p1"]["mean"]) == (3, 1.0)
    assert found["measured"]["drops"] == {"mg8.p1": 1.0}
    nothing = together(case(None), case(None))
    assert nothing["measured"]["goodput_gbps"] is None
    assert nothing["error_pct"] == {} and nothing["repeat"]["published"] == {}


def test_texts_in_which_runs_differ_are_left_out() -> None:
    found = together(case(6.0, said="a", same="x"), case(6.0, said="b", same="x"))
    assert "said" not in found["measured"] and found["measured"]["same"] == "x"


@pytest.mark.parametrize(
    ("values", "published", "within"),
    [
        ([5.0, 6.0, 7.0], 6.5, "interval"),
        ([5.9, 6.0, 6.1], 6.4, "run"),  # interval to 6.25, single runs to 6.50
        ([5.9, 6.0, 6.1], 6.6, "no"),
        ([6.0, 6.0], 6.1, "no spread"),
        ([6.0], 6.0, "no spread"),
    ],
)
def test_a_published_figure_is_within_the_interval_or_a_single_runs_spread(
    values: list[float], published: float, within: str
) -> None:
    sample = Sample.of(values)
    assert sample is not None
    assert repeats.beside(sample, published)["within"] == within


def test_the_errors_interval_is_in_percent_of_what_was_published() -> None:
    sample = Sample.of([5.9, 6.0, 6.1])
    assert sample is not None
    low, high = repeats.beside(sample, 6.0)["error_ci95_pct"]
    assert high == -low == pytest.approx(100 * 4.302653 * 0.1 / 3**0.5 / 6, rel=1e-5)


def point(status: Status, goodput: float = 6.0) -> Point:
    result = case(goodput) if status is Status.DONE else None
    why = "panic" if status is Status.FAILED else ""
    return Point((), "x", status, why, {}, result=result, simulated_s=1.0, wall_s=2.0)


def test_a_point_is_failed_if_a_run_of_it_is_and_has_the_others_figures() -> None:
    kinds = (Status.DONE, Status.FAILED, Status.MISSING)
    whole = repeats.merged("p", dict(zip(THREE, map(point, kinds), strict=True)))
    assert (whole.status, whole.why) == (Status.FAILED, "seed=5,layout=1: panic")
    assert whole.repeat is not None and whole.repeat["seeds"] == [4]
    none = repeats.merged("p", {THREE[0]: point(Status.MISSING)})
    assert (none.status, none.result, none.simulated_s) == (Status.MISSING, None, None)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([6.35, 6.41, 6.42], "6.39 ± 0.09"),
        ([6.351, 6.352, 6.3535], "6.352 ± 0.003"),
        ([34.2, 35, 36], "35.1 ± 2.2"),
        ([15350, 15000, 16000], "15\u202f450 ± 1\u202f261"),
        ([2e-3, 3e-3, 2.5e-3], "0.0025 ± 0.0012"),
        ([6.0, 6.0], "6 ± 0"),
        ([6.0621], "6.062"),
    ],
)
def test_a_mean_has_the_digits_that_its_interval_leaves(values: list[float], text: str) -> None:
    sample = Sample.of(values)
    assert sample is not None and spread_text(sample.as_json()) == text


def test_the_confidence_is_named_with_seeds_and_layouts() -> None:
    line = confidence_line([together(case(5.0), case(6.0))["repeat"]])
    assert line == (
        "± is the 95 % confidence interval of the mean (Student's t) over 2 runs, seeds 4 to 5, "
        "layouts 0 to 1."
    )
    alike = confidence_line([together(case(6.0), case(6.0))["repeat"]])
    assert alike.endswith("Neither changes any figure here, so ± 0 tells nothing of chance.")


RUN = ("run", "ixgb_b2b", "--jobs", "2", "--out", "r", "--repeat")


def test_a_run_is_made_so_many_times_and_told_as_one(cli: Cli, tmp_path: Path) -> None:
    done = cli(*RUN, "2", "--seed", "5", "--layout", "1")
    assert done.returncode == 0, done.stderr
    assert "seeds 5 to 6, layouts 1 to 2" in done.stdout
    assert "sender's CPU in 2 of 2" in done.stdout
    for seed, layout in ((5, 1), (6, 2)):
        run = tmp_path / "r" / f"seed={seed},layout={layout}"
        manifest = json.loads((run / "manifest.json").read_text())
        assert (manifest["seed"], manifest["layout"]) == (seed, layout)
        assert (run / "report.html").is_file()
    results = json.loads((tmp_path / "r" / "results.json").read_text())
    (only,) = results["cases"]
    assert only["repeat"]["figures"]["goodput_gbps"]["mean"] == only["measured"]["goodput_gbps"]
    assert only["reference"]["goodput_gbps"] == 6.05 and "goodput_gbps" in only["error_pct"]
    page = (tmp_path / "r" / "report.html").read_text()
    assert "95 % confidence interval" in page and "seed%3D6%2Clayout%3D2/report.html" in page
    assert "<h2>Over layout</h2>" in page and '"x":[1.0,2.0]' in page
    read = Page(page)
    assert read.open == [] and len(set(read.ids)) == len(read.ids)
    shown = cli("report", "r", "--html", "both.html")
    assert shown.returncode == 0, shown.stderr
    assert "<h1>2 runs</h1>" in (tmp_path / "both.html").read_text()


def test_more_repetitions_later_join_those_that_are_there(cli: Cli, tmp_path: Path) -> None:
    assert cli(*RUN, "2").returncode == 0
    shutil.rmtree(tmp_path / "r" / "seed=1,layout=0")
    done = cli(*RUN, "3")
    assert done.returncode == 0, done.stderr
    assert "1 of 3 runs are already there" in done.stderr
    assert [folder.name for folder in finished_in(tmp_path / "r")] == [
        "seed=1,layout=0", "seed=2,layout=1", "seed=3,layout=2",
    ]  # fmt: skip
    fewer = cli(*RUN, "2")
    assert fewer.returncode == 0, fewer.stderr
    results = json.loads((tmp_path / "r" / "results.json").read_text())
    assert results["cases"][0]["repeat"]["number"] == 3
    once = cli("sweep", "ixgb_b2b", "--over", "mtu=1500", "--out", "r")
    assert once.returncode == 2 and "holds another sweep" in once.stderr


def test_a_sweep_has_a_row_for_each_run_and_means_for_each_point(
    cli: Cli, tmp_path: Path, environment: dict[str, str]
) -> None:
    environment["FAKE_SIM_FAIL_AT"] = '"seed": 2'
    words = ("sweep", "ixgb_wan", "--over", "mtu=3000,9000", "--repeat", "2", "--out", "s")
    failed = cli(*words, "--jobs", "2")
    assert failed.returncode == 1
    assert "2 of 4 runs failed: mtu=3000/seed=2,layout=1: receiver" in failed.stderr
    again = cli(*words)
    assert again.returncode == 1 and "2 failed before; --retry-failed" in again.stderr
    del environment["FAKE_SIM_FAIL_AT"]
    done = cli(*words, "--retry-failed")
    assert done.returncode == 0, done.stderr
    rows = pl.read_parquet(tmp_path / "s" / "sweep.parquet").sort("point", "repetition")
    assert rows["point"].to_list() == ["mtu=3000"] * 2 + ["mtu=9000"] * 2
    assert rows["repetition"].to_list() == [0, 1, 0, 1]
    assert (rows["seed"].to_list(), rows["layout"].to_list()) == ([1, 2, 1, 2], [0, 1, 0, 1])
    assert rows["run"][1] == "mtu=3000/seed=2,layout=1"
    results = json.loads((tmp_path / "s" / "results.json").read_text())
    assert [each["repeat"]["number"] for each in results["cases"]] == [2, 2]
    page = (tmp_path / "s" / "report.html").read_text()
    assert '"error_y"' in page and "4 runs; 2 points" in page


def test_a_recording_is_of_one_run(cli: Cli) -> None:
    done = cli(*RUN, "2", "--pcap")
    assert done.returncode == 2
    assert done.stderr == (
        "longhaul: --pcap records one run, and --repeat 2 makes 2; take one of them\n"
    )


def test_seeds_have_an_end(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="leaves no room for --repeat 2"):
        sweep.plan_cases("ixgb_b2b", [()], [], tmp_path, 2**63 - 1, repeat=2)
