# SPDX-License-Identifier: Apache-2.0
"""Runs nic_rx_bench.py, nic_rx_filter_bench.py and nic_rx_sums_bench.py: the NIC's receive path."""

from collections import Counter
from pathlib import Path

import pytest
from harness import build, claims, run

BENCHES = ("nic_rx_filter_bench", "nic_rx_bench", "nic_rx_sums_bench")
CLAIMS = [(bench, claim) for bench in BENCHES for claim in claims(bench)]
RAN: set[tuple[str, str]] = set()
CORNERS: Counter[str] = Counter()


@pytest.mark.parametrize(("bench", "claim"), CLAIMS)
def test_nic_rx(bench: str, claim: str, tmp_path: Path) -> None:
    """One claim of a test bench."""
    CORNERS.update(run(build("nic_rx_tb", "common", "nic"), bench, claim, tmp_path))
    RAN.add((bench, claim))


def test_every_corner_of_receive_was_met() -> None:
    """Each `cover property` of the modules, over all claims."""
    assert set(CLAIMS) == RAN, "coverage is judged when every claim has run"
    missed = {corner for corner, count in CORNERS.items() if not count}
    assert {corner for corner in missed if corner.startswith("nic_rx_")} == set()
