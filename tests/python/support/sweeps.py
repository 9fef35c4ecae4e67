# SPDX-License-Identifier: Apache-2.0
"""A sweep of four points, and the table that it leaves."""

from pathlib import Path

import polars as pl

MTUS = ("sweep", "ixgb_wan", "--over", "mtu=3000,3001,9000,9001", "--out", "s")
LARGE = "LH_MTU=90"  # what the last two of these, and only they, tell their guests


def table(folder: Path) -> dict[str, dict[str, object]]:
    """Return the rows of a sweep's table by point."""
    return {row["point"]: row for row in pl.read_parquet(folder / "sweep.parquet").to_dicts()}
