# SPDX-License-Identifier: Apache-2.0
"""The depth of a test: as much as CI has time for, or all of it with `./longhaul test --deep`."""

from __future__ import annotations

import os
from typing import TypeVar

import pytest
from longhaul.devtools import testing

T = TypeVar("T")

DEEP = os.environ.get(testing.DEEP) == "1"
deep_only = pytest.mark.skipif(not DEEP, reason="only ./longhaul test --deep has time for it")
"""Of a test or, as `pytestmark`, of a file: CI leaves it out."""


def depth(ci: T, deep: T) -> T:
    """Return a number of runs, connections or the like: CI's, or that of all depth."""
    return deep if DEEP else ci
