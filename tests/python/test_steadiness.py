# SPDX-License-Identifier: Apache-2.0
"""Start-up told from the steady rest of a run, and the command that finds the warm-up."""

import json
import math
import random
from pathlib import Path

import polars as pl
import pytest
from conftest import Cli
from longhaul import registry
from longhaul.errors import UsageError
from longhaul.results import steadiness
from longhaul.results.steadiness import judge, rounded_up, truncation, warning
from longhaul.sweeps import warmup
from longhaul.units import Time, ms


def noise(seed: int, n: int, mean: float = 6.0) -> list[float]:
    source = random.Random(seed)
    return [source.gauss(mean, 0.1) for _ in range(n)]


def ramp(n: int, to: float = 6.0) -> list[float]:
    return [to * i / n for i in range(n)]


def best_cut(means: list[float]) -> int:
    """Return MSER's cut, each standard error by itself from the exact mean."""

    def statistic(cut: int) -> float:
        rest = means[cut:]
        mean = math.fsum(rest) / len(rest)
        return math.fsum((each - mean) ** 2 for each in rest) / len(rest) ** 2

    return min(range(len(means) - 4), key=statistic)


def test_the_cut_has_the_least_standard_error_of_what_remains() -> None:
    means = [1.0, 2.0, 9.0, 10.0, 11.0, 9.0, 11.0, 10.0, 9.0, 11.0]
    assert truncation(means) == best_cut(means) == 2
    assert truncation([5.0] * 20) == 0


@pytest.mark.parametrize("rate", [0.00731 * i for i in range(1, 1000, 37)])
def test_a_rate_that_is_constant_after_its_start_up_is_cut_where_it_begins(rate: float) -> None:
    found = judge([0.3 * rate] * 100 + [rate] * 400, ms(1))
    assert found is not None
    assert (found.verdict, found.warmup) == ("start-up", ms(100))
    assert found.steady_gbps == pytest.approx(rate, rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_a_small_noise_beside_a_large_rate_does_not_move_the_cut(seed: int) -> None:
    source = random.Random(seed)
    means = [6.9] * 10 + [source.gauss(7.0, 1e-9) for _ in range(50)]
    assert truncation(means) == best_cut(means) >= 10


@pytest.mark.parametrize("seed", range(20))
def test_a_rate_that_stands_still_is_steady_whatever_its_noise(seed: int) -> None:
    found = judge(noise(seed, 1000), ms(1))
    assert found is not None and found.verdict == "steady"
    assert found.steady_gbps == pytest.approx(6.0, rel=0.02)
    assert warning(found.as_json(), "x") == ""


def test_a_start_up_is_cut_where_it_ends() -> None:
    found = judge(ramp(150) + noise(1, 850), ms(1))
    assert found is not None and found.verdict == "start-up" and found.warmup is not None
    assert ms(140) <= found.warmup <= ms(160)
    assert found.steady_gbps == pytest.approx(6.0, rel=0.005)
    assert found.whole_gbps == pytest.approx(6.0 - 0.15 * 3, rel=0.01)
    assert warning(found.as_json(), "ixgb_b2b").endswith(
        "longhaul warmup ixgb_b2b finds the warm-up"
    )


def test_a_start_up_that_hardly_moves_the_figure_is_found_and_not_warned_of() -> None:
    found = judge(ramp(20) + noise(1, 980), ms(1))
    assert found is not None and found.verdict == "steady" and found.warmup is not None
    assert ms(15) <= found.warmup <= ms(30)


def test_a_window_that_grows_beyond_its_half_is_too_short() -> None:
    found = judge(ramp(700) + noise(1, 300), ms(1))
    assert found is not None
    assert (found.verdict, found.warmup, found.steady_gbps) == ("too short", None, None)
    assert "too short for a steady figure" in warning(found.as_json(), "x")


def test_too_few_periods_or_no_data_are_not_judged() -> None:
    assert judge(noise(1, 49), ms(1)) is None
    assert judge(noise(1, 50), ms(1)) is not None
    assert judge([0.0] * 500, ms(1)) is None


@pytest.mark.parametrize(
    ("warmup_ps", "up"),
    [(22_500_000_000, "23ms"), (25_000_000_000, "25ms"), (1_010_000_000_000, "1100ms"), (0, "0s")],
)
def test_a_warm_up_is_rounded_up_to_two_digits(warmup_ps: int, up: str) -> None:
    assert str(rounded_up(Time(warmup_ps))) == up


def test_a_run_says_in_one_line_that_its_window_includes_start_up(
    cli: Cli, tmp_path: Path, environment: dict[str, str]
) -> None:
    quiet = cli("run", "ixgb_b2b", "--out", "a")
    assert quiet.returncode == 0 and "Note:" not in quiet.stdout
    environment["FAKE_SIM_RAMP"] = "200"
    done = cli("run", "ixgb_b2b", "--out", "b")
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("Note:"))
    assert "start-up" in line and "longhaul warmup ixgb_b2b finds the warm-up" in line
    steady = json.loads((tmp_path / "b" / "results.json").read_text())["cases"][0]["steady"]
    assert (steady["verdict"], steady["method"]) == ("start-up", "MSER-5")
    assert 0.18 <= steady["warmup_s"] <= 0.2
    assert steady["steady_gbps"] == pytest.approx(6.06, abs=0.02)
    assert "Not steady:" in (tmp_path / "b" / "report.html").read_text()
    assert "Not steady:" not in (tmp_path / "a" / "report.html").read_text()
    environment["FAKE_SIM_RAMP"] = "900"
    short = cli("run", "ixgb_b2b", "--out", "c")
    assert "Note: the window is too short for a steady figure" in short.stdout


