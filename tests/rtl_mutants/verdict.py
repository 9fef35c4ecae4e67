# SPDX-License-Identifier: Apache-2.0
"""What `longhaul validate` says of a bug: the first test that failed, who found it, the message."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Finding:
    """By what a test shows a bug, and its words."""

    stage: str
    by: str
    message: str
    wall_s: float = 0.0

    def after(self, wall_s: float) -> Finding:
        """Return the same with the wall time of its run."""
        return replace(self, wall_s=round(wall_s, 1))


def of(out: Path, code: int | None, said: str) -> Finding | None:
    """Judge a validation by its exit code, its words and its folder."""
    if code == 0:
        return None
    lines = [line for line in said.splitlines() if line.startswith("longhaul: ")]
    last = (lines or ["it said nothing"])[-1].removeprefix("longhaul: ")
    if code is None:
        return Finding("none", "no end", f"stopped after a long time: {last}")
    results = out / "results.json"
    if not results.is_file():
        return Finding("none", "Verilator" if "refuses the RTL" in last else "compiler", last)
    tests: list[dict[str, Any]] = json.loads(results.read_text())["tests"]
    failed = next(each for each in tests if each["findings"])
    first = failed["findings"][0]
    by, message = first["by"], first["message"]
    if rule := re.search(r"breaks the rule ([\w.]+)", message):
        by = f"rule {rule[1]}"
    elif assertion := re.search(r"Assertion failed in [\w.]*?(\w+): ", message):
        by = f"assertion {assertion[1]}"
    return Finding(failed["test"], by, message)
