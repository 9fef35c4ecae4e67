# SPDX-License-Identifier: Apache-2.0
"""Runs the test benches of the PCI-X core: all suites of suites.toml."""

from pathlib import Path

import pytest
from harness import BUILD, PUBLIC, claims, run, verilate
from suites import BlockTests, Suite, name_of

TESTS = BlockTests("pcix")
# Of the core of pcix_small_bench.py.
PARAMETERS = {"Bar0Log2": 7, "Bar0Is64": 0, "Bar1Log2": 0, "Tags": 2, "ReadWords": 512,
              "WriteWords": 256}  # fmt: skip


@pytest.mark.parametrize(("suite", "bench", "claim"), TESTS.claims, ids=name_of)
def test_pcix(suite: Suite, bench: str, claim: str, tmp_path: Path) -> None:
    """One claim of a test bench."""
    TESTS.run(suite, bench, claim, tmp_path)


@pytest.mark.parametrize("suite", TESTS.suites, ids=name_of)
def test_every_corner_was_met(suite: Suite) -> None:
    """Each `cover property` of the suite's modules, over all its claims; no module is without."""
    TESTS.check_corners(suite)


@pytest.mark.parametrize("claim", claims("pcix_small_bench"))
def test_other_parameters(claim: str, tmp_path: Path) -> None:
    """One claim about a core with one BAR of 32 bits and small buffers."""
    (suite,) = TESTS.suites
    options = [f"-G{name}={value}" for name, value in PARAMETERS.items()]
    program = verilate(suite.top, suite.sources(), PUBLIC, *options, folder=BUILD / "pcix_small")
    run(program, "pcix_small_bench", claim, tmp_path)


def test_each_module_is_of_one_suite() -> None:
    """A module that no suite is of has no test bench."""
    TESTS.check_modules()
