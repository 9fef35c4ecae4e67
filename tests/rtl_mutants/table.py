# SPDX-License-Identifier: Apache-2.0
"""The table of all mutants of the template NIC in docs/rtl_mutants.md, written and read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rtl_mutants import rows as page
from rtl_mutants.rows import Row
from rtl_mutants.trial import UNMUTATED, Mutant
from rtl_mutants.verdict import Finding

BEGIN = "<!-- tests/rtl_mutants/run.py -->\n"


def write(mutants: Mapping[str, Mutant], results: Mapping[str, Finding | None]) -> None:
    """Write a row for each."""
    page.put(BEGIN, _rows(mutants, results))


def _rows(mutants: Mapping[str, Mutant], results: Mapping[str, Finding | None]) -> Iterator[Row]:
    for name, mutant in mutants.items():
        if name == UNMUTATED:
            continue
        if name not in results:
            yield Row(name, mutant.what, "none", "not run yet", "", is_message=False)
        elif found := results[name]:
            yield Row(name, mutant.what, found.stage, found.by, found.message)
        else:
            yield Row(name, mutant.what, "all", "**not caught**", mutant.why, is_message=False)


def rows() -> dict[str, tuple[str, str]]:
    """Return in which run, and by what, each mutant is caught, as the page says."""
    text = page.table(BEGIN)
    found = re.findall(r"(?m)^\| `(\w+)` \| [^|]* \| ([^|]*) \| ([^|]*) \|", text)
    return {name: (run, by) for name, run, by in found}
