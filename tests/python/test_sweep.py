# SPDX-License-Identifier: Apache-2.0
"""Sweeps: the runs themselves are the real command line, so these tests start none with a guest."""

import json
import shutil
from pathlib import Path

import pytest
from conftest import Cli
from longhaul import sweep
from longhaul.errors import UsageError


def test_every_combination_is_a_case(tmp_path: Path) -> None:
    plan = sweep.plan("ixgb_wan", ["rtt=1ms,10ms", "tso=on,off"], ["mtu=1500"], tmp_path, 1)
    assert plan.cases == (
        ("rtt=1ms", "tso=on"),
        ("rtt=1ms", "tso=off"),
        ("rtt=10ms", "tso=on"),
        ("rtt=10ms", "tso=off"),
    )
    assert len({plan.folder(case) for case in plan.cases}) == 4


@pytest.mark.parametrize(
    ("over", "line"),
    [
        (["rtt=1ms,5"], "rtt=5: a time needs its unit; did you mean rtt=5ms?"),
        (["rtt"], "--over rtt: write name=value,value, such as --over rtt=1ms,10ms"),
        (["rtt=1ms", "rtt=2ms"], "--over names rtt twice"),
        (["rtt=1ms,2ms,1ms"], "--over rtt=1ms,2ms,1ms: 1ms stands there twice"),
        (["rtt=1ms,1000us"], "--over rtt=1ms,1000us: 1000us stands there twice, which is 1ms"),
        (["rt=1ms"], "ixgb_wan has no parameter 'rt'; did you mean rtt?"),
    ],
)
def test_a_wrong_value_is_found_before_anything_runs(
    tmp_path: Path, over: list[str], line: str
) -> None:
    with pytest.raises(UsageError) as caught:
        sweep.plan("ixgb_wan", over, [], tmp_path / "s", 1)
    assert str(caught.value) == line
    assert not (tmp_path / "s").exists()


def test_a_parameter_is_either_fixed_or_varied(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        sweep.plan("ixgb_wan", ["rtt=1ms,2ms"], ["rtt=4ms"], tmp_path / "s", 1)
    assert str(caught.value) == "--set rtt=4ms: --over varies rtt; take one of them"


def test_a_sweep_into_a_place_without_room_for_it_is_one_line(cli: Cli) -> None:
    done = cli("sweep", "ixgb_wan", "--over", "rtt=1ms", "--out", "/proc/s")
    assert done.returncode == 1
    assert done.stderr == (
        "longhaul: cannot write to /proc/s: nothing can be made there; choose another --out\n"
    )


def test_a_sweep_ends_with_the_figures_of_every_case(cli: Cli) -> None:
    done = cli("sweep", "ixgb_wan", "--over", "rtt=1ms,2ms", "--over", "mtu=1500", "--out", "s")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[0][:3] == ["rtt", "mtu", "goodput,"]
    compared = cli("compare", "s", "s")
    assert compared.stderr == "longhaul: s: a sweep; name one of the runs in it\n"
    assert [line[:3] for line in lines[1:3]] == [["1ms", "1500", "6.062"], ["2ms", "1500", "6.062"]]


def test_a_sweep_runs_what_is_missing_and_sums_up(cli: Cli, tmp_path: Path) -> None:
    command = ("sweep", "ixgb_wan", "--over", "rtt=1ms,2ms,4ms", "--jobs", "2", "--out", "s")
    first = cli(*command)
    assert first.returncode == 0, first.stderr
    results = json.loads((tmp_path / "s" / "results.json").read_text())
    assert [case["case"]["rtt"] for case in results["cases"]] == ["1ms", "2ms", "4ms"]
    kept = (tmp_path / "s" / "rtt=1ms" / "results.json").stat().st_ino
    shutil.rmtree(tmp_path / "s" / "rtt=2ms")
    second = cli(*command)
    assert second.returncode == 0, second.stderr
    assert "2 of 3 runs are already there" in second.stderr
    assert "started rtt=2ms" in second.stderr and "started rtt=1ms" not in second.stderr
    assert (tmp_path / "s" / "rtt=1ms" / "results.json").stat().st_ino == kept
    assert cli("report", "s", "--html", "all.html").returncode == 0


def test_a_failed_case_is_named_and_the_others_count(cli: Cli, tmp_path: Path) -> None:
    done = cli("sweep", "ixgb_wan", "--over", "rtt=1ms,2ms", "--out", "s", mode="fail")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "longhaul: 2 of 2 runs failed: rtt=1ms: receiver: guest panicked at 1.250 s: Oops"
    )
    assert not (tmp_path / "s" / "results.json").exists()


def test_another_sweeps_folder_is_not_mixed_up(cli: Cli, tmp_path: Path) -> None:
    assert cli("sweep", "ixgb_wan", "--over", "rtt=1ms", "--out", "s").returncode == 0
    done = cli("sweep", "ixgb_wan", "--over", "rtt=1ms", "--set", "mtu=1500", "--out", "s")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == ("longhaul: s holds another sweep; choose another --out")
