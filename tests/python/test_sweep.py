# SPDX-License-Identifier: Apache-2.0
"""Sweeps: the runs themselves are the real command line, so these tests start none with a guest."""

import json
import shutil
from pathlib import Path

import pytest
from conftest import Cli
from longhaul.errors import UsageError
from longhaul.registry import find
from longhaul.sweeps import axes as sweep_axes
from longhaul.sweeps import sweep
from support.sweeps import LARGE, MTUS, table


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
        (
            ["rtt=1ms..5ms"],
            "--over rtt=1ms..5ms: how many values? rtt=1ms..5ms/5 is five evenly apart, "
            "1ms..5ms/x2 each twice the one before",
        ),
        (["tso=1..2/2"], "--over tso=1..2/2: tso has no ranges: it is on or off"),
        (
            ["rtt=5ms..1ms/x2"],
            "--over rtt=5ms..1ms/x2: 5ms..1ms/x2 wants a factor over 1 and a "
            "first value over 0 and below the last",
        ),
        (
            ["*.eth0.tx=1KiB..2MiB/2"],
            "--over *.eth0.tx=1KiB..2MiB/2: both ends of 1KiB..2MiB/2 want a number, of one unit",
        ),
        (["rtt,mtu=1ms"], "--over rtt,mtu=1ms: 1ms wants 2 values, as rtt,mtu=A:A,B:B"),
        (["rtt,mtu=1ms:1500", "mtu=9000"], "--over names mtu twice"),
        (["*.eth0.=4"], "--over *.eth0.=4: write name=value,value, such as --over rtt=1ms,10ms"),
        (["*.eth0.x=4,4.0"], "--over *.eth0.x=4,4.0: 4.0 stands there twice, which is 4"),
        (["rt=1ms"], "ixgb_wan has no setting 'rt'; did you mean rtt?"),
    ],
)
def test_a_wrong_value_is_found_before_anything_runs(
    tmp_path: Path, over: list[str], line: str
) -> None:
    with pytest.raises(UsageError) as caught:
        sweep.plan("ixgb_wan", over, [], tmp_path / "s", 1)
    assert str(caught.value) == line
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize(
    ("over", "values"),
    [
        ("rtt=0ms..400ms/5", "0ms 100ms 200ms 300ms 400ms"),
        ("rtt=0ms..100ms/4", "0ms 33.33ms 66.67ms 100ms"),
        ("rtt=1ms..1s/x10", "1ms 10ms 100ms 1s"),
        ("window=1MiB..10MiB/x3,64MB", "1MiB 3MiB 9MiB 64MB"),
        ("mtu=1500..9000/3,9198", "1500 5250 9000 9198"),
        ("cpu_ghz=1.8..2.6/4", "1.8 2.067 2.333 2.6"),
        ("loss=0.1%..0.5%/3", "0.1% 0.3% 0.5%"),
        ("*.eth0.tx_kib_clocks=240..150/4", "240 210 180 150"),
        ("sender.pcix.clock=66MHz..133MHz/3", "66MHz 99.5MHz 133MHz"),
        ("rtt,window=1ms..3ms/3:1MiB..4MiB/x2", "1ms:1MiB 2ms:2MiB 3ms:4MiB"),
    ],
)
def test_a_range_is_its_values(over: str, values: str) -> None:
    axis = sweep_axes.read(over, find("ixgb_wan"))
    assert " ".join(":".join(step) for step in axis.steps) == values


def test_names_that_change_together_are_one_axis(tmp_path: Path) -> None:
    over = ["rtt,window=1ms:1MiB,10ms:10MiB", "*.eth0.tx_kib_clocks=150,200"]
    plan = sweep.plan("ixgb_wan", over, [], tmp_path, 1)
    assert [plan.folder(case).name for case in plan.cases] == [
        "rtt=1ms,window=1MiB,eth0.tx_kib_clocks=150",
        "rtt=1ms,window=1MiB,eth0.tx_kib_clocks=200",
        "rtt=10ms,window=10MiB,eth0.tx_kib_clocks=150",
        "rtt=10ms,window=10MiB,eth0.tx_kib_clocks=200",
    ]


def test_a_folders_name_stays_short_and_cases_stay_apart(tmp_path: Path) -> None:
    commands = [f"workload=iperf -c $LH_PEER {'-l 1K ' * 60}-t {n}" for n in (1, 2)]
    plan = sweep.plan_cases("ixgb_wan", [(text,) for text in commands], [], tmp_path, 1)
    names = {plan.folder(case).name for case in plan.cases}
    assert len(names) == 2 and all(len(name) <= 180 for name in names)


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


