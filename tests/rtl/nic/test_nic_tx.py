# SPDX-License-Identifier: Apache-2.0
"""Runs the test benches of the NIC's transmit engine and its buffer."""

from collections import Counter
from pathlib import Path

import pytest
from harness import build, claims, run

BENCHES = ("nic_tx_bench", "nic_tx_limits_bench", "nic_tx_units_bench")
CLAIMS = [(bench, claim) for bench in BENCHES for claim in claims(bench)]
RAN: set[tuple[str, str]] = set()
CORNERS: Counter[str] = Counter()


@pytest.mark.parametrize(("bench", "claim"), CLAIMS)
def test_nic_tx(bench: str, claim: str, tmp_path: Path) -> None:
    """One claim of a test bench."""
    CORNERS.update(run(build("nic_tx_tb", "common", "nic"), bench, claim, tmp_path))
    RAN.add((bench, claim))


def test_every_corner_was_met() -> None:
    """Each `cover property` of the modules was met by the test benches above."""
    assert set(CLAIMS) == RAN, "coverage is judged when every bench has run"
    assert len(CORNERS) >= 70
    assert [corner for corner, count in sorted(CORNERS.items()) if not count] == []
