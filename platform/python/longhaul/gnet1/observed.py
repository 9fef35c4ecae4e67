# SPDX-License-Identifier: Apache-2.0
"""Counters and samples of the box, from the log of a run's register accesses.

The log is `control.csv` (docs/interfaces.md). Counters are words of 32 bits that may wrap once
between two reads.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from longhaul.errors import LonghaulError
from longhaul.gnet1 import registers
from longhaul.units import Time

_WORD = 2**32


def read_log(path: Path, box: str) -> pl.DataFrame:
    """Return the accesses to one box: time_ps, address, access, value, in order."""
    try:
        log = pl.read_csv(path, schema_overrides={"address": pl.String, "value": pl.UInt64})
    except OSError as error:
        raise LonghaulError(f"{path}: cannot be read ({error.strerror})") from None
    here = log.filter(pl.col("box") == box).with_columns(
        pl.col("address").str.strip_prefix("0x").str.to_integer(base=16)
    )
    return here.select("time_ps", "address", "access", "value")


def rates(log: pl.DataFrame, port: int) -> pl.DataFrame:
    """Return a port's rate between reads of its BYTES: end_s, megabytes_per_s (FCS included).

    The counter must have been latched before each read.
    """
    reads = _reads(log, f"p{port}.BYTES")
    step = (pl.col("value").diff() + _WORD) % _WORD
    return (
        reads.with_columns(pl.col("value").cast(pl.Int64))
        .select(
            end_s=pl.col("time_ps") / 1e12,
            megabytes_per_s=step / (pl.col("time_ps").diff() / 1e12) / 1e6,
        )
        .slice(1)
    )


def samples(log: pl.DataFrame, period_s: float) -> pl.DataFrame:
    """Return what passed in each period of the sampler: frames, words, end_s after its start."""
    words, frames = _reads(log, "SAMPLE_WORDS"), _reads(log, "SAMPLE_FRAMES")
    if words.height != frames.height:
        raise LonghaulError(
            "samples are incomplete: wants as many reads of SAMPLE_WORDS as of SAMPLE_FRAMES"
        )

    def step(of: pl.DataFrame) -> pl.Series:
        value = of["value"].cast(pl.Int64)
        return ((value.diff() + _WORD) % _WORD).slice(1)

    return pl.DataFrame({"frames": step(frames), "words": step(words)}).with_columns(
        end_s=(pl.int_range(pl.len()) + 1) * period_s
    )


def series(log: pl.DataFrame, port: int, names: Sequence[str]) -> pl.DataFrame:
    """Return registers of a port that were read together: time_s and a column for each name.

    Registers that count time are in seconds. Counters must have been latched before each read.
    """
    found: dict[str, pl.Series] = {}
    for name in names:
        register = registers.find(f"p{port}.{name}")
        reads = _reads(log, register.name)
        found.setdefault("time_s", reads["time_ps"] / 1e12)
        if reads.height != len(found["time_s"]):
            raise LonghaulError(f"{register.name} was not read together with {names[0]}")
        words = (register.decode(word) for word in reads["value"])
        values = [word.seconds if isinstance(word, Time) else word for word in words]
        found[name] = pl.Series(values, dtype=None if values else pl.Int64)
    return pl.DataFrame(found)


def written_s(log: pl.DataFrame, name: str) -> float | None:
    """Return when a register was written last, in simulated seconds; None if it never was."""
    address = registers.find(name).address
    found = log.filter((pl.col("address") == address) & (pl.col("access") == "write"))
    return found["time_ps"][-1] / 1e12 if found.height else None


def regained_s(rate: pl.DataFrame, since_s: float, megabytes_per_s: float) -> float | None:
    """Return how long after `since_s` the rate is back; None if it never is.

    It is back at the begin of the first whole interval that reaches it, if for half a second none
    falls short of it by more than a tenth. A single full interval before a pause does not count.
    """
    if not rate.height:
        return None
    begins = [-math.inf, *rate["end_s"].to_list()[:-1]]  # when the first began is not known
    rows = list(zip(begins, rate["end_s"], rate["megabytes_per_s"], strict=True))
    after = [row for row in rows if row[0] >= since_s - 1e-12]
    for begin, _, value in after:
        later = [v for b, _, v in after if begin <= b < begin + 0.5]
        if value >= megabytes_per_s and min(later) >= 0.9 * megabytes_per_s:
            return max(0.0, begin - since_s)
    return None


def longest_idle_s(sampled: pl.DataFrame, period_s: float) -> float:
    """Return the longest stretch of sampler periods in which no frame passed."""
    longest = run = 0
    for frames in sampled["frames"]:
        run = run + 1 if frames == 0 else 0
        longest = max(longest, run)
    return longest * period_s


def bursts(sampled: pl.DataFrame, period_s: float, gap: int) -> dict[str, float]:
    """Return means of what passes without a pause and of the pauses, `gap` periods or longer.

    Those that the first and the last sample cut are left out, but for `idle_pct`, which is of all.
    """
    stretches: list[tuple[int, int]] = []  # samples and frames; a pause has no frames
    for frames in sampled["frames"]:
        length, passed = stretches[-1] if stretches else (0, 0)
        if stretches and (frames == 0) == (passed == 0):
            stretches[-1] = length + 1, passed + frames
        else:
            stretches.append((1, frames))
    joined: list[tuple[int, int]] = []
    for length, passed in stretches:
        short = passed == 0 and length < gap
        if joined and joined[-1][1] and (passed or short):
            joined[-1] = joined[-1][0] + length, joined[-1][1] + passed
        else:
            joined.append((length, passed))
    idle = sum(length for length, passed in joined if not passed)
    found = {"idle_pct": 100.0 * idle / sampled.height}
    runs = [each for each in joined[1:-1] if each[1]]
    pauses = [length for length, passed in joined[1:-1] if not passed]
    if runs and pauses:
        found["burst_frames"] = sum(passed for _, passed in runs) / len(runs)
        found["burst_ms"] = 1e3 * period_s * sum(length for length, _ in runs) / len(runs)
        found["pause_us"] = 1e6 * period_s * sum(pauses) / len(pauses)
        found["period_ms"] = found["burst_ms"] + found["pause_us"] / 1e3
    return found


def _reads(log: pl.DataFrame, name: str) -> pl.DataFrame:
    address = registers.find(name).address
    return log.filter((pl.col("address") == address) & (pl.col("access") == "read"))
