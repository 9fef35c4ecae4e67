# SPDX-License-Identifier: Apache-2.0
"""Tells start-up from the steady rest of a run, by MSER-5 on the receiver's rate of user data.

The series in means of five periods is cut where the mean of what remains has the least estimated
standard error. Sources: White, "An effective truncation heuristic for bias reduction in simulation
output", Simulation 69(6), 1997. Batches of five: White, Cobb, Spratt, "A comparison of five
steady-state truncation heuristics for simulation", Winter Simulation Conference 2000. A cut in the
second half of the series is none: the series is too short.
"""

# pyright: reportUnknownMemberType=false
# (Polars' types mention numpy's, which is not installed here.)

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from longhaul.results import directions
from longhaul.results.measures import TCP_RECEIVED, UDP_RECEIVED
from longhaul.topology import Workload
from longhaul.units import Time

METHOD = "MSER-5"
BATCH = 5  # periods of the series
LEAST_BATCHES = 10
MATERIAL_PCT = 2.0  # of the steady rate: a start-up that moves the figure less is not warned of

STEADY, START_UP, TOO_SHORT = "steady", "start-up", "too short"


@dataclass(frozen=True)
class Steadiness:
    """A window's rate: the mean of the whole window, and where it becomes steady, at which rate.

    `warmup` and `steady_gbps` are None where the window is too short to tell.
    """

    verdict: str
    whole_gbps: float
    warmup: Time | None
    steady_gbps: float | None
    batches: int

    def as_json(self) -> dict[str, Any]:
        """Return the form of results.json."""
        return {
            "verdict": self.verdict,
            "method": METHOD,
            "whole_gbps": self.whole_gbps,
            "warmup_s": self.warmup.seconds if self.warmup is not None else None,
            "steady_gbps": self.steady_gbps,
            "batches": self.batches,
        }


def truncation(means: Sequence[float]) -> int:
    """Return how many means to leave out, so that the mean of the rest is estimated best.

    At least five remain: the standard error of fewer is no estimate.
    """
    best, least = 0, float("inf")
    middle = squares = 0.0  # of the rest: its mean, and its squared distances from it (Welford)
    for n, mean in enumerate(reversed(means), 1):
        step = mean - middle
        middle += step / n
        squares += step * (mean - middle)
        if n < BATCH:
            continue
        error = squares / (n * n)
        if error <= least:  # of equal ones the earliest cut: it leaves out least
            best, least = len(means) - n, error
    return best


def judge(rates: Sequence[float], period: Time) -> Steadiness | None:
    """Judge a window by its rate (Gb/s) in each period; None for too few or without any data."""
    starts = range(0, len(rates) - BATCH + 1, BATCH)
    means = [math.fsum(rates[i : i + BATCH]) / BATCH for i in starts]
    if len(means) < LEAST_BATCHES or not any(means):
        return None
    whole = sum(means) / len(means)
    cut = truncation(means)
    half = len(means) // 2
    if cut > half:
        late = sum(means[half:]) / len(means[half:])
        if _is_material(whole, late):
            return Steadiness(TOO_SHORT, whole, None, None, len(means))
        cut = 0  # what moves late in a window of one mean is no start-up
    rest = means[cut:]
    steady = sum(rest) / len(rest)
    verdict = START_UP if cut and _is_material(whole, steady) else STEADY
    return Steadiness(verdict, whole, Time(period.ps * BATCH * cut), steady, len(means))


def _is_material(whole: float, steady: float) -> bool:
    return abs(whole - steady) > steady * MATERIAL_PCT / 100


def of_series(parquet: Path, window: tuple[int, int], adapter: str) -> Steadiness | None:
    """Judge a run by its series; None where there is no rate to judge.

    `adapter` is the receiver's, as "receiver.eth0". `window` is of ps; periods of the series that
    only partly lie in it are left out.
    """
    if not parquet.exists():
        return None
    there = pl.scan_parquet(parquet).collect_schema().names()
    names = [name.format(adapter=adapter) for name in (TCP_RECEIVED, UDP_RECEIVED)]
    columns = [name for name in names if name in there]
    if not columns:
        return None
    frame = pl.read_parquet(parquet, columns=["time_ps", *columns])
    inside = pl.col("time_ps").is_between(*window)
    steps = frame.filter(inside)["time_ps"].diff().drop_nulls()
    period = int(steps.median() or 0) if steps.len() else 0  # pyright: ignore[reportArgumentType]
    if not period:
        return None
    whole = (frame["time_ps"] - period >= window[0]) & (frame["time_ps"] <= window[1])
    octets = frame.filter(whole).select(pl.sum_horizontal(columns)).to_series()
    return judge([8000.0 * float(each) / period for each in octets], Time(period))


def of_case(
    case: Mapping[str, Any], workload: Workload, parquet: Path, window: tuple[int, int]
) -> dict[str, Any]:
    """Return a case's `steady`, of its main direction; nothing where there is no rate to judge."""
    if not workload.measured_window():
        return {}
    main = directions.main(case["measured"])
    sink = workload.receiver if main is directions.FORWARD else workload.sender
    found = of_series(parquet, window, str(sink.workload_port))
    return {"steady": found.as_json()} if found else {}


def rounded_up(warmup: Time) -> Time:
    """Return a warm-up of two digits that is not shorter."""
    step = 10 ** max(0, len(str(warmup.ps)) - 2)
    return Time(-(-warmup.ps // step) * step)


def warning(steady: Mapping[str, Any] | None, scenario: str) -> str:
    """Return one line on a window that is not of the steady rate; empty if it is."""
    if not steady or steady["verdict"] == STEADY:
        return ""
    finds = f"longhaul warmup {scenario} finds the warm-up"
    if steady["verdict"] == TOO_SHORT:
        return f"the window is too short for a steady figure ({METHOD}): take a longer one; {finds}"
    after = rounded_up(Time(round(steady["warmup_s"] * 1e12))).short()
    return (
        f"the window includes start-up ({METHOD}): from {after} on the goodput is "
        f"{steady['steady_gbps']:.3f} Gb/s instead of {steady['whole_gbps']:.3f}; {finds}"
    )
