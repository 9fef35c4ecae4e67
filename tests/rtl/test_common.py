# SPDX-License-Identifier: Apache-2.0
"""Runs common_bench.py: FIFO, synchronizers, CRC and LFSR of rtl/common."""

from pathlib import Path

import pytest
from harness import build, claims, run


@pytest.mark.parametrize("claim", claims("common_bench"))
def test_common(claim: str, tmp_path: Path) -> None:
    """One claim of the test bench."""
    run(build("common_tb", "common"), "common_bench", claim, tmp_path)
