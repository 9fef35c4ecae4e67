# SPDX-License-Identifier: Apache-2.0
"""Workspaces as `longhaul new` makes them: each runs, and passes its own tests."""

import json
from pathlib import Path

import pytest
from longhaul.workspace import kinds
from rig.scripts import longhaul


@pytest.mark.parametrize("kind", kinds.all_of())
def test_every_kind_runs_as_it_is(kind: str, tmp_path: Path) -> None:
    longhaul(tmp_path, "new", "mine", "--kind", kind)
    longhaul(tmp_path / "mine", "run", "--set", "duration=20ms")
    (run,) = (tmp_path / "mine" / "out").iterdir()
    manifest = json.loads((run / "manifest.json").read_text())
    assert (manifest["scenario"], manifest["workspace"]) == ("mine", "mine")


def test_a_study_passes_its_own_tests(tmp_path: Path) -> None:
    longhaul(tmp_path, "new", "mine")
    done = longhaul(tmp_path / "mine", "python", "-m", "pytest", "tests")
    assert "1 passed" in done.stdout
