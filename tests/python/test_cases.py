# SPDX-License-Identifier: Apache-2.0
"""Scenarios that have cases of their own: rows of a published table, run as one result."""

import json
from pathlib import Path

import pytest
from conftest import Cli
from longhaul import registry
from longhaul.errors import UsageError
from longhaul.sweeps import sweep
from longhaul.topology import Iperf, Ping

TABLE = registry.find("gnet1_table1")


def test_without_settings_every_row_of_the_table_is_a_case() -> None:
    cases = TABLE.cases([])
    assert len(cases) == 18
    rows = [TABLE.references.match(TABLE.parse(case)) for case in cases]
    assert all(rows)
    assert len({row.source for row in rows if row}) == 16
    figures = [(row.source, name) for row in rows if row for name in row.reference]
    assert len(set(figures)) == len(figures) == 32


@pytest.mark.parametrize(
    ("given", "count"),
    [
        (["box=nistnet"], 9),
        (["model=rtl"], 9),
        (["delay=5ms"], 2),
        (["delay=0s"], 4),
        (["delay=0ms"], 4),
        (["duration=1s"], 18),
        (["workload=iperf"], 16),
        (["remembered=off"], 16),
        (["length=128KiB", "cpu_ghz=2.4"], 16),
        (["workload=ping"], 16),
        (["box=gnet1", "delay=3ms"], 1),
        (["box=gnet1", "delay=0s"], 1),
    ],
)
def test_settings_leave_fewer_rows(given: list[str], count: int) -> None:
    cases = TABLE.cases(given)
    assert len(cases) == count
    settings = [TABLE.parse_case(given, case) for case in cases]
    for text in given:
        name = text.partition("=")[0]
        wanted = getattr(TABLE.parse([text]), name)
        assert all(getattr(each, name) == wanted for each in settings)


@pytest.mark.parametrize("name", ["gnet1_table1", "gnet1_discard", "gnet1_fig6"])
def test_a_published_value_is_known_however_it_is_written(name: str) -> None:
    entry = registry.find(name)
    assert entry.cases(["delay=2000us"]) == entry.cases(["delay=2ms"])


def test_echoes_without_delay_have_hosts_of_one_processors_clock() -> None:
    for given in (["delay=0s"], ["delay=0s", "workload=ping"]):
        *_, echoes = TABLE.cases(given)
        settings = TABLE.parse_case(given, echoes)
        assert (settings.workload, settings.cpu_ghz) == ("ping", 2.4)
    assert TABLE.parse(TABLE.cases(["delay=0s"])[0]).cpu_ghz == 4.8


def test_a_scenario_without_cases_has_none() -> None:
    assert registry.find("ixgb_b2b").cases([]) == []


def test_the_references_are_the_papers_table() -> None:
    row = TABLE.references.match(TABLE.parse(["box=nistnet", "delay=50ms"]))
    assert row is not None
    assert row.reference == {"rtt_ms": 100.33, "goodput_gbps": 0.00471}
    assert TABLE.references.match(TABLE.parse(["box=nistnet", "delay=3ms"])) is None
    assert TABLE.references.match(TABLE.parse(["workload=ping"])) is None


def test_only_connections_through_gnet1_remember() -> None:
    def ssthresh(*assignments: str) -> int | None:
        workload = TABLE.build(TABLE.parse(assignments), 1).check()
        assert isinstance(workload, Iperf) and workload.kernel
        return workload.kernel.ssthresh

    assert ssthresh("box=gnet1") == 22
    assert ssthresh("box=nistnet") is None
    assert ssthresh("box=nistnet", "remembered=on") == 22
    assert ssthresh("box=gnet1", "remembered=off") is None


def test_ping_alone_is_a_workload() -> None:
    assert isinstance(TABLE.build(TABLE.parse(["workload=ping"]), 1).check(), Ping)


def test_what_is_given_holds_for_all_cases(tmp_path: Path) -> None:
    given = ["box=nistnet", "mtu=1400"]
    plan = sweep.plan_cases("gnet1_table1", TABLE.cases(given), given, tmp_path, 3)
    assert plan.fixed == ("mtu=1400",)
    assert plan.axes() == ["box", "delay", "duration", "workload", "cpu_ghz", "adapter"]
    assert plan.folder(plan.cases[3]).name == "box=nistnet,delay=5ms"


def test_a_wrong_value_is_found_before_anything_runs(tmp_path: Path) -> None:
    given = ["delay=5ms", "mtu=1"]
    with pytest.raises(UsageError, match="^mtu=1: must be 1280 to 1500$"):
        sweep.plan_cases("gnet1_table1", TABLE.cases(given), given, tmp_path / "o", 1)
    assert not (tmp_path / "o").exists()


def test_all_cases_become_one_result_beside_what_was_published(cli: Cli, tmp_path: Path) -> None:
    command = ("run", "gnet1_table1", "--set", "delay=5ms", "--set", "duration=1s", "--out", "t")
    done = cli(*command)
    assert done.returncode == 0, done.stderr
    results = json.loads((tmp_path / "t" / "results.json").read_text())
    assert [case["case"]["box"] for case in results["cases"]] == ["gnet1", "nistnet"]
    assert [case["reference"]["rtt_ms"] for case in results["cases"]] == [10.05, 10.26]
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[0][:6] == ["box", "delay", "goodput,", "Gb/s", "published", "%"]
    assert lines[1][:4] == ["gnet1", "5ms", "6.062", "0.0495"]
    assert (tmp_path / "t" / "report.html").is_file()

    kept = cli(*command)
    assert "2 of 2 runs are already there" in kept.stderr
    before = (tmp_path / "t" / "box=gnet1,delay=5ms" / "results.json").stat().st_ino
    forced = cli(*command, "--force", "--jobs", "2")
    assert "started box=gnet1,delay=5ms" in forced.stderr, forced.stderr
    assert (tmp_path / "t" / "box=gnet1,delay=5ms" / "results.json").stat().st_ino != before


def test_a_point_of_a_sweep_is_one_run_whatever_its_settings_leave_open(
    cli: Cli, tmp_path: Path
) -> None:
    given = ("--over", "delay=0s", "--set", "duration=1s", "--jobs", "1")
    done = cli("sweep", "gnet1_table1", *given, "--out", "s")
    assert done.returncode == 0, done.stderr
    (manifest,) = (tmp_path / "s").rglob("manifest.json")
    assert manifest.parent.parent == tmp_path / "s"


def test_one_case_is_a_run_like_any_other(cli: Cli, tmp_path: Path) -> None:
    given = ("--set", "box=gnet1", "--set", "delay=5ms", "--set", "duration=1s")
    done = cli("run", "gnet1_table1", *given, "--out", "o")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "o" / "manifest.json").is_file()


def test_recording_is_for_one_run(cli: Cli) -> None:
    done = cli("run", "gnet1_table1", "--pcap", "--out", "t")
    assert done.returncode == 2
    assert done.stderr == (
        "longhaul: --pcap records one run, and gnet1_table1 has 18 cases; choose one, such as "
        "--set box=gnet1 --set delay=0s --set duration=1s\n"
    )
