# SPDX-License-Identifier: Apache-2.0
"""The points of a sweep or of a published table on a terminal, beside what was published of them.

A point is a line. Where lines would not fit the terminal it is a column, in as many blocks as that
takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from longhaul import registry
from longhaul.published import reasons
from longhaul.results.steadiness import warning
from longhaul.results.words import figure_text, split_unit
from longhaul.sweeps.axes import is_parameter
from longhaul.sweeps.points import Point, names
from longhaul.sweeps.spread import WITHIN, WITHIN_MEANS, confidence_line, point_text

HOSTS = ("sender.cpu_busy_pct", "receiver.cpu_busy_pct")
GAP = 2  # characters behind a column
WRAPPED = 24  # characters of a text that is longer
INDENT = "  "
NONE = figure_text(None)


@dataclass(frozen=True)
class Row:
    """A column of all points: a figure, or (`words`) a text that may be broken.

    `beside`: it belongs to the row before.
    """

    heading: str
    texts: tuple[str, ...]
    words: bool = False
    beside: bool = False

    def width(self, points: slice = slice(None)) -> int:
        """Return the characters that the texts of these points want."""
        texts = self.texts[points]
        if not self.words:
            return max(map(len, texts))
        return max(max(longest_word(text), min(len(text), WRAPPED)) for text in texts)

    @property
    def column(self) -> int:
        """The least width of a column for all points, below the heading."""
        return max(longest_word(self.heading), self.width())


def show(points: Sequence[Point], scenario: str, console: Console) -> None:
    """Print every point's figures, beside published ones, and what limited it.

    A point that is not done has none.
    """
    settings = list(_settings(points, scenario))
    figures = list(_figures(points))
    verdict = Row("limited by", tuple(point.verdict for point in points), words=True)
    for i, table in enumerate(tables(settings, [*figures, verdict], console.width)):
        if i:
            console.print()
        console.print(table, highlight=False, markup=False)
    unsteady = [point for point in points if point.result and warning(point.steady, scenario)]
    if unsteady:
        of = f"{unsteady[0].name}: " if len(points) > 1 else ""
        more = f" (and {len(unsteady) - 1} other points)" if len(unsteady) > 1 else ""
        line = f"Note: {of}{warning(unsteady[0].steady, scenario)}{more}."
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    for reason, places in far_reasons(points).items():
        console.print(
            f"Why beyond {reasons.LIMIT_PCT:.0f} %: {'; '.join(places)}: {reasons.brief(reason)}.",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )
    repeats = [point.repeat for point in points if point.repeat]
    if repeats:
        console.print(confidence_line(repeats), highlight=False, markup=False)
        if any(repeat["published"] for repeat in repeats):
            console.print(f"within: {WITHIN_MEANS}.", highlight=False, markup=False)


def far_reasons(points: Sequence[Point]) -> dict[str, list[str]]:
    """Return each stated reason with the points and figures that it is of."""
    return reasons.grouped(
        (" ".join(filter(None, (split_unit(name)[0], ", ".join(point.case)))), reason)
        for point in points
        for name, reason in point.far.items()
    )


def tables(settings: Sequence[Row], figures: Sequence[Row], width: int) -> list[Table]:
    """Lay the rows out in tables that fit `width` characters, if anything does."""
    rows = [*settings, *figures]
    spare = width - sum(row.column + GAP for row in rows)
    if spare >= 0:
        return [_lying(len(settings), rows, spare)]
    told = [row for row in rows if any(text not in ("", NONE) for text in row.texts)]
    return [_standing(told, block) for block in _blocks(told, width)]


def _settings(points: Sequence[Point], scenario: str) -> Iterable[Row]:
    entry = registry.find(scenario)
    given = [dict(text.split("=", 1) for text in point.case) for point in points]
    for name in names(point.case for point in points):
        own = ["" if is_parameter(name) else point.text(entry, name) for point in points]
        texts = (set_.get(name) or text for set_, text in zip(given, own, strict=True))
        yield Row(name, tuple(texts))


def _figures(points: Sequence[Point]) -> Iterable[Row]:
    done = [point for point in points if point.result]
    published = {name for point in done for name in point.reference}
    for name in [*dict.fromkeys(name for point in done for name in point.headline), *HOSTS]:
        words, unit = split_unit(name)
        heading = f"{words}, {unit}" if unit else words
        yield Row(heading, tuple(point_text(point, name) for point in points))
        if name in published:
            yield Row(
                "published",
                tuple(figure_text(point.reference.get(name), unit) for point in points),
                beside=True,
            )
            yield Row(
                "%", tuple(_error(point.error_pct.get(name)) for point in points), beside=True
            )
            if any(point.within(name) for point in done):
                texts = (WITHIN.get(point.within(name), "") for point in points)
                yield Row("within", tuple(texts), beside=True)


def _error(percent: float | None) -> str:
    return "" if percent is None else f"{percent:+.1f}"


def longest_word(text: str) -> int:
    """Return the characters of a text's longest word."""
    return max(map(len, text.split(" ")))


def _table(*, headed: bool) -> Table:
    return Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), show_header=headed)


def _lying(settings: int, rows: Sequence[Row], spare: int) -> Table:
    """A line a point; there are `spare` characters for what would be broken."""
    table = _table(headed=True)
    for i, row in enumerate(rows):
        wider = min(spare, max(map(len, (row.heading, *row.texts))) - row.column)
        spare -= wider
        left = i < settings or row.words
        table.add_column(row.heading, justify="left" if left else "right", width=row.column + wider)
    for texts in zip(*(row.texts for row in rows), strict=True):
        table.add_row(*texts)
    return table


def _standing(rows: Sequence[Row], points: range) -> Table:
    """A column a point."""
    table = _table(headed=False)
    table.add_column(no_wrap=True)
    for point in points:
        table.add_column(justify="right", width=_width(rows, point))
    for row in rows:
        table.add_row(INDENT * row.beside + row.heading, *(row.texts[point] for point in points))
    return table


def _width(rows: Sequence[Row], point: int) -> int:
    return max(row.width(slice(point, point + 1)) for row in rows)


def _blocks(rows: Sequence[Row], width: int) -> list[range]:
    """Return the points that fit beside each other below the headings; one at least."""
    first = max(len(INDENT * row.beside + row.heading) for row in rows)
    blocks: list[range] = []
    left = 0
    for point in range(len(rows[0].texts)):
        wanted = GAP + _width(rows, point)
        if wanted > left or not blocks:
            left = width - first - GAP
            blocks.append(range(point, point))
        left -= wanted
        blocks[-1] = range(blocks[-1].start, point + 1)
    return blocks