WARMUP = ("warmup", "ixgb_b2b", "--set", "duration=1s", "--repeat", "2", "--out", "w")


def test_the_warm_up_is_found_by_a_command(
    cli: Cli, tmp_path: Path, environment: dict[str, str]
) -> None:
    environment["FAKE_SIM_RAMP"] = "200"
    done = cli(*WARMUP)
    assert done.returncode == 0, done.stderr
    runs = tmp_path / "w" / "duration=1s"
    manifest = json.loads((runs / "seed=2,layout=1" / "manifest.json").read_text())
    told = {item["name"]: item["value"] for item in manifest["settings"]}
    assert (told["warmup"], told["duration"]) == ("0s", "1s")
    (only,) = json.loads((tmp_path / "w" / "warmup.json").read_text())["cases"]
    assert (only["runs"], only["too_short"]) == (2, 0)
    assert 0.18 <= only["warmup_s"]["mean"] <= 0.2 and only["warmup"] in ("190ms", "195ms", "200ms")
    assert only["whole_gbps"]["mean"] < only["steady_gbps"]["mean"]
    assert "2 of 2 runs" in done.stdout and only["warmup"] in done.stdout


def test_a_window_that_is_too_short_to_tell_is_refused(
    cli: Cli, tmp_path: Path, environment: dict[str, str]
) -> None:
    environment["FAKE_SIM_RAMP"] = "900"
    done = cli(*WARMUP)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "longhaul: ixgb_b2b duration=1s: too short to tell in 2 of 2 runs; "
        "take a longer --set duration"
    )
    (only,) = json.loads((tmp_path / "w" / "warmup.json").read_text())["cases"]
    assert (only["warmup"], only["too_short"]) == (None, 2)


@pytest.mark.parametrize(
    ("name", "given", "line"),
    [
        ("ixgb_b2b", ["warmup=1s"], "--set warmup=1s: this command finds the warm-up"),
        ("ixgb_b2b", ["workload=ping"], "ping has no rate that could become steady"),
    ],
)
def test_where_there_is_nothing_to_find_is_said_before_anything_runs(
    tmp_path: Path, name: str, given: list[str], line: str
) -> None:
    with pytest.raises(UsageError, match=f"^{line}"):
        warmup.plan(name, given, tmp_path / "w", 1, params=[], layout=0, repeat=2)
    assert not (tmp_path / "w").exists()


def test_cases_of_a_scenario_keep_all_but_their_warm_up_and_get_twice_their_time(
    tmp_path: Path,
) -> None:
    given = ["ip=v6", "mtu=1500"]
    settings = registry.find("opteron_table2").parse(given)
    plan = warmup.plan("opteron_table2", given, tmp_path, 1, params=[], layout=0, repeat=2)
    twice = Time(2 * (settings.warmup.ps + settings.duration.ps))
    assert plan.cases[0][-1] == f"duration={twice}" and "warmup=0s" in plan.fixed
    fixed = warmup.plan(
        "opteron_table2", [*given, "duration=7s"], tmp_path, 1, params=[], layout=0, repeat=2
    )
    assert fixed.cases[0][-1] == "duration=7s"
    assert not any("warmup" in text for text in fixed.cases[0])


def test_rows_beside_the_window_do_not_count(tmp_path: Path) -> None:
    """They cover ten periods, and may be many more than the window's."""
    fine, coarse = ms(1).ps, ms(10).ps
    before = [coarse * row for row in range(1, 1001)]
    inside = [before[-1] + fine * row for row in range(1, 201)]
    after = [inside[-1] + coarse * row for row in range(1, 1001)]
    times = [*before, *inside, *after]
    column = steadiness.TCP_RECEIVED.format(adapter="receiver.eth0")
    octets = [125_000 if time in inside else 0 for time in times]
    pl.DataFrame({"time_ps": times, column: octets}).write_parquet(tmp_path / "series.parquet")
    found = steadiness.of_series(
        tmp_path / "series.parquet", (before[-1], inside[-1]), "receiver.eth0"
    )
    assert found is not None
    assert (found.verdict, found.whole_gbps) == (steadiness.STEADY, pytest.approx(1.0))