def test_a_failed_point_is_kept_and_named_and_the_others_count(
    cli: Cli, tmp_path: Path, environment: dict[str, str]
) -> None:
    environment["FAKE_SIM_FAIL_AT"] = LARGE
    done = cli(*MTUS, "--jobs", "2")
    last = "longhaul: 2 of 4 runs failed: mtu=9000: receiver: guest panicked at 1.250 s: Oops"
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == last
    assert "9001" in done.stdout and "failed: receiver: guest panicked" in done.stdout
    page = (tmp_path / "s" / "report.html").read_text()
    assert "2 failed" in page and "guest panicked at 1.250 s: Oops" in page
    rows = table(tmp_path / "s")
    assert [row["status"] for row in rows.values()] == ["done", "done", "failed", "failed"]
    assert rows["mtu=9001"]["failure"] == "receiver: guest panicked at 1.250 s: Oops"
    assert rows["mtu=9001"]["mtu"] == 9001 and rows["mtu=9001"]["goodput_gbps"] is None

    del environment["FAKE_SIM_FAIL_AT"]
    again = cli(*MTUS)
    assert again.returncode == 1
    assert "started" not in again.stderr and again.stderr.splitlines()[-1] == last
    assert "2 failed before; --retry-failed repeats them" in again.stderr

    retried = cli(*MTUS, "--retry-failed")
    assert retried.returncode == 0, retried.stderr
    assert "started mtu=3000" not in retried.stderr and "started mtu=9000" in retried.stderr
    assert {row["status"] for row in table(tmp_path / "s").values()} == {"done"}
    assert not list((tmp_path / "s").glob("*.failed.json"))


def test_the_table_has_all_that_was_set_and_measured(cli: Cli, tmp_path: Path) -> None:
    over = ("--over", "*.eth0.tx_kib_clocks=150,200", "--over", "rtt=0ms..2ms/2")
    done = cli("sweep", "ixgb_wan", *over, "--set", "window=1MiB", "--jobs", "2", "--out", "s")
    assert done.returncode == 0, done.stderr
    rows = table(tmp_path / "s")
    row = rows["eth0.tx_kib_clocks=200,rtt=2ms"]
    assert len(rows) == 4
    assert (row["rtt"], row["rtt_s"], row["window_bytes"], row["tso"]) == (
        "2ms",
        0.002,
        2**20,
        False,
    )
    assert (row["goodput_gbps"], row["sender.irq_per_s"]) == (6.062181, 5236.0)
    assert row["sender.eth0.descriptor_cycles"] == 24 and row["xg1200.buffer"] == "1MiB"
    assert row["bottleneck"] and row["bottleneck_why"] and row["failure"] is None
    config = json.loads((tmp_path / "s" / str(row["point"]) / "raw" / "config.json").read_text())
    assert [m["devices"][0]["params"]["tx_kib_clocks"] for m in config["machines"]] == [200, 200]
    assert 'id="plot1-0"' in (tmp_path / "s" / "report.html").read_text()


def test_more_values_later_join_the_points_that_are_there(cli: Cli, tmp_path: Path) -> None:
    sweep_over = ("sweep", "ixgb_wan", "--out", "s", "--over")
    assert cli(*sweep_over, "mtu=3000").returncode == 0
    done = cli(*sweep_over, "mtu=3001")
    assert done.returncode == 0, done.stderr
    assert set(table(tmp_path / "s")) == {"mtu=3000", "mtu=3001"}
    assert len(json.loads((tmp_path / "s" / "results.json").read_text())["cases"]) == 2


def test_a_parameter_that_the_simulator_refuses_is_found_before_anything_runs(
    cli: Cli, tmp_path: Path
) -> None:
    done = cli("sweep", "ixgb_wan", "--over", "*.eth9.x=1,2", "--out", "s")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "longhaul: --param *.eth9.x=1: there is no sender.eth9; did you mean sender.eth0?"
    )
    done = cli("sweep", "ixgb_wan", "--over", "*.eth0.x=1,2", "--out", "s", mode="bad-config")
    assert done.stderr.splitlines()[-1] == "longhaul: sender.eth0.mtu: got 3, wants more"
    assert not (tmp_path / "s").exists()


def test_another_sweeps_folder_is_not_mixed_up(cli: Cli, tmp_path: Path) -> None:
    assert cli("sweep", "ixgb_wan", "--over", "rtt=1ms", "--out", "s").returncode == 0
    done = cli("sweep", "ixgb_wan", "--over", "rtt=1ms", "--set", "mtu=1500", "--out", "s")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == ("longhaul: s holds another sweep; choose another --out")


def test_a_sweep_of_which_nothing_came_gives_way(
    cli: Cli, environment: dict[str, str], tmp_path: Path
) -> None:
    environment["FAKE_ANSWER_S"] = "0.5"
    nobody = ("--scheduler", "tcp://127.0.0.1:1", "--out", "s")
    assert cli("sweep", "ixgb_wan", "--over", "rtt=1ms", *nobody).returncode == 1
    done = cli("sweep", "ixgb_wan", "--over", "rtt=2ms", "--set", "mtu=1500", "--out", "s")
    assert done.returncode == 0, done.stderr
    assert set(table(tmp_path / "s")) == {"rtt=2ms"}
