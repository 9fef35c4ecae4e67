# SPDX-License-Identifier: Apache-2.0
"""`longhaul diverge`: where two runs part first, or a run and a golden one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from longhaul.errors import UsageError
from longhaul.golden import file as golden_file
from longhaul.golden.verdict import interval_text
from longhaul.record.file import HOW, NAME, Record
from longhaul.record.parting import Interval, Parting, intervals, partings, shown
from longhaul.record.text import seconds
from longhaul.results import comparison
from longhaul.results.runview import RunView
from longhaul.runs import artefacts

SAME, PARTED = 0, 1  # exit codes
CONTEXT = 3  # items ahead of the first that differs
GOLDEN_ITEMS = 64  # of an interval between checkpoints
MOST_TOLD = 12  # differences of a kind that are shown one by one


def of_runs(console: Console, first: Path, second: Path, context: int = CONTEXT) -> int:
    """Show where two runs part, and return the exit code."""
    one, other = RunView.load(first), RunView.load(second)
    _told_first(console, conditions(one, other), one.name, other.name)
    records = [_record(folder) for folder in (first, second)]
    differing = _artefacts_of(console, artefacts.checksums(first), artefacts.checksums(second))
    if not records[0] or not records[1]:
        lacking = ", ".join(str(f) for f, r in zip((first, second), records, strict=True) if not r)
        if not differing:
            raise UsageError(
                f"{lacking}: no record, and results, counters, captures and reports are the same; "
                f"{HOW}"
            )
        _say(console, f"No record: {lacking} ({HOW})")
        _artefacts(console, differing)
        return PARTED
    parted = partings(records[0], records[1], context)
    if parted:
        _show_parting(console, parted[0])
        _others(console, [f"{one.stream}, item {one.number}, {_when(one)}" for one in parted[1:]])
    elif differing:
        _say(console, "The records are the same, item by item.")
    _artefacts(console, differing)
    if parted or differing:
        return PARTED
    streams = len(records[0].streams)
    _say(console, f"The same: {streams} streams of the record, and every artefact.")
    return SAME


def of_golden(
    console: Console,
    folder: Path,
    name: str,
    items: int = GOLDEN_ITEMS,
    goldens: Path = golden_file.FOLDER,
) -> int:
    """Show where a run parts from a golden one, and return the exit code."""
    golden = golden_file.load(name, goldens)
    view = RunView.load(folder)
    if not golden.artefacts:
        raise UsageError(f"golden:{name} has no values yet; longhaul golden {name} --update")
    _told_first(console, _from_golden(golden, view), view.name, f"golden:{name}")
    record = _record(folder)
    if not record:
        raise UsageError(f"{folder}: no record to hold against a golden run's checkpoints; {HOW}")
    parted = intervals(record, golden.marks())
    differing = _artefacts_of(console, artefacts.checksums(folder), golden.artefacts)
    if parted:
        _show_interval(console, record, parted[0], items)
        _others(console, [interval_text(one) for one in parted[1:]])
    elif differing:
        _say(console, "The record has the golden run's checkpoints.")
    _artefacts(console, differing)
    if parted or differing:
        return PARTED
    _say(console, f"The same: {len(golden.streams)} streams of the record, and every artefact.")
    return SAME


def _artefacts_of(console: Console, one: dict[str, str], other: dict[str, str]) -> list[str]:
    """Return the artefacts that differ, and tell of those that one side did not make."""
    lone = artefacts.only_in_one(one, other)
    if lone:
        more = f" and {len(lone) - 1} more" if len(lone) > 1 else ""
        _say(console, f"Made by one of the two only, and not compared: {lone[0]}{more}")
    return [name for name in artefacts.differing(one, other) if name not in lone]


def conditions(one: RunView, other: RunView) -> dict[str, tuple[Any, Any]]:
    """Return settings, seed, parameters, kernels, packages and simulators that differ."""
    found = dict(comparison.settings(one, other))
    a, b = _machinery(one.manifest), _machinery(other.manifest)
    return found | {
        name: (a.get(name), b.get(name))
        for name in dict.fromkeys([*a, *b])
        if a.get(name) != b.get(name)
    }


def _machinery(manifest: Mapping[str, Any]) -> dict[str, Any]:
    versions, checksums = manifest.get("versions", {}), manifest.get("checksums", {})
    return {
        "simulator": checksums.get("simulator"),
        "guest kernel": checksums.get("guest_kernel"),
        **dict(versions.get("guest_packages", {})),
    }


def _from_golden(golden: golden_file.Golden, view: RunView) -> dict[str, tuple[Any, Any]]:
    made = golden.made_with
    here = _machinery(view.manifest)
    there: dict[str, Any] = {
        "scenario": golden.run.scenario,
        "seed": golden.run.seed,
        "guest kernel": made.guest_kernel or None,
        **made.guest_packages,
    }
    here |= {"scenario": view.results["scenario"], "seed": view.manifest.get("seed")}
    here.pop("simulator")  # a golden run is of all simulators
    return {
        name: (here.get(name), there.get(name))
        for name in dict.fromkeys([*there, *here])
        if here.get(name) != there.get(name)
    }


def _told_first(
    console: Console, differing: Mapping[str, tuple[Any, Any]], one: str, other: str
) -> None:
    if not differing:
        return
    _say(console, f"Different to begin with ({one} | {other}):")
    for name, (a, b) in list(differing.items())[:MOST_TOLD]:
        _say(console, f"  {name}  {_short(a)} | {_short(b)}")
    if len(differing) > MOST_TOLD:
        _say(console, f"  and {len(differing) - MOST_TOLD} more")
    _say(console, "")


def _short(value: Any) -> str:
    text = "none" if value is None else str(value)
    return text if len(text) <= 48 else f"{text[:16]}..."


def _record(folder: Path) -> Record | None:
    path = folder / NAME
    return Record(path) if path.is_file() else None


def _when(parting: Parting) -> str:
    sides = (("A", parting.first), ("B", parting.second))
    over = [side for side, item in sides if item is None]
    return seconds(parting.time_ps) + (f"; {over[0]} has no more" if over else "")


def _show_parting(console: Console, parting: Parting) -> None:
    _say(console, f"First parting: {parting.stream}, item {parting.number}, {_when(parting)}")
    for item in parting.before:
        _say(console, f"    {item.text()}")
    for side, item in (("A", parting.first), ("B", parting.second)):
        _say(console, f"  {side} {item.text() if item else 'nothing: the stream is over'}")
    if parting.first and parting.second:
        for line in parting.first.differences(parting.second):
            _say(console, f"  differs: {line}")


def _show_interval(console: Console, record: Record, interval: Interval, items: int) -> None:
    _say(console, f"First parting: {interval_text(interval)}")
    if interval.ours != interval.golden:
        _say(console, f"  items in all: {interval.ours} here, {interval.golden} in the golden run")
    length = interval.end - interval.begin
    most = min(items, length)
    for item in shown(record, interval.stream, range(interval.begin, interval.begin + most)):
        _say(console, f"    {item.text()}")
    if most < length:
        _say(console, f"    and {length - most} more (--items {length} shows all)")


def _others(console: Console, lines: Sequence[str]) -> None:
    if lines:
        _say(console, "Later, elsewhere:")
    for line in _at_most(lines):
        _say(console, f"  {line}")


def _artefacts(console: Console, differing: Sequence[str]) -> None:
    if differing:
        _say(console, "Artefacts that differ:")
    for line in _at_most(differing):
        _say(console, f"  {line}")


def _at_most(lines: Sequence[str]) -> Iterator[str]:
    yield from lines[:MOST_TOLD]
    if len(lines) > MOST_TOLD:
        yield f"and {len(lines) - MOST_TOLD} more"


def _say(console: Console, line: str) -> None:
    console.print(line, markup=False, highlight=False, soft_wrap=True)
