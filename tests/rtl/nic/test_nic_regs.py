# SPDX-License-Identifier: Apache-2.0
"""Runs the test benches of the 10-gigabit NIC's registers."""

from collections import Counter
from pathlib import Path

import pytest
from harness import build, claims, run

BENCHES = ("nic_regs_bench", "nic_regs_effects_bench")
CLAIMS = [(bench, claim) for bench in BENCHES for claim in claims(bench)]
RAN: set[tuple[str, str]] = set()
CORNERS: Counter[str] = Counter()
MODULES = ("nic_regs", "nic_tables", "nic_link")


@pytest.mark.parametrize(("bench", "claim"), CLAIMS)
def test_nic_regs(bench: str, claim: str, tmp_path: Path) -> None:
    """One claim of a test bench."""
    CORNERS.update(run(build("nic_regs_tb", "common", "nic"), bench, claim, tmp_path))
    RAN.add((bench, claim))


def test_every_corner_of_the_registers_was_met() -> None:
    """Each `cover property` of the modules, over all claims."""
    assert set(CLAIMS) == RAN, "coverage is judged when every claim has run"
    corners = {name: count for name, count in CORNERS.items() if name.split(".")[0] in MODULES}
    assert {corner for corner, count in corners.items() if not count} == set()
    assert {name.split(".")[0] for name in corners} == set(MODULES)
