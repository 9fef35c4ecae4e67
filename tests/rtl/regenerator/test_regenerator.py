# SPDX-License-Identifier: Apache-2.0
"""Runs regenerator_bench.py; all corners of the block are met."""

from pathlib import Path

import pytest
from harness import build, claims, run

CORNERS: dict[str, int] = {}


@pytest.mark.parametrize("claim", claims("regenerator_bench"))
def test_regenerator(claim: str, tmp_path: Path) -> None:
    """One claim of the test bench."""
    program = build("regenerator_tb", "common", "regenerator")
    for name, count in run(program, "regenerator_bench", claim, tmp_path).items():
        CORNERS[name] = CORNERS.get(name, 0) + count


def test_every_corner_was_met() -> None:
    """Needs all claims above."""
    own = {name: n for name, n in CORNERS.items() if name.startswith("regenerator_way.")}
    assert len(own) == 3 and 0 not in own.values(), own
