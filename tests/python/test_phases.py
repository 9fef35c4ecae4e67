# SPDX-License-Identifier: Apache-2.0
"""Instants of a run's parts: taken only on request, and not one of them in the run's folder."""

import json
import subprocess
import sys
import time
from pathlib import Path

from conftest import DRIVER
from longhaul import phases
from longhaul.devtools import fixed_bench
from longhaul.phases import Begun, Took

BEGUN = [Begun("interpreter", 11.0, 0.0), Begun("imports", 11.5, 0.25), Begun("exit", 13.0, 1.0)]


def test_parts_fill_the_time_from_start_to_end() -> None:
    found = phases.parts(BEGUN, 10.0, 13.25, 1.125)
    assert found == {
        "./longhaul": Took(1000.0, 0.0),
        "interpreter": Took(500.0, 250.0),
        "imports": Took(1500.0, 750.0),
        "exit": Took(250.0, 125.0),
    }
    assert fixed_bench.in_all(found.values()) == Took(3250.0, 1125.0)


def test_without_the_script_python_is_first() -> None:
    found = phases.parts(BEGUN[1:], 11.0, 13.25, 1.125)
    assert found["interpreter"] == Took(500.0, 250.0)
    assert "./longhaul" not in found


def test_a_part_that_begins_again_has_both_times() -> None:
    begun = [Begun("a", 0.0, 0.0), Begun("b", 1.0, 0.0), Begun("a", 3.0, 0.0)]
    assert phases.parts(begun, 0.0, 7.0, 0.0)["a"].wall_ms == 5000.0


def test_the_cheapest_run_counts() -> None:
    dear, cheap = {"a": Took(1.0, 9.0)}, {"a": Took(2.0, 4.0), "b": Took(2.0, 4.0)}
    assert fixed_bench.cheapest([dear, cheap, dear]) is cheap


def test_the_table_has_each_part_and_sums_without_the_simulator() -> None:
    found = {"simulator": Took(500.0, 400.0), "page": Took(30.0, 20.0), "exit": Took(3.0, 2.0)}
    table = fixed_bench.table({"a run": found})
    rows = dict(zip(*(column.cells for column in table.columns), strict=True))
    assert rows["page"] == "30 (20)" and rows["guests"] == ""
    assert (rows["all"], rows["all but the simulator"]) == ("533 (422)", "33 (22)")


# The stand-ins' driver, started as Python starts the package.
PROGRAM = f"""
import runpy, sys
sys.path.insert(0, {str(DRIVER.parent)!r})
import driver
driver.install()
sys.argv[0] = "longhaul"
runpy.run_module("longhaul", run_name="__main__")
"""


def run(folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "run", "ixgb_b2b", "--out", "o"],
        env=environment | {"FAKE_SIM": "ok"},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_run_tells_of_each_part_in_its_order(tmp_path: Path, environment: dict[str, str]) -> None:
    file = tmp_path / "instants.json"
    asked = {phases.FILE: str(file), phases.HANDED_OVER: f"{time.time()}"}
    run(tmp_path, environment | asked)
    begun = phases.read(file)
    assert [phases.SCRIPT, *(each.part for each in begun)] == list(fixed_bench.PARTS)
    for clock in ([each.wall_s for each in begun], [each.cpu_s for each in begun]):
        assert clock == sorted(clock)


def test_nothing_of_it_is_in_the_folder(tmp_path: Path, environment: dict[str, str]) -> None:
    run(tmp_path, environment)
    plain = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("o/**/*"))
    manifest = json.loads((tmp_path / "o" / "manifest.json").read_text())
    results = json.loads((tmp_path / "o" / "results.json").read_text())
    (tmp_path / "o").rename(tmp_path / "plain")
    run(tmp_path, environment | {phases.FILE: str(tmp_path / "instants.json")})
    assert sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("o/**/*")) == plain
    assert json.loads((tmp_path / "o" / "manifest.json").read_text()).keys() == manifest.keys()
    assert json.loads((tmp_path / "o" / "results.json").read_text()).keys() == results.keys()
