# SPDX-License-Identifier: Apache-2.0
"""Runs the test bench of the box's register block."""

from pathlib import Path

import pytest
from harness import build, claims, run

BENCH = "gnet1_regs_bench"


@pytest.mark.parametrize("claim", claims(BENCH))
def test_gnet1_regs(claim: str, tmp_path: Path) -> None:
    """One claim of the test bench."""
    run(build("gnet1_regs_tb", "common", "gnet1"), BENCH, claim, tmp_path)
