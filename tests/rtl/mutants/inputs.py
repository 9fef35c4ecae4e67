# SPDX-License-Identifier: Apache-2.0
"""The files that the claims of suites depend on: for what is kept of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from harness import HERE, in_tests
from suites import Suite


def inputs_of(suites: Iterable[Suite]) -> list[Path]:
    """Return the RTL, the suites' test benches, and the Python modules that these may use."""
    found: set[Path] = set(HERE.glob("*.py"))
    benches: set[str] = set()
    for suite in suites:
        found.update(suite.sources())
        found.update(in_tests(f"{suite.top}.sv").parent.glob("*.py"))
        benches.update(suite.benches)
    return sorted(path for path in found if _counts(path, benches))


def _counts(path: Path, benches: set[str]) -> bool:
    if path.suffix != ".py" or path.stem in benches:
        return True
    return not (path.stem.endswith("_bench") or path.name.startswith("test_"))
