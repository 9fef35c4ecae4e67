# SPDX-License-Identifier: Apache-2.0
"""Runs nic_rx_engine_bench.py: the 10-gigabit NIC's receive engine."""

from collections import Counter
from pathlib import Path

import pytest
from harness import build, claims, run

BENCH = "nic_rx_engine_bench"
CLAIMS = claims(BENCH)
RAN: set[str] = set()
CORNERS: Counter[str] = Counter()


@pytest.mark.parametrize("claim", CLAIMS)
def test_nic_rx_engine(claim: str, tmp_path: Path) -> None:
    """One claim of the test bench."""
    CORNERS.update(run(build("nic_rx_engine_tb", "common", "nic"), BENCH, claim, tmp_path))
    RAN.add(claim)


def test_every_corner_of_the_receive_engine_was_met() -> None:
    """Each `cover property` of the module, over all claims."""
    assert set(CLAIMS) == RAN, "coverage is judged when every claim has run"
    missed = {corner for corner, count in CORNERS.items() if not count}
    assert {corner for corner in missed if corner.startswith("nic_rx_")} == set()
