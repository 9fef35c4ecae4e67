# SPDX-License-Identifier: Apache-2.0
"""`--layout N`: who takes it, and where it is found again."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from conftest import Cli
from longhaul.runs import child_runs
from longhaul.sweeps import sweep


def record(run: Path, name: str) -> dict[str, Any]:
    return json.loads((run / name).read_text())


def test_a_runs_layout_is_in_its_configuration_and_manifest(cli: Cli, tmp_path: Path) -> None:
    assert cli("run", "ixgb_b2b", "--out", "a").returncode == 0
    assert cli("run", "ixgb_b2b", "--layout", "3", "--out", "b").returncode == 0
    for name, layout in (("a", 0), ("b", 3)):
        assert record(tmp_path / name, "raw/config.json")["layout"] == layout
        assert record(tmp_path / name, "manifest.json")["layout"] == layout
    assert "seed 1, layout 3" in (tmp_path / "b" / "report.html").read_text()
    rows = [line.split() for line in cli("compare", "a", "b").stdout.splitlines()]
    assert ["layout", "0", "3"] in rows


@pytest.mark.parametrize("text", ["-1", "many", "9223372036854775808"])
def test_what_is_no_layout_is_refused(cli: Cli, text: str) -> None:
    done = cli("run", "ixgb_b2b", "--layout", text, "--out", "o")
    assert done.returncode == 2
    assert "--layout" in done.stderr and len(done.stderr.splitlines()) == 1


def test_the_environment_names_the_layout_of_what_asks_for_none(
    cli: Cli, tmp_path: Path, environment: dict[str, str]
) -> None:
    environment["LONGHAUL_LAYOUT"] = "4"
    assert cli("demo", "--out", "a").returncode == 0
    assert cli("run", "ixgb_b2b", "--layout", "0", "--out", "b").returncode == 0
    assert record(tmp_path / "a", "manifest.json")["layout"] == 4
    assert record(tmp_path / "b", "manifest.json")["layout"] == 0
    environment["LONGHAUL_LAYOUT"] = "x"
    done = cli("run", "ixgb_b2b", "--out", "c")
    assert done.returncode == 2 and "LONGHAUL_LAYOUT" in done.stderr


def test_a_sweeps_points_have_its_layout(cli: Cli, tmp_path: Path) -> None:
    words = ("sweep", "ixgb_wan", "--over", "rtt=1ms", "--out", "s", "--layout")
    done = cli(*words, "5")
    assert done.returncode == 0, done.stderr
    table = pl.read_parquet(tmp_path / "s" / "sweep.parquet")
    assert table["layout"].to_list() == [5]
    assert record(tmp_path / "s" / "rtt=1ms", "manifest.json")["layout"] == 5
    done = cli(*words, "6")
    assert done.returncode == 2 and "another sweep" in done.stderr


def test_a_sweep_without_a_layout_is_that_of_before_there_were_any(tmp_path: Path) -> None:
    plan = sweep.plan("ixgb_wan", ["rtt=1ms"], [], tmp_path, 1)
    assert "layout" not in plan.identity()


def test_a_run_of_another_command_says_its_layout_whatever_the_environment_says() -> None:
    words = child_runs.command("ixgb_wan", Path("o"), [])
    assert words[words.index("--layout") + 1] == "0"
