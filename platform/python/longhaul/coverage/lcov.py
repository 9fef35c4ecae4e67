# SPDX-License-Identifier: Apache-2.0
"""Lines and branches as LCOV has them, for genhtml and editors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from longhaul.coverage.figures import File


def text(files: Sequence[File], folder: Path) -> str:
    """Return a tracefile; paths are whole, from the port map's folder on."""
    found: list[str] = ["TN:"]
    for file in files:
        found.append(f"SF:{(folder / file.name).resolve()}")
        for line, here in groupby(file.branches, key=lambda branch: branch.line):
            # A column begins an if or a case, or its else: they share a block.
            found += [
                f"BRDA:{line},0,{number},{branch.count}" for number, branch in enumerate(here)
            ]
        for kind, short in (("branches", "BR"), ("lines", "L")):
            tally = file.tally(kind)
            if kind == "lines":
                found += [f"DA:{line},{count}" for line, count in sorted(file.lines.items())]
            found += [f"{short}F:{tally.total}", f"{short}H:{tally.hit}"]
        found.append("end_of_record")
    return "\n".join(found) + "\n"
