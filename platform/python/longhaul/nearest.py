# SPDX-License-Identifier: Apache-2.0
"""Suggestions for misspelt names."""

import difflib
from collections.abc import Iterable


def did_you_mean(text: str, valid: Iterable[str]) -> str:
    """Return "; did you mean X?" for the nearest valid name, or all names when none is near."""
    names = sorted(valid)
    near = difflib.get_close_matches(text, names, n=1, cutoff=0.5)
    if near:
        return f"; did you mean {near[0]}?"
    return f"; there are {', '.join(names)}" if names else ""
