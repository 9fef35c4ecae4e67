# SPDX-License-Identifier: Apache-2.0
"""Mutants of a block by hand: bugs as people make them, in `hand_mutants.toml` of its tests.

Each has a name, `what` it is, the `file` of RTL, and a text `old` of it that is `new` instead.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

from harness import HERE, ROOT

from mutants.mutant import Mutant

FILE = "hand_mutants.toml"


def mutants(block: str) -> Iterator[Mutant]:
    """Yield the mutants; a ValueError if a text is not there exactly once."""
    path = HERE / block / FILE
    if not path.exists():
        return
    for name, entry in tomllib.loads(path.read_text()).items():
        (at,) = (ROOT / "rtl").glob(f"*/{entry['file']}")
        text, old = at.read_text(), entry["old"]
        if text.count(old) != 1:
            raise ValueError(f"{path}: {name}: {old!r} is {text.count(old)} times in {at.name}")
        yield Mutant.at(name, at, old, entry["new"], text.index(old), entry["what"])
