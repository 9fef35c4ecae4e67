# SPDX-License-Identifier: Apache-2.0
"""Golden runs: every artefact and every checkpoint of the record is as tests/golden has it."""

from pathlib import Path

import pytest
from longhaul.golden import file, runs
from longhaul.golden.verdict import State


@pytest.mark.parametrize("name", file.names())
def test_the_run_is_the_golden_one(name: str, tmp_path: Path) -> None:
    (verdict,) = runs.run([name], tmp_path, print)
    if verdict.state == State.NOT_COMPARABLE:
        pytest.skip(verdict.text)
    assert verdict.state == State.SAME, verdict.text
