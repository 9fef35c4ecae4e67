# SPDX-License-Identifier: Apache-2.0
"""Runs nic_dma_bench.py: the 10-gigabit NIC's access to host memory."""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from harness import claims, in_tests, rtl_files, run, verilate

BENCH = "nic_dma_bench"
MODULES = ("nic_cut.", "nic_read.", "nic_write.", "nic_axi.")
CLAIMS = claims(BENCH)
RAN: set[str] = set()
CORNERS: Counter[str] = Counter()


@cache
def _program() -> Path:
    sources = [*rtl_files("common", "nic"), in_tests("nic_dma_tb.sv")]
    return verilate("nic_dma_tb", sources, in_tests("nic_bus.vlt"))


@pytest.mark.parametrize("claim", CLAIMS)
def test_nic_dma(claim: str, tmp_path: Path) -> None:
    """One claim of the test bench."""
    CORNERS.update(run(_program(), BENCH, claim, tmp_path))
    RAN.add(claim)


def test_every_corner_of_the_dma_was_met() -> None:
    """Each `cover property` of the modules, over all claims."""
    assert set(CLAIMS) == RAN, "coverage is judged when every claim has run"
    missed = {corner for corner, count in CORNERS.items() if not count}
    assert {corner for corner in missed if corner.startswith(MODULES)} == set()
