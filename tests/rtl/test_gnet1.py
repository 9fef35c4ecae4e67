# SPDX-License-Identifier: Apache-2.0
"""Runs the benches of the whole box."""

from pathlib import Path

import pytest
from harness import build, claims, run

BENCHES = ("gnet1_bench", "gnet1_stages_bench", "gnet1_network_bench", "gnet1_alien_bench")


@pytest.mark.parametrize(
    ("bench", "claim"), [(bench, claim) for bench in BENCHES for claim in claims(bench)]
)
def test_gnet1(bench: str, claim: str, tmp_path: Path) -> None:
    """One claim of a bench."""
    run(build("gnet1_tb", "common", "gnet1"), bench, claim, tmp_path)
