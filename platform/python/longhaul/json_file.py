# SPDX-License-Identifier: Apache-2.0
"""Reads JSON that may be damaged."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, cast

from longhaul.errors import LonghaulError


def read(path: Path) -> Any:
    """Return a file's JSON; a ValueError for what is none, or is nested too deeply to be read."""
    try:
        return json.loads(path.read_text())
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def noted(path: Path, remedy: str, names: Collection[str] = ()) -> dict[str, Any]:
    """Return an object that Longhaul noted in its cache; a LonghaulError says how it comes back.

    With `names` it has these members.
    """
    found: Any = None
    with contextlib.suppress(ValueError):
        found = read(path)
    if not isinstance(found, dict) or (names and set(names) != {*cast("dict[str, Any]", found)}):
        raise LonghaulError(f"{path}: is damaged; {remedy}")
    return cast("dict[str, Any]", found)
