# SPDX-License-Identifier: Apache-2.0
"""Coverage of RTL in whole runs: finished, failed and interrupted ones, merged."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from longhaul.coverage import figures, merge
from longhaul.paths import ROOT
from rig.scripts import longhaul, start

WORKSPACE = '[workspace]\nname = "line"\nplugins = ["mapped.toml"]\n'
MAP = """
[block]
name = "mapped"
top = "regenerator_top"
sources = ["rtl/*_pkg.sv", "rtl/*.sv"]
[clocks.clk_125m]
frequency = "125MHz"
[clocks.west_rx]
pin = "rx_clk[0]"
frequency = "125MHz"
[clocks.east_rx]
pin = "rx_clk[1]"
frequency = "125MHz"
[resets.arst_n]
clock = "clk_125m"
[interfaces.west]
kind = "gmii"
tx_clock = "clk_125m"
rx_clock = "west_rx"
pins = {txd = "txd[7:0]", tx_en = "tx_en[0]", tx_er = "tx_er[0]", rxd = "rxd[7:0]", rx_dv = "rx_dv[0]", rx_er = "rx_er[0]"}
[interfaces.east]
kind = "gmii"
tx_clock = "clk_125m"
rx_clock = "east_rx"
pins = {txd = "txd[15:8]", tx_en = "tx_en[1]", tx_er = "tx_er[1]", rxd = "rxd[15:8]", rx_dv = "rx_dv[1]", rx_er = "rx_er[1]"}
[box]
ports = {west = "west", east = "east"}
"""  # noqa: E501
# Two boxes in a row: the first one has frames both ways, as the second.
LINE = '''"""Two modelled hosts with two boxes between them."""

from dataclasses import dataclass

from longhaul.settings import Count, setting
from longhaul.topology import Box, Iperf, Scenario, System, machines, nics
from longhaul.units import Size, Time, ms


@dataclass(frozen=True, kw_only=True)
class LineSettings:
    ms: int = setting(Count(1, 10000), "2", help="of traffic", source="short")


SETTINGS = LineSettings


def build(settings: LineSettings, seed: int) -> Scenario:
    scenario = Scenario("line", seed=seed)
    system = System(profile="linux-2.6.6")
    left, right = (
        scenario.add(machines.xeon_533(name, nic=nics.e1000(), system=system))
        for name in ("left", "right")
    )
    near, far = (
        scenario.add(Box(name=name, type="mapped", one_way_delay=Time(0)))
        for name in ("near", "far")
    )
    scenario.link(left.port("eth0"), near.port("west"), name="a", phy="1000base-x")
    scenario.link(near.port("east"), far.port("west"), name="b", phy="1000base-x")
    scenario.link(far.port("east"), right.port("eth0"), name="c", phy="1000base-x")
    scenario.run_workload(
        Iperf(
            sender=left, receiver=right, duration=ms(settings.ms), warmup=ms(1), window=Size(65536)
        )
    )
    return scenario
'''
CHECKS = """
  logic [15:0] seen_q = '0;
  always_ff @(posedge clk_125m) if (tx_en[0] && seen_q != '1) seen_q <= seen_q + 16'd1;
  FewBytesGoWest: assert property (@(posedge clk_125m) seen_q < 16'd2000);
  BytesGoWest: cover property (@(posedge clk_125m) tx_en[0]);
  LineIsBroken: cover property (@(posedge clk_125m) tx_er != '0);
"""
COUNT = ("--param", "near.rules=count", "--param", "far.rules=count")


def measured(run: Path) -> Mapping[str, Any]:
    return json.loads((run / "results.json").read_text())["cases"][0]["measured"]


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with a box whose assertion fails when 2000 bytes have gone west."""
    folder = tmp_path_factory.mktemp("line")
    rtl = folder / "rtl"
    shutil.copytree(ROOT / "rtl" / "regenerator", rtl, ignore=shutil.ignore_patterns("box", "*.md"))
    for source in (ROOT / "rtl" / "common").glob("*.sv"):
        shutil.copy(source, rtl)
    top = rtl / "regenerator_top.sv"
    text = top.read_text().rstrip()
    assert text.endswith("endmodule")
    top.write_text(text.removesuffix("endmodule") + CHECKS + "endmodule\n")
    (folder / "longhaul.toml").write_text(WORKSPACE)
    (folder / "mapped.toml").write_text(MAP)
    (folder / "scenario.py").write_text(LINE)
    longhaul(folder, "run", *COUNT, "--pcap", "--coverage", "--out", "out/covered")
    return folder


def covers(merged: merge.Merged) -> dict[str, int]:
    return {each.name: each.count for file in figures.files(merged) for each in file.covers}


def test_a_run_is_the_same_with_coverage(line: Path) -> None:
    longhaul(line, "run", *COUNT, "--pcap", "--out", "out/plain")
    ours, theirs = line / "out" / "covered", line / "out" / "plain"
    assert measured(ours) == measured(theirs)
    for link in ("a", "b", "c"):
        name = f"{link}.pcapng"
        assert (ours / name).read_bytes() == (theirs / name).read_bytes()
    assert not (theirs / "coverage").exists()


def test_each_block_has_a_file_of_its_own(line: Path) -> None:
    run = line / "out" / "covered"
    names = sorted(path.name for path in (run / "coverage").iterdir())
    assert names == ["designs.json", "far.buses.json", "far.dat", "near.buses.json", "near.dat"]
    assert not (run / "raw" / "coverage").exists()
    (both,) = merge.of([run])
    by_place = [covers(merge.of([run], [place])[0]) for place in ("near", "far")]
    assert all(each["BytesGoWest"] > 2000 and not each["LineIsBroken"] for each in by_place)
    assert covers(both)["BytesGoWest"] == sum(each["BytesGoWest"] for each in by_place)


def test_a_run_that_a_failed_assertion_ends_keeps_what_it_reached(line: Path) -> None:
    words = ["-m", "longhaul", "run", "--coverage", "--out", "out/failed"]
    done = start(words, cwd=line, timeout=None, environment={"LONGHAUL_PLUGINS": ""})
    assert done.returncode == 1
    assert "FewBytesGoWest" in done.stderr
    (merged,) = merge.of([line / "out" / "failed"])
    assert merged.runs == ["failed (did not end well), far", "failed (did not end well), near"]
    assert 1000 < covers(merged)["BytesGoWest"] <= 4000
    said = longhaul(line, "coverage", "out/failed", "out/covered", "--out", "out/both").stdout
    assert "no run hits regenerator_top.LineIsBroken" in said
    designs = json.loads((line / "out" / "both" / "coverage.json").read_text())["designs"]
    assert len(designs) == 1 and len(designs[0]["runs"]) == 4
    assert all(name.startswith("rtl/") for name in designs[0]["files"])


def test_a_run_that_is_interrupted_keeps_what_it_reached(line: Path) -> None:
    words = [sys.executable, "-m", "longhaul", "run", *COUNT, "--set", "ms=10000"]
    process = subprocess.Popen(
        [*words, "--coverage", "--out", "out/stopped"],
        cwd=line,
        env=os.environ | {"LONGHAUL_PLUGINS": ""},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    partial = line / "out" / "stopped.partial"
    deadline = time.monotonic() + 120
    while not (partial / "raw" / "series.csv.part").exists():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.1)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    (merged,) = merge.of([line / "out" / "stopped"])
    assert "BytesGoWest" in covers(merged)


def test_runs_of_other_rtl_are_refused_with_the_files_name(line: Path) -> None:
    source = line / "rtl" / "regenerator_top.sv"
    text = source.read_text()
    source.write_text(text + "// another\n")
    try:
        longhaul(line, "run", *COUNT, "--coverage", "--out", "out/other")
    finally:
        source.write_text(text)
    words = ["-m", "longhaul", "coverage", "out/covered", "out/other", "--out", "out/never"]
    done = start(words, cwd=line, environment={"LONGHAUL_PLUGINS": ""})
    assert done.returncode == 2
    assert "rtl/regenerator_top.sv of mapped differs between out/covered and out/other" in (
        done.stderr
    )


def test_a_run_without_such_a_block_is_refused(line: Path) -> None:
    words = ["-m", "longhaul", "--check-only", "run", "ixgb_b2b", "--coverage"]
    done = start(words, cwd=line, environment={"LONGHAUL_PLUGINS": ""})
    assert done.returncode == 2
    assert "--coverage: no part is RTL by a port map" in done.stderr
