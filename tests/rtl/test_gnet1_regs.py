# SPDX-License-Identifier: Apache-2.0
"""Runs the test bench of the box's register block."""

from pathlib import Path

import pytest
from harness import run
from suites import suites_of

(SUITE,) = (suite for suite in suites_of("gnet1") if not suite.whole)


@pytest.mark.parametrize(("bench", "claim"), SUITE.claims())
def test_gnet1_regs(bench: str, claim: str, tmp_path: Path) -> None:
    """One claim of the test bench."""
    run(SUITE.program(), bench, claim, tmp_path)
