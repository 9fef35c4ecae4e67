# SPDX-License-Identifier: Apache-2.0
"""Results and files of a finished run."""

# pyright: reportUnknownMemberType=false
# (Polars' types mention numpy's, which is not installed here.)

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from longhaul.outdir import MANIFEST, RESULTS


@dataclass(frozen=True)
class Outcome:
    """A run's folder: results.json, manifest.json, report.html and what else was asked for."""

    folder: Path

    @cached_property
    def results(self) -> dict[str, Any]:
        """All of results.json."""
        return json.loads((self.folder / RESULTS).read_text())

    @property
    def measured(self) -> dict[str, Any]:
        """The run's figures."""
        return self.results["cases"][0]["measured"]

    @property
    def bottleneck(self) -> dict[str, Any]:
        """The stage that limited the run, the reason, and the figures that show it."""
        return self.results["cases"][0]["bottleneck"]

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """All of manifest.json: parameters with their evidence, versions, checksums."""
        return json.loads((self.folder / MANIFEST).read_text())

    def series(self) -> pl.DataFrame:
        """Return series.parquet: every counter, level, gauge and state over time."""
        return self._series

    @cached_property
    def _series(self) -> pl.DataFrame:
        return pl.read_parquet(self.folder / "series.parquet")

    def keep(self) -> None:
        """Read all of it now: the folder is a temporary one."""
        _ = self.results, self.manifest, self._series
