# SPDX-License-Identifier: Apache-2.0
"""Runs in processes of their own: the command of one, and what it said in the end."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

LONGHAUL = (sys.executable, "-m", "longhaul")


def command(
    scenario: str,
    out: Path,
    sets: Iterable[str],
    params: Iterable[str] = (),
    seed: int = 1,
    *,
    force: bool = False,
) -> list[str]:
    """Return the command line of a run; `sets` and `params` are NAME=VALUE texts.

    `force` replaces a finished run.
    """
    words = [*LONGHAUL, "run", scenario, "--seed", str(seed), "--out", str(out)]
    words += ["--force"] if force else []
    words += [word for text in sets for word in ("--set", text)]
    words += [word for text in params for word in ("--param", text)]
    return words


def complaint(said: str, code: int) -> str:
    """Return why a run failed: the last line that it said."""
    lines = said.strip().splitlines()
    return lines[-1].removeprefix("longhaul: ") if lines else f"exit code {code}"
