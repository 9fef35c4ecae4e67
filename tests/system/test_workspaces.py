# SPDX-License-Identifier: Apache-2.0
"""Workspaces as `longhaul new` makes them: each runs, and passes its own tests."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from longhaul.paths import ROOT
from longhaul.workspace import kinds
from rig.scripts import longhaul


@pytest.mark.parametrize("kind", kinds.all_of())
def test_every_kind_runs_as_it_is(kind: str, tmp_path: Path) -> None:
    longhaul(tmp_path, "new", "mine", "--kind", kind)
    longhaul(tmp_path / "mine", "run", "--set", "duration=20ms")
    (run,) = (tmp_path / "mine" / "out").iterdir()
    manifest = json.loads((run / "manifest.json").read_text())
    assert (manifest["scenario"], manifest["workspace"]) == ("mine", "mine")


def test_a_workspaces_driver_has_the_adapter_of_a_built_in_one(tmp_path: Path) -> None:
    longhaul(tmp_path, "new", "mydrv", "--kind", "driver")
    out = tmp_path / "out"
    done = longhaul(tmp_path / "mydrv", "run", "--out", str(out))
    assert "own: mydrv gets its PCI devices (8086:100f, 8086:1011) from the built-in e1000" in (
        done.stdout + done.stderr
    )
    drivers = {
        guest: (out / "guests" / guest / "report" / "ethtool-i.txt").read_text().splitlines()[0]
        for guest in ("own", "peer")
    }
    assert drivers == {"own": "driver: mydrv", "peer": "driver: e1000"}
    console = (out / "guests" / "own" / "console.log").read_text()
    assert "mydrv: gets 0000:00:01.0, which e1000 had" in console
    software = json.loads((out / "manifest.json").read_text())["guest_software"]
    assert set(software) == {"own"}
    assert software["own"]["modules"][0]["takes"] == ["8086:100f", "8086:1011"]
    measured = json.loads((out / "results.json").read_text())["cases"][0]["measured"]
    assert 0 < measured["rtt_ms"] < 1


def test_a_study_passes_its_own_ci(tmp_path: Path) -> None:
    longhaul(tmp_path, "new", "mine")
    where = {"LONGHAUL": str(ROOT / "longhaul"), "LONGHAUL_CONTAINER": "0"}
    done = subprocess.run(
        [tmp_path / "mine" / "ci.sh"], env=os.environ | where, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "1 passed" in done.stdout
