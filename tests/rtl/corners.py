# SPDX-License-Identifier: Apache-2.0
"""Functional coverage: named corners, each counted, printed as a table and required to be hit."""

from __future__ import annotations

from collections.abc import Iterable


class Coverage:
    """Counts how often each corner of a closed list was met."""

    def __init__(self, title: str, corners: Iterable[str]) -> None:
        """List the corners; hitting any other is an error of the test bench."""
        self.title = title
        self.hits = dict.fromkeys(corners, 0)

    def hit(self, corner: str, when: bool = True) -> None:
        """Count a corner, if it was met."""
        if corner not in self.hits:
            raise KeyError(corner)
        self.hits[corner] += when

    def close(self) -> None:
        """Print the table; a corner that was never met fails the test."""
        width = max(len(corner) for corner in self.hits)
        print(f"functional coverage: {self.title}")
        for corner, count in self.hits.items():
            print(f"  {corner:{width}} {count:8}{'' if count else '   <-- not met'}")
        missed = [corner for corner, count in self.hits.items() if not count]
        assert not missed, f"corners not met: {missed}"
