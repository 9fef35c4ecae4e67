# SPDX-License-Identifier: Apache-2.0
"""Runs the test benches of the 10-gigabit NIC: all suites of suites.toml."""

from pathlib import Path

import pytest
from suites import BlockTests, Suite, name_of

TESTS = BlockTests("nic")


@pytest.mark.parametrize(("suite", "bench", "claim"), TESTS.claims, ids=name_of)
def test_nic(suite: Suite, bench: str, claim: str, tmp_path: Path) -> None:
    """One claim of a test bench."""
    TESTS.run(suite, bench, claim, tmp_path)


@pytest.mark.parametrize("suite", TESTS.suites, ids=name_of)
def test_every_corner_was_met(suite: Suite) -> None:
    """Each `cover property` of the suite's modules, over all its claims; no module is without."""
    TESTS.check_corners(suite)


def test_each_module_is_of_one_suite() -> None:
    """A module that no suite is of has no test bench."""
    TESTS.check_modules()
