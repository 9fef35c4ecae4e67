# SPDX-License-Identifier: Apache-2.0
"""Runs nic_control_bench.py: the 10-gigabit NIC's pins, interrupt causes and timers."""

from collections import Counter
from pathlib import Path

import pytest
from harness import build, claims, run

BENCH = "nic_control_bench"
CLAIMS = claims(BENCH)
RAN: set[str] = set()
CORNERS: Counter[str] = Counter()


@pytest.mark.parametrize("claim", CLAIMS)
def test_nic_control(claim: str, tmp_path: Path) -> None:
    """One claim of the test bench."""
    CORNERS.update(run(build("nic_control_tb", "common", "nic"), BENCH, claim, tmp_path))
    RAN.add(claim)


def test_every_corner_of_the_control_was_met() -> None:
    """Each `cover property` of the modules, over all claims."""
    assert set(CLAIMS) == RAN, "coverage is judged when every claim has run"
    assert {corner for corner, count in CORNERS.items() if not count} == set()
