# SPDX-License-Identifier: Apache-2.0
"""The tests that `longhaul validate` has: NAME.toml says what one needs, NAME.sh is what it does.

Each is one run of the scenario adapter_validation. The script runs in the guest on the adapter,
after guest.sh and steps.sh (docs/validate.md, Another test).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal

from longhaul.errors import LonghaulError, UsageError
from longhaul.nearest import did_you_mean

HERE = Path(__file__).parent
LIBRARY = HERE / "guest.sh"
FOLDER = HERE / "tests"
SHARED = HERE / "steps.sh"  # what several tests do, beside what all guests' scripts use


@dataclass(frozen=True, kw_only=True)
class ValidationTest:
    """A test: one run, with a script of several checks.

    With `lossless` not one frame may be lost in the measured window. `box` with its `params` is in
    the cable, `args` are words of the guest's kernel command line, `kernel_config` options of its
    kernel. A test with `twin` runs against the adapter's twin, too: its echoes go one by one. "all"
    says that values of registers are compared; "frames" that they are not, since TCP and resets
    make them a matter of time.
    """

    name: str
    title: str
    place: int
    lossless: bool = False
    box: str = ""
    params: Mapping[str, str | int | float] = field(default_factory=dict[str, str | int | float])
    adapter_params: Mapping[str, str | int] = field(default_factory=dict[str, str | int])
    args: tuple[str, ...] = ()
    kernel_config: tuple[str, ...] = ()
    twin: Literal["", "all", "frames"] = ""

    def script(self) -> str:
        """Return what the guest's shell runs."""
        texts = [each.read_text() for each in (LIBRARY, SHARED, FOLDER / f"{self.name}.sh")]
        return "\n".join(["NOTED=1", *texts])


@cache
def tests() -> Mapping[str, ValidationTest]:
    """Return all tests by name, in the order in which they run."""
    found = [_read(file) for file in FOLDER.glob("*.toml")]
    return {each.name: each for each in sorted(found, key=lambda each: (each.place, each.name))}


def find(name: str) -> ValidationTest:
    """Return a test; a UsageError names the nearest one."""
    if name not in tests():
        raise UsageError(f"no test is called {name!r}{did_you_mean(name, tests())}")
    return tests()[name]


def _read(file: Path) -> ValidationTest:
    values: dict[str, Any] = tomllib.loads(file.read_text())
    known = {each.name for each in fields(ValidationTest)} - {"name"}
    if strange := sorted(set(values) - known):
        raise LonghaulError(f"{file}: unknown key {strange[0]!r}{did_you_mean(strange[0], known)}")
    for key in ("args", "kernel_config"):
        values[key] = tuple(values.get(key, ()))
    return ValidationTest(name=file.stem, **values)
