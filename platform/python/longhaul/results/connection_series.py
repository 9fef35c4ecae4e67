# SPDX-License-Identifier: Apache-2.0
"""User data of each connection over time: connections.csv becomes a table and the report's plots.

The file has a line for each flow and period in which it brought data (platform/observe/README.md).
"""

# pyright: reportUnknownMemberType=false
# (Polars' types mention numpy's, which is not installed here.)

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from longhaul.results.directions import NOTABLE_PCT
from longhaul.results.series import MOST_POINTS, Curve, Figure, read

CSV, TABLE = "connections.csv", "connections.parquet"
MOST_CURVES = 8  # of a plot: more have no colours of their own
_SCHEMA = {"time_ps": pl.Int64, "at": pl.String, "from": pl.String, "to": pl.String}


def collect(raw: Path, folder: Path) -> None:
    """Make a compressed table of the connections.csv that a simulator left, if it did."""
    csv, parquet = raw / CSV, folder / TABLE
    if not csv.exists():
        return
    part = parquet.with_name(f"{parquet.name}.part")
    frame = pl.read_csv(csv, schema=_SCHEMA | {"bytes": pl.Int64})
    frame.write_parquet(part, compression="zstd")
    part.replace(parquet)
    csv.unlink()


def figures(
    folder: Path, connections: Sequence[Mapping[str, Any]], window: tuple[int, int] | None
) -> list[Figure]:
    """Return a plot for each direction that has several connections, the largest of them.

    TCP and UDP between the same ends are one curve: the file does not tell them apart.
    What carries less than a hundredth of the largest one's data is left out: greetings, answers.
    With a `window` (ps) of that and a quarter of it on both sides.
    """
    parquet, series = folder / TABLE, folder / "series.parquet"
    if not parquet.exists() or not series.exists():
        return []
    times = read(series, ["time_ps"])["time_ps"]
    grid = pl.DataFrame({"time_ps": times, "period_ps": times - times.shift(1, fill_value=0)})
    flows = read(parquet)
    if window is not None:
        margin = (window[1] - window[0]) // 4
        shown = pl.col("time_ps").is_between(window[0] - margin, window[1] + margin)
        grid, flows = grid.filter(shown), flows.filter(shown)
    least = max((e["goodput_gbps"] for e in connections), default=0.0) * NOTABLE_PCT / 100
    connections = [e for e in connections if e["goodput_gbps"] >= least]
    found: list[Figure] = []
    for direction in dict.fromkeys(each["direction"] for each in connections):
        ends = list(
            dict.fromkeys((e["from"], e["to"]) for e in connections if e["direction"] == direction)
        )
        drawn = [each for each in ends if _of(flows, each).height][:MOST_CURVES]
        if len(drawn) > 1:
            title = f"Goodput by connection, {direction}"
            if len(drawn) < len(ends):
                title += f", the largest {len(drawn)}"
            found.append(_figure(title, grid, [(each, _of(flows, each)) for each in drawn]))
    return found


def legends(drawn: Sequence[tuple[str, str]]) -> list[str]:
    """Return the connections' ends, without an end and an address that all have in common."""
    sides: list[list[str]] = []
    for side in zip(*drawn, strict=True):
        addresses = {end.rpartition(":")[0] for end in side}
        if len(set(side)) > 1:
            same = len(addresses) == 1
            sides.append([f"port {end.rpartition(':')[2]}" if same else end for end in side])
    return [" > ".join(each) for each in zip(*sides, strict=True)]


def _of(flows: pl.DataFrame, ends: tuple[str, str]) -> pl.DataFrame:
    return flows.filter((pl.col("from") == ends[0]) & (pl.col("to") == ends[1]))


def _figure(
    title: str, grid: pl.DataFrame, drawn: Sequence[tuple[tuple[str, str], pl.DataFrame]]
) -> Figure:
    names = [f"y{i}" for i in range(len(drawn))]
    # A row of the series may cover several periods (docs/interfaces.md).
    ends_of_rows = grid.select("time_ps", pl.col("time_ps").alias("row_ps"))
    for name, (_, flow) in zip(names, drawn, strict=True):
        rows = flow.select("time_ps", "bytes").join_asof(
            ends_of_rows, on="time_ps", strategy="forward"
        )
        brought = rows.group_by("row_ps").agg(pl.col("bytes").sum().alias(name))
        grid = grid.join(
            brought, left_on="time_ps", right_on="row_ps", how="left", maintain_order="left"
        )
    every = max(1, -(-grid.height // MOST_POINTS))
    thin = (
        grid.fill_null(0)
        .with_row_index("row")
        .group_by(pl.col("row") // every, maintain_order=True)
        .agg(pl.col("time_ps").max(), pl.exclude("row", "time_ps").sum())
        .with_columns(pl.col(name) * 8000.0 / pl.col("period_ps") for name in names)
    )
    curves = [
        Curve(legend, thin[name].to_list())
        for name, legend in zip(names, legends([ends for ends, _ in drawn]), strict=True)
    ]
    return Figure(title, "Gb/s", (thin["time_ps"] / 1e12).to_list(), curves, False)
