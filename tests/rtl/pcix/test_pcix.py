# SPDX-License-Identifier: Apache-2.0
"""Runs the test benches of the PCI-X core: all suites of suites.toml."""

from collections import Counter, defaultdict
from pathlib import Path

import pytest
from harness import BUILD, PUBLIC, claims, rtl_files, run, verilate
from suites import Suite, suites_of

# Of the core of pcix_small_bench.py.
PARAMETERS = {"Bar0Log2": 7, "Bar0Is64": 0, "Bar1Log2": 0, "Tags": 2, "ReadWords": 512,
              "WriteWords": 256}  # fmt: skip
SUITES = suites_of("pcix")
CLAIMS = [(suite, bench, claim) for suite in SUITES for bench, claim in suite.claims()]
RAN: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
CORNERS: defaultdict[str, Counter[str]] = defaultdict(Counter)


@pytest.mark.parametrize(
    ("suite", "bench", "claim"),
    CLAIMS,
    ids=lambda each: each.top if isinstance(each, Suite) else each,
)
def test_pcix(suite: Suite, bench: str, claim: str, tmp_path: Path) -> None:
    """One claim of a test bench."""
    CORNERS[suite.top].update(run(suite.program(), bench, claim, tmp_path))
    RAN[suite.top].add((bench, claim))


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.top)
def test_every_corner_was_met(suite: Suite) -> None:
    """Each `cover property` of the suite's modules, over all its claims; no module is without."""
    assert set(suite.claims()) == RAN[suite.top], "coverage is judged when every claim has run"
    corners = suite.corners(CORNERS[suite.top])
    assert len(corners) >= suite.least_corners
    assert {name for name, count in corners.items() if not count} == set()
    covered = [path.stem for path in rtl_files("pcix") if "cover property" in path.read_text()]
    wanted = set(suite.modules) & set(covered)
    assert {name.split(".")[0] for name in corners} >= wanted


@pytest.mark.parametrize("claim", claims("pcix_small_bench"))
def test_other_parameters(claim: str, tmp_path: Path) -> None:
    """One claim about a core with one BAR of 32 bits and small buffers."""
    (suite,) = SUITES
    options = [f"-G{name}={value}" for name, value in PARAMETERS.items()]
    program = verilate(suite.top, suite.sources(), PUBLIC, *options, folder=BUILD / "pcix_small")
    run(program, "pcix_small_bench", claim, tmp_path)


def test_each_module_is_of_one_suite() -> None:
    """A module that no suite is of has no test bench."""
    modules = [path.stem for path in rtl_files("pcix") if not path.stem.endswith("_pkg")]
    assert sorted(module for suite in SUITES for module in suite.modules) == sorted(modules)
