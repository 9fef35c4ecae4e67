# SPDX-License-Identifier: Apache-2.0
"""The first difference of a stream: where it is, and both sides with their times."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Side:
    """One run's item there, and its time, in picoseconds of its own time."""

    time_ps: int
    text: str


@dataclass(frozen=True)
class Difference:
    """Where two runs differ first."""

    what: str
    rtl: Side
    twin: Side

    def text(self) -> str:
        """Return it in one line."""
        return (
            f"{self.what}: the adapter at {self.rtl.time_ps / 1e12:.9f} s {self.rtl.text}; "
            f"its twin at {self.twin.time_ps / 1e12:.9f} s {self.twin.text}"
        )
