# SPDX-License-Identifier: Apache-2.0
"""Shows merged coverage: on the terminal, as JSON, as one page, and as files for other tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from longhaul.coverage import figures, lcov, points
from longhaul.coverage.figures import KINDS, Cover, File, Signal, Tally
from longhaul.coverage.merge import Bus, Merged
from longhaul.errors import UsageError
from longhaul.outdir import cannot_make, write_json, write_text
from longhaul.report.page import template

PAGE = "report.html"
RECORD = "coverage.json"  # marks a folder as one of these


@dataclass(frozen=True)
class Row:
    """A line of the source: `state` is hit, missed, part or nothing."""

    text: str
    count: str = ""
    state: str = ""
    why: str = ""


@dataclass(frozen=True)
class View:
    """A design as the page has it."""

    name: str
    runs: Sequence[str]
    files: Sequence[File]
    totals: Mapping[str, Tally]
    buses: Mapping[str, Bus]

    @property
    def covers(self) -> list[Cover]:
        """Return all covers, by file and line."""
        return [cover for file in self.files for cover in file.covers]

    @property
    def missed_covers(self) -> list[Cover]:
        """Return those that no run has hit."""
        return [cover for cover in self.covers if not cover.count]

    @property
    def missed_lines(self) -> list[tuple[int, str, str]]:
        """Return files with lines that no run has executed: place on the page, name, the lines."""
        found = [
            (place, file.name, figures.ranges(n for n, count in file.lines.items() if not count))
            for place, file in enumerate(self.files, 1)
        ]
        return [
            (place, name, ", ".join(f"{a}" if a == b else f"{a} to {b}" for a, b in lines))
            for place, name, lines in found
            if lines
        ]

    @property
    def never(self) -> list[tuple[str, Signal]]:
        """Return signals with bits that never changed, and their files."""
        return [
            (file.name, signal)
            for file in self.files
            for signal in file.signals
            if signal.tally.hit < signal.tally.total
        ]

    def rows(self, file: File) -> list[Row]:
        """Return the lines of a file."""
        missed: dict[int, list[str]] = {}
        for branch in file.branches:
            if not branch.count:
                missed.setdefault(branch.line, []).append(f"never: {branch.way}")
        for cover in file.covers:
            if not cover.count:
                where = f" in {cover.instance}" if len(file.covers) > 1 else ""
                missed.setdefault(cover.line, []).append(f"not hit{where}")
        counted = file.lines | _covered_lines(file)
        found: list[Row] = []
        for number, text in enumerate(file.text.splitlines(), 1):
            count, why = counted.get(number), "; ".join(missed.get(number, ()))
            if count is None:
                found.append(Row(text, why=why, state="part" if why else ""))
            else:
                state = "missed" if not count else "part" if why else "hit"
                found.append(Row(text, str(count), state, why))
        return found


def _covered_lines(file: File) -> dict[int, int]:
    """Return the counts of lines that are covers."""
    counts: dict[int, int] = {}
    for cover in file.covers:
        counts[cover.line] = counts.get(cover.line, 0) + cover.count
    return {line: count for line, count in counts.items() if line not in file.lines}


def view(merged: Merged) -> View:
    """Return what is shown of a design."""
    files = figures.files(merged)
    return View(merged.design.name, merged.runs, files, figures.totals(files), merged.buses)


def write(out: Path, all_merged: Sequence[Merged], places: Sequence[str] = ()) -> list[View]:
    """Write page, JSON and files for other tools into a folder, and return what they show."""
    views = [view(merged) for merged in all_merged]
    try:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()) and not (out / RECORD).exists():
            holds = "is not empty and holds no merged coverage"
            raise UsageError(f"{out} {holds}; choose another --out")
        write_json(out / RECORD, {"designs": [_json(each) for each in views]})
        for merged, shown in zip(all_merged, views, strict=True):
            points.write(out / f"{shown.name}.dat", merged.counts)
            write_text(out / f"{shown.name}.info", lcov.text(shown.files, merged.design.folder))
        page = template("coverage.html.j2").render(designs=views, kinds=KINDS, places=places)
        write_text(out / PAGE, page)
    except OSError as error:
        raise cannot_make(out, error) from None
    return views


def _json(shown: View) -> dict[str, Any]:
    return {
        "design": shown.name,
        "runs": list(shown.runs),
        "totals": {kind: asdict(tally) for kind, tally in shown.totals.items()},
        "files": {
            file.name: {kind: asdict(file.tally(kind)) for kind in KINDS} for file in shown.files
        },
        "covers": [asdict(cover) for cover in shown.covers],
        "buses": {name: asdict(bus) for name, bus in shown.buses.items()},
    }


def percent(tally: Tally) -> str:
    """Return a share as a text."""
    return "" if tally.percent is None else f"{tally.percent:.1f} %"


def show(console: Console, views: Sequence[View]) -> None:
    """Print the figures of each file, and the covers that no run has hit."""
    for shown in views:
        table = Table(box=None, pad_edge=False)
        table.add_column(shown.name)
        for kind in KINDS:
            table.add_column(kind, justify="right")
            table.add_column("", justify="right")
        rows = [(file.name, {kind: file.tally(kind) for kind in KINDS}) for file in shown.files]
        for name, tallies in [*rows, ("all", dict(shown.totals))]:
            cells = [
                text
                for tally in tallies.values()
                for text in (f"{tally.hit}/{tally.total}" if tally.total else "", percent(tally))
            ]
            table.add_row(name, *cells)
        console.print(table, highlight=False, markup=False)
        for cover in shown.missed_covers:
            line = f"no run hits {cover.instance}.{cover.name} ({cover.file}:{cover.line})"
            console.print(line, highlight=False, markup=False, soft_wrap=True)
