# SPDX-License-Identifier: Apache-2.0
"""A report of synthesis as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from longhaul.synthesis.findings import KINDS

Report = Mapping[str, Any]
_CELLS = {False: "of a word each, arithmetic included", True: "of a bit each, without carry chains"}


def show(console: Console, report: Report, *, memories: bool, files: bool) -> None:
    """Print the figures of a report; with `memories` and `files` a table of each, too."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, text in rows(report):
        table.add_row(name, text)
    console.print(table, highlight=False, markup=False)
    if memories:
        console.print(_memories(report["memories"]), highlight=False, markup=False)
    if files:
        console.print(_files(report["files"]), highlight=False, markup=False)


def rows(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the lines of the short table: what, and how much of it."""
    yield "design", f"{report['design']}, top module {report['top']}"
    yield "flip-flops", _of(report["flip_flops"], report["clocks"])
    if report["latches"]:
        yield "latches", str(report["latches"])
    yield "memories", _memory(report)
    gates = report["groups"]
    yield "logic", _of(sum(gates.values()), gates) + f"; cells {_CELLS[report['gates']]}"
    if report["black_boxes"]:
        boxes = _row(report["black_boxes"])
        yield "black boxes", f"{boxes}; nothing inside them is checked, and paths end there"
    yield "longest path", _path(report["longest_path"])
    counts = Counter(each["kind"] for each in report["findings"])
    yield "mistakes", _of(counts.total(), {kind: counts[kind] for kind in KINDS})
    yield "not checked", "assertions, delays, and what crosses clocks; no device is chosen"
    if report["left_out"]:
        yield "left out", f"options that only Verilator has: {' '.join(report['left_out'])}"


def lines(report: Report) -> list[str]:
    """Return a line for each mistake: file, line, kind, what is wrong."""
    return [
        f"{each['path']}{':' + str(each['line']) if each['line'] else ''}: "
        f"{each['kind']}: {each['text']}"
        for each in report["findings"]
    ]


def _of(total: int, parts: Mapping[str, int]) -> str:
    return f"{total}: {_row(parts)}" if parts else str(total)


def _row(parts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in parts.items())


def _memory(report: Report) -> str:
    found = report["memories"]
    if not found:
        return "0"
    loose = sum(each["read_ports_without_clock"] > 0 for each in found)
    many = sum(each["write_ports"] > 2 for each in found)
    tail = f"; {loose} read without a clock" if loose else ""
    tail += f"; {many} with more than two write ports, as no RAM has" if many else ""
    return f"{len(found)} of {report['memory_bits']} bits{tail}"


def _path(path: Mapping[str, Any]) -> str:
    if not path["cells"]:
        return "0 cells"
    start, end = path["from"], path["to"]
    return f"{path['cells']} cells from {_end(start)} to {_end(end)}"


def _end(end: Mapping[str, str]) -> str:
    return f"{end['name']} ({end['kind']}, {end['place']})"


def _memories(found: Iterable[Mapping[str, Any]]) -> Table:
    """Return a table of memories; those alike in shape and place are one row."""
    table = Table(box=None, pad_edge=False)
    table.add_column("memories", justify="right")
    for name in ("words", "bits", "write ports", "read ports", "without clock"):
        table.add_column(name, justify="right")
    table.add_column("declared at", no_wrap=True)
    table.add_column("first", overflow="fold")
    keys = ("words", "width", "write_ports", "read_ports", "read_ports_without_clock", "place")
    same: dict[tuple[str, ...], list[str]] = {}
    for each in found:
        same.setdefault(tuple(str(each[key]) for key in keys), []).append(each["name"])
    for cells, names in same.items():
        table.add_row(str(len(names)), *cells, names[0])
    return table


def _files(files: Mapping[str, Mapping[str, int]]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("source file")
    names = ("flip-flops", "logic cells", "memory bits")
    for name in names:
        table.add_column(name, justify="right")
    for path, each in files.items():
        table.add_row(
            path, *(str(each[name.replace("-", "_").replace(" ", "_")]) for name in names)
        )
    return table
