# SPDX-License-Identifier: Apache-2.0
"""Time series: series.csv becomes series.parquet, and the report's plots come from it."""

# pyright: reportUnknownMemberType=false
# (Polars' types mention numpy's, which is not installed here.)

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from longhaul.errors import UsageError
from longhaul.results.measures import Plot, is_drop_column

MOST_WHOLE = 2**63 - 1  # beyond it whole numbers are no Int64, and still no fractions
MOST_POINTS = 1200  # more than a plot has pixels


def to_parquet(csv: Path, parquet: Path) -> None:
    """Convert series.csv (columns as in docs/run_folder.md) to a compressed Parquet file."""
    frame = _read(csv)
    part = parquet.with_name(f"{parquet.name}.part")
    frame.write_parquet(part, compression="zstd")
    part.replace(parquet)


def _read(csv: Path) -> pl.DataFrame:
    """Read whole numbers as such, then what is left: to infer every type costs four times that."""
    with csv.open() as stream:
        names = stream.readline().rstrip("\n").split(",")
    frame = _read_as(pl.Int64(), csv, names)
    others = _incomplete(frame)
    if others:
        numbers = _read_as(pl.Float64(), csv, others)
        if _incomplete(numbers) or numbers.max().max_horizontal()[0] > MOST_WHOLE:
            return pl.read_csv(csv, infer_schema_length=None)
        frame = frame.with_columns(numbers)
    return frame


def _read_as(kind: pl.DataType, csv: Path, names: list[str]) -> pl.DataFrame:
    """Read columns as one type; a value of another type is missing."""
    schema = dict.fromkeys(names, kind)
    return pl.read_csv(
        csv, columns=names, schema_overrides=schema, infer_schema=False, ignore_errors=True
    )


def _incomplete(frame: pl.DataFrame) -> list[str]:
    return [name for name in frame.columns if frame[name].null_count()]


@dataclass(frozen=True)
class Curve:
    """One curve of a plot: y over the seconds of the plot."""

    legend: str
    y: list[float]


@dataclass(frozen=True)
class Figure:
    """A plot with its data."""

    title: str
    unit: str
    seconds: list[float]
    curves: list[Curve]
    stacked: bool


def read(parquet: Path, columns: list[str] | None = None) -> pl.DataFrame:
    """Read a run's series; a UsageError for a file that is none."""
    try:
        return pl.read_parquet(parquet, columns=columns)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise UsageError(f"{parquet}: no series of a run ({error})") from None


class Series:
    """The series of one run, thinned to what a plot can show; sums are kept, so rates stay true."""

    def __init__(self, parquet: Path, window: tuple[int, int] | None = None) -> None:
        """Read the series; with a `window` (ps) only that and a quarter of it on both sides."""
        self.window = window
        frame = read(parquet)
        periods = pl.col("time_ps") - pl.col("time_ps").shift(1, fill_value=0)
        frame = frame.with_columns(periods.alias("period_ps"))
        if window is not None:
            margin = (window[1] - window[0]) // 4
            shown = pl.col("time_ps").is_between(window[0] - margin, window[1] + margin)
            frame = frame.filter(shown)
        every = max(1, -(-frame.height // MOST_POINTS))
        self.frame = (
            frame.with_row_index("row")
            .group_by(pl.col("row") // every, maintain_order=True)
            .agg(pl.col("time_ps").max(), pl.exclude("row", "time_ps").sum(), periods=pl.len())
            .drop("row")
        )

    def figure(self, plot: Plot) -> Figure | None:
        """Return a plot's curves, or None where the run has none of its columns."""
        there = {k: c for k, c in plot.columns.items() if c in self.frame.columns}
        if plot.without_zeros:
            there = {k: c for k, c in there.items() if (self.frame[c] != 0).any()}
        if not there:
            return None
        per_second = pl.col("period_ps") / 1e12 if plot.per_second else pl.col("periods")
        values = self.frame.select(
            (pl.col("time_ps") / 1e12).alias("seconds"),
            *((pl.col(c) * plot.scale / per_second).alias(f"y{i}")
              for i, c in enumerate(there.values())),
        )  # fmt: skip
        curves = [Curve(k, values[f"y{i}"].to_list()) for i, k in enumerate(there)]
        return Figure(plot.title, plot.unit, values["seconds"].to_list(), curves, plot.stacked)

    def drops(self) -> Figure | None:
        """Return every counter of missing frames that is not zero throughout, cumulated."""
        columns = {c: c for c in self.frame.columns if is_drop_column(c)}
        kept = {c: c for c in columns if self.frame[c].sum() > 0}
        if not kept:
            return None
        cumulated = self.frame.with_columns(pl.col(list(kept)).cum_sum())
        seconds = (cumulated["time_ps"] / 1e12).to_list()
        curves = [Curve(c, cumulated[c].cast(pl.Float64).to_list()) for c in kept]
        return Figure("Frames dropped, summed up", "frames", seconds, curves, False)
