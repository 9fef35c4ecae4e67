# SPDX-License-Identifier: Apache-2.0
"""Figures of repeated runs: mean, spread, confidence interval, and tests of differences.

Every interval and test is of Student's t distribution: repetitions are independent, and means of
them are close to normal. A figure without a value (None) is left out, not counted as zero.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

CONFIDENCE = 0.95
SIGNIFICANT = 1 - CONFIDENCE  # a p value below it is more than chance


def _special() -> Any:
    return import_module("scipy.special")  # it has no types, and takes a while to load


def t_quantile(probability: float, df: float) -> float:
    """Return the value below which Student's t with `df` degrees of freedom is so often."""
    return float(_special().stdtrit(df, probability))


def t_two_sided(t: float, df: float) -> float:
    """Return how often Student's t is at least so far from zero, on either side."""
    return float(2 * _special().stdtr(df, -abs(t)))


@dataclass(frozen=True)
class Sample:
    """The values of one figure: how many, their mean and spread, the least and the largest.

    `sd` is the standard deviation with n-1; None for one value, which has no spread.
    """

    n: int
    mean: float
    sd: float | None
    least: float
    most: float

    @classmethod
    def of(cls, values: Iterable[float | None]) -> Sample | None:
        """Sum up what values there are; None if there are none."""
        there = [float(value) for value in values if value is not None]
        if not there:
            return None
        n, least, most = len(there), min(there), max(there)
        if least == most:  # exactly: rounding must not make a spread of none
            return cls(n, least, 0.0 if n > 1 else None, least, most)
        mean = math.fsum(there) / n
        sd = math.sqrt(math.fsum((value - mean) ** 2 for value in there) / (n - 1))
        return cls(n, mean, sd, least, most)

    @classmethod
    def from_json(cls, figure: Mapping[str, Any]) -> Sample:
        """Read what `as_json` made."""
        return cls(*(figure[name] for name in ("n", "mean", "sd", "min", "max")))

    def as_json(self) -> dict[str, Any]:
        """Return the form of results.json."""
        within = self.interval()
        return {
            "n": self.n,
            "mean": self.mean,
            "sd": self.sd,
            "ci95": list(within) if within else None,
            "min": self.least,
            "max": self.most,
        }

    def half_width(self) -> float | None:
        """Return how far the mean's 95 % interval reaches to either side; None for one value."""
        if self.sd is None:
            return None
        return t_quantile((1 + CONFIDENCE) / 2, self.n - 1) * self.sd / math.sqrt(self.n)

    def interval(self) -> tuple[float, float] | None:
        """Return the mean's 95 % confidence interval."""
        half = self.half_width()
        return None if half is None else (self.mean - half, self.mean + half)

    def next_value(self) -> tuple[float, float] | None:
        """Return the 95 % prediction interval: where one more repetition's value would be."""
        half = self.half_width()
        if half is None:
            return None
        half *= math.sqrt(self.n + 1)
        return self.mean - half, self.mean + half

    def scaled(self, factor: float) -> Sample:
        """Return the same in another unit, so many of which make one of this; `factor` > 0."""
        sd = None if self.sd is None else self.sd * factor
        return Sample(self.n, self.mean * factor, sd, self.least * factor, self.most * factor)


@dataclass(frozen=True)
class Difference:
    """The second mean less the first, by Welch's t test.

    `df` is the effective number of degrees of freedom, `interval` the difference's 95 % interval.
    They are None where neither sample has a spread; `p` is then that of a permutation.
    """

    mean: float
    p: float
    df: float | None
    interval: tuple[float, float] | None


def welch(first: Sample | None, second: Sample | None) -> Difference | None:
    """Compare two means; None where one of them has less than two values.

    Samples without any spread leave Welch's t without a scale. Equal ones do not differ (p = 1);
    of unequal ones p is the share of all ways to deal out the values that part them as fully.
    """
    if first is None or second is None or first.sd is None or second.sd is None:
        return None
    mean = second.mean - first.mean
    parts = first.sd**2 / first.n, second.sd**2 / second.n
    variance = sum(parts)
    if variance == 0:
        ways = math.comb(first.n + second.n, first.n)
        return Difference(mean, 1.0 if mean == 0 else min(1.0, 2 / ways), None, None)
    shares = (part / variance for part in parts)  # of the variance, so that nothing underflows
    df = 1 / sum(
        share**2 / (sample.n - 1) for share, sample in zip(shares, (first, second), strict=True)
    )
    error = math.sqrt(variance)
    half = t_quantile((1 + CONFIDENCE) / 2, df) * error
    return Difference(mean, t_two_sided(mean / error, df), df, (mean - half, mean + half))


def holm(ps: Sequence[float]) -> list[float]:
    """Return p values that hold for all of so many tests together (Holm 1979), in their order."""
    adjusted = [0.0] * len(ps)
    least = 0.0
    for rank, index in enumerate(sorted(range(len(ps)), key=lambda i: ps[i])):
        least = max(least, min(1.0, ps[index] * (len(ps) - rank)))
        adjusted[index] = least
    return adjusted
