# SPDX-License-Identifier: Apache-2.0
"""The frames that were lost in a run's window and before it, in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from longhaul.published.reference import lookup
from longhaul.results.directions import Direction

MOST_PLACES = 3  # that a sentence names


@dataclass(frozen=True)
class Losses:
    """Frames that went missing by their counters, segments that were sent again, and timeouts.

    `timeouts` are of the sending system's whole connection, None where it does not say.
    """

    drops: Mapping[str, int]
    drops_before: Mapping[str, int]
    again: int
    again_before: int
    timeouts: int | None
    causes: Mapping[str, str]

    @classmethod
    def of(
        cls, measured: Mapping[str, Any], direction: Direction, causes: Mapping[str, str]
    ) -> Losses:
        """Read them from `measured`; a counter that is absent there has no losses."""
        before: Mapping[str, Any] = measured.get("before_window") or {}
        timeouts = lookup(measured, f"guest.{direction.source}.tcp.timeouts")
        return cls(
            measured.get("drops") or {},
            before.get("drops") or {},
            int(direction.of(measured, "retransmits") or 0),
            int(direction.of(before, "retransmits") or 0),
            None if timeouts is None else int(timeouts),
            causes,
        )

    @property
    def any_before(self) -> bool:
        """Tell whether TCP had reason to slow down before the window."""
        return self.again_before > 0

    @property
    def none(self) -> bool:
        """Tell whether nothing was lost or sent again since the simulation began."""
        counts = (self.again, self.again_before, self.timeouts or 0)
        return not (self.drops or self.drops_before or any(counts))

    def in_window(self) -> str:
        """Return what was sent again in the window, and where frames went missing."""
        return _joined(_sent_again(self.again), self._places(self.drops))

    def before(self) -> str:
        """Return what was lost before the window, and that TCP sent nothing again in it."""
        lost = _joined(_sent_again(self.again_before), self._places(self.drops_before))
        now = self._places(self.drops) or "nothing was lost"
        text = f"before the window {lost or 'nothing was lost'}; "
        text += f"in it no segment was sent again, {now}"
        return text + (f"; TCP timed out {_times(self.timeouts)} in all" if self.timeouts else "")

    def harmless(self) -> str:
        """Return the sentence for a run in which TCP sent nothing again."""
        if self.none:
            return "nothing was lost"
        where = _joined(
            self._places(self.drops), self._places(self.drops_before, " before the window")
        )
        return f"no segment was sent again ({where})" if where else "no segment was sent again"

    def frames(self) -> str:
        """Return where frames went missing in the window."""
        return self._places(self.drops)

    def _places(self, drops: Mapping[str, int], when: str = "") -> str:
        most = sorted(drops.items(), key=lambda item: -item[1])[:MOST_PLACES]
        if not most:
            return ""
        said = {name: f" ({cause})" for name, cause in self.causes.items() if cause}
        places = ", ".join(f"{count} at {name}{said.get(name, '')}" for name, count in most)
        return f"frames lost{when}: {places}"


def _sent_again(segments: int) -> str:
    if not segments:
        return ""
    return "1 segment was sent again" if segments == 1 else f"{segments} segments were sent again"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _joined(*texts: str) -> str:
    return ", ".join(filter(None, texts))
