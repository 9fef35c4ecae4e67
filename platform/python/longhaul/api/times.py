# SPDX-License-Identifier: Apache-2.0
"""Times that a script gives."""

from longhaul.errors import UsageError
from longhaul.units import Time


def time(value: object, what: str) -> Time:
    """Return what is a time; a UsageError, which starts with `what`, for a bare number."""
    if not isinstance(value, Time):
        raise UsageError(f"{what}: wants a time, such as ms(5), not {value!r}")
    return value


def period(value: object, instead: str = "") -> Time:
    """Return what is a time above 0; `instead` tells what does for one of 0."""
    found = time(value, "a period")
    if not found.ps:
        raise UsageError(f"a period of 0 is no period{instead}")
    return found
