# SPDX-License-Identifier: Apache-2.0
"""Values of probes over time, as a frame of polars."""

# pyright: reportUnknownMemberType=false
# (Polars' types mention numpy's, which is not installed here.)

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from longhaul.api.native import Watch
from longhaul.api.probes import Probe
from longhaul.errors import UsageError
from longhaul.units import Time


class Recording:
    """Samples of some probes at a period, taken while the simulation runs.

    A counter's column is its value, not its increase; `rate()` gives that. States have a column
    NAME:STATE each, in picoseconds.
    """

    def __init__(self, probes: Sequence[Probe], now: Time) -> None:
        taps = [probe.name for probe in probes if probe.kind in ("frames", "spans")]
        if taps:
            raise UsageError(f"{taps[0]} is a tap: it has no value to be recorded")
        self._probes = list(probes)
        self._times: list[int] = []
        self._columns: dict[str, list[int]] = {}
        self._watch: Watch | None = None
        self.sample(now)

    def follow(self, watch: Watch) -> None:
        """Know by what the samples come."""
        self._watch = watch

    def stop(self) -> None:
        """Take no more samples."""
        if self._watch:
            self._watch.cancel()

    def sample(self, now: Time) -> None:
        """Take a sample, beside those at the period."""
        self._times.append(now.ps)
        for probe in self._probes:
            value = probe.value
            parts: dict[str, int] = {probe.name: value}
            if probe.kind == "states":
                parts = {f"{probe.name}:{state}": spent.ps for state, spent in value.items()}
            for name, number in parts.items():
                self._columns.setdefault(name, []).append(number)

    def frame(self) -> pl.DataFrame:
        """Return all samples: `time_s`, and a column for each probe."""
        seconds = [ps / 1e12 for ps in self._times]
        columns = {
            name: pl.Series(name, numbers, dtype=pl.UInt64)
            for name, numbers in self._columns.items()
        }
        return pl.DataFrame({"time_s": pl.Series("time_s", seconds, dtype=pl.Float64)} | columns)

    def rate(self, name: str) -> pl.DataFrame:
        """Return a counter's increase per second: `time_s` (the end of each period), `per_s`."""
        if name not in self._columns:
            raise UsageError(f"{name} is not recorded; recorded are {', '.join(self._columns)}")
        frame = self.frame()
        value = pl.col(name).cast(pl.Int64)
        per_s = (value.diff() / pl.col("time_s").diff()).alias("per_s")
        return frame.select("time_s", per_s).slice(1)
