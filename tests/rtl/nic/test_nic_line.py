# SPDX-License-Identifier: Apache-2.0
"""Runs nic_line_bench.py and nic_pause_bench.py: the 10-gigabit NIC's MAC."""

from collections import Counter
from pathlib import Path

import pytest
from harness import build, claims, run

BENCHES = ("nic_line_bench", "nic_pause_bench")
CLAIMS = [(bench, claim) for bench in BENCHES for claim in claims(bench)]
RAN: set[tuple[str, str]] = set()
CORNERS: Counter[str] = Counter()


@pytest.mark.parametrize(("bench", "claim"), CLAIMS)
def test_nic_line(bench: str, claim: str, tmp_path: Path) -> None:
    """One claim of a test bench."""
    CORNERS.update(run(build("nic_line_tb", "common", "nic"), bench, claim, tmp_path))
    RAN.add((bench, claim))


def test_every_corner_of_the_line_was_met() -> None:
    """Each `cover property` of the modules, over all claims."""
    assert set(CLAIMS) == RAN, "coverage is judged when every claim has run"
    assert {corner for corner, count in CORNERS.items() if not count} == set()
