# SPDX-License-Identifier: Apache-2.0
"""sweep.parquet: a row per point, with all that was set, all that was measured, and what failed."""

# pyright: reportUnknownMemberType=false
# (Polars' types mention numpy's, which is not installed here.)

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from longhaul.registry import ScenarioEntry
from longhaul.results.runview import flatten
from longhaul.sweeps.points import Point, numbers
from longhaul.sweeps.repeats import is_drops

TABLE = "sweep.parquet"
TEXTS = ("failure", "bottleneck", "bottleneck_why")  # columns that are texts even if all are empty


def row(entry: ScenarioEntry, point: Point, seed: int, layout: int = 0) -> dict[str, Any]:
    """Return a point's row: cells by column name; cells that the point lacks are left out.

    docs/sweeps.md lists the columns. A setting with a unit has two: the text, and a number such as
    `rtt_s`. Figures and models' parameters have dotted names: `sender.eth0.tx_kib_clocks`.
    """
    cells: dict[str, Any] = {
        "point": point.name,
        "status": str(point.status),
        "failure": point.why or None,
        "scenario": entry.name,
        "seed": seed,
        "layout": layout,
        "simulated_s": point.simulated_s,
        "wall_s": point.wall_s,
        "window_wall_s": point.window_wall_s,
        **point.settings,
        **numbers(entry, point.settings),
    }
    if point.result:
        figures = {name: each for name, each in point.measured.items() if name != "guest"}
        cells |= dict(flatten(figures))
        cells |= {f"published.{name}": value for name, value in point.reference.items()}
        cells |= {f"error_pct.{name}": value for name, value in point.error_pct.items()}
        cells["bottleneck"] = point.result["bottleneck"]["what"]
        cells["bottleneck_why"] = point.result["bottleneck"]["why"]
    for name, value in point.parameters.items():
        cells.setdefault(name, value)
    return cells


def frame(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Return the rows as one table; a column of mixed kinds becomes text."""
    columns = list(dict.fromkeys(name for cells in rows for name in cells))
    drops = [name for name in columns if is_drops(name)]
    whole = [
        {**dict.fromkeys(drops, 0), **cells} if cells["status"] == "done" else cells
        for cells in rows
    ]
    return pl.DataFrame([_column(name, [cells.get(name) for cells in whole]) for name in columns])


def _column(name: str, cells: list[Any]) -> pl.Series:
    kinds: set[type] = {type(cell) for cell in cells if cell is not None}
    if not kinds:
        return pl.Series(name, cells, dtype=pl.String if name in TEXTS else pl.Float64)
    if kinds == {bool}:
        return pl.Series(name, cells, dtype=pl.Boolean)
    if kinds <= {int} and all(abs(cell) < 2**63 for cell in cells if cell is not None):
        return pl.Series(name, cells, dtype=pl.Int64)
    if kinds <= {int, float}:
        return pl.Series(name, [None if c is None else float(c) for c in cells], dtype=pl.Float64)
    return pl.Series(name, [None if c is None else _text(c) for c in cells], dtype=pl.String)


def _text(cell: Any) -> str:
    return ("true" if cell else "false") if isinstance(cell, bool) else str(cell)


def write(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write the table so that it is either the new one or the old one, also after a power cut."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as stream:
            frame(rows).write_parquet(stream, compression="zstd")
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
