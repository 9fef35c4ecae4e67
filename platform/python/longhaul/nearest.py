# SPDX-License-Identifier: Apache-2.0
"""Suggestions for misspelt names."""

import difflib
from collections.abc import Iterable

MOST_TOLD = 60  # names; of more only the nearest are told
NEAREST_TOLD = 5
NEAR = 0.6  # of difflib's ratio: "mmrcb" is near mmrbc (0.8), "rtt" is not near rate (0.57)


def nearest(text: str, valid: Iterable[str]) -> str | None:
    """Return the valid name that a misspelt one is near to, if there is one."""
    near = difflib.get_close_matches(text, sorted(valid), n=1, cutoff=NEAR)
    return near[0] if near else None


def did_you_mean(text: str, valid: Iterable[str]) -> str:
    """Return "; did you mean X?" for the nearest valid name, or all names when none is near."""
    names = sorted(valid)
    near = nearest(text, names)
    if near:
        return f"; did you mean {near}?"
    if len(names) > MOST_TOLD:
        some = difflib.get_close_matches(text, names, n=NEAREST_TOLD, cutoff=0.0)
        return f"; there are {len(names)}, such as {', '.join(some)}"
    return f"; there are {', '.join(names)}" if names else ""
