# SPDX-License-Identifier: Apache-2.0
"""Runs nic_statistics_bench.py: the 10-gigabit NIC's counters."""

from collections import Counter
from pathlib import Path

import pytest
from harness import build, claims, run

BENCH = "nic_statistics_bench"
CLAIMS = claims(BENCH)
RAN: set[str] = set()
CORNERS: Counter[str] = Counter()


@pytest.mark.parametrize("claim", CLAIMS)
def test_nic_statistics(claim: str, tmp_path: Path) -> None:
    """One claim of the test bench."""
    CORNERS.update(run(build("nic_statistics_tb", "common", "nic"), BENCH, claim, tmp_path))
    RAN.add(claim)


def test_every_corner_of_the_counters_was_met() -> None:
    """Each `cover property` of the module, over all claims."""
    assert set(CLAIMS) == RAN, "coverage is judged when every claim has run"
    assert {corner for corner, count in CORNERS.items() if not count} == set()
