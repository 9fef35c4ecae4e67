# SPDX-License-Identifier: Apache-2.0
"""Lines, covers and fields that no claim of a block's test benches reaches, with the reasons.

Bits that never changed are listed without reasons: a bit of an address or of a constant may rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from longhaul.coverage.page import View

from covered.fields import Fields
from covered.waivers import Waivers


@dataclass(frozen=True)
class Missed:
    """Something that is not reached; `why` is empty if nobody has said why."""

    kind: str
    what: str
    why: str


class Never:
    """All that is not reached."""

    def __init__(self, view: View, fields: Fields | None, waivers: Waivers) -> None:
        """Look through merged coverage."""
        self._view, self._fields = view, fields
        self._missed = [
            *self._lines(waivers),
            *self._covers(waivers),
            *(self._of_fields(fields, waivers) if fields else ()),
        ]
        self._needless = [Missed("reason", str(each), "") for each in waivers.needless]

    def _lines(self, waivers: Waivers) -> Iterator[Missed]:
        for file in self._view.files:
            text = file.text.splitlines()
            for number, count in sorted(file.lines.items()):
                if not count:
                    source = text[number - 1].strip()
                    what = f"{file.name}:{number}: {source}"
                    yield Missed("line", what, waivers.line(file.name, source))

    def _covers(self, waivers: Waivers) -> Iterator[Missed]:
        for cover in self._view.missed_covers:
            name = f"{cover.file.removesuffix('.sv')}.{cover.name}"
            yield Missed("cover", name, waivers.cover(name))

    def _of_fields(self, fields: Fields, waivers: Waivers) -> Iterator[Missed]:
        for each in fields.all:
            if missed := each.missed():
                what = f"{each.name} is not {', not '.join(missed)}"
                yield Missed("field", what, waivers.field(each.name))

    @property
    def unexplained(self) -> list[Missed]:
        """Return what has no reason, and reasons that nothing has."""
        return [each for each in (*self._missed, *self._needless) if not each.why]

    def text(self) -> str:
        """Return a list of all, those without a reason first, and signals that never changed."""
        parts = [f"{each.kind} without a reason: {each.what}" for each in self.unexplained]
        parts += [f"{each.kind}: {each.what} ({each.why})" for each in self._missed if each.why]
        parts += [
            f"signal: {file}:{signal.line}: {signal.name} {signal.never()}".rstrip()
            for file, signal in self._view.never
        ]
        return "".join(f"{part}\n" for part in parts)

    def sum(self) -> str:
        """Return lines for the terminal: figures, and what has no reason."""
        found: list[str] = []
        for kind, what in (("line", "lines"), ("cover", "covers")):
            tally = self._view.totals[what]
            found.append(f"{what}: {tally.hit} of {tally.total}{self._rest(kind)}")
        for kind in ("branches", "toggles"):
            tally = self._view.totals[kind]
            if tally.total:
                found.append(f"{kind}: {tally.hit} of {tally.total}")
        if self._fields:
            for what, tally in self._fields.tallies().items():
                found.append(f"fields {what}: {tally.hit} of {tally.total}")
            found[-2] += self._rest("field")
        found += [f"{each.kind} without a reason: {each.what}" for each in self.unexplained]
        return "\n".join(found)

    def _rest(self, kind: str) -> str:
        ours = [each for each in self._missed if each.kind == kind]
        explained = sum(bool(each.why) for each in ours)
        return f"; {explained} with a reason, {len(ours) - explained} without"
