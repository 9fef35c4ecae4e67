# SPDX-License-Identifier: Apache-2.0
"""Means, intervals and tests against printed tables and worked examples."""

import math

import pytest
from longhaul.sweeps.intervals import Sample, holm, t_quantile, t_two_sided, welch

# Student's t, 97.5 %: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2.
TABLE = {
    1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262,
    10: 2.228, 11: 2.201, 12: 2.179, 13: 2.160, 14: 2.145, 15: 2.131, 16: 2.120, 17: 2.110,
    18: 2.101, 19: 2.093, 20: 2.086, 21: 2.080, 22: 2.074, 23: 2.069, 24: 2.064, 25: 2.060,
    26: 2.056, 27: 2.052, 28: 2.048, 29: 2.045, 30: 2.042, 40: 2.021, 60: 2.000, 100: 1.984,
    120: 1.980,
}  # fmt: skip


@pytest.mark.parametrize("df", TABLE)
def test_quantiles_are_those_of_the_table(df: int) -> None:
    assert t_quantile(0.975, df) == pytest.approx(TABLE[df], abs=0.0005)
    assert t_quantile(0.025, df) == pytest.approx(-TABLE[df], abs=0.0005)
    assert t_two_sided(t_quantile(0.975, df), df) == pytest.approx(0.05, rel=1e-9)


def test_degrees_of_freedom_need_not_be_whole() -> None:
    assert t_quantile(0.975, 4) > t_quantile(0.975, 4.5) > t_quantile(0.975, 5)


def test_a_samples_interval_is_that_of_the_textbook() -> None:
    # NIST/SEMATECH e-Handbook, 1.3.5.2: ZARR13.DAT has n=195, mean 9.261460, sd 0.022789.
    handbook = Sample(195, 9.261460, 0.022789, 9.196848, 9.327973)
    low, high = handbook.interval() or (0.0, 0.0)
    assert (low, high) == pytest.approx((9.258242, 9.264679), abs=2e-6)
    sample = Sample.of([2, 4, 4, 4, 5, 5, 7, 9])
    assert sample is not None
    assert (sample.n, sample.mean, sample.least, sample.most) == (8, 5, 2, 9)
    assert sample.sd == pytest.approx(math.sqrt(32 / 7))
    assert sample.half_width() == pytest.approx(2.3646 * math.sqrt(32 / 7 / 8), rel=1e-4)


def test_one_more_value_is_further_off_than_the_mean() -> None:
    sample = Sample.of([1, 2, 3])
    assert sample is not None
    low, high = sample.next_value() or (0.0, 0.0)
    assert (low + high) / 2 == 2
    assert high - 2 == pytest.approx(4.3027 * math.sqrt(1 + 1 / 3), rel=1e-4)


def test_what_is_missing_is_left_out_and_not_zero() -> None:
    sample = Sample.of([None, 3.0, None, 5.0])
    assert sample is not None and (sample.n, sample.mean) == (2, 4.0)
    assert Sample.of([None, None]) is None
    assert Sample.of([]) is None


def test_one_value_has_neither_spread_nor_interval() -> None:
    sample = Sample.of([6.4])
    assert sample is not None
    assert (sample.mean, sample.sd, sample.interval(), sample.next_value()) == (6.4, *[None] * 3)
    assert sample.as_json()["ci95"] is None


def test_values_that_are_all_the_same_have_no_spread_at_all() -> None:
    sample = Sample.of([0.1] * 10)
    assert sample is not None
    assert (sample.mean, sample.sd, sample.interval()) == (0.1, 0.0, (0.1, 0.1))


def test_the_form_of_results_is_read_again() -> None:
    sample = Sample.of([1.5, 2.5, 4.0])
    assert sample is not None and Sample.from_json(sample.as_json()) == sample


def test_welch_is_that_of_the_worked_examples() -> None:
    # Rosetta Code, "Welch's t-test", x and y, d5 and d6; df: Wikipedia, example 3 (24.5).
    found = welch(Sample.of([3.0, 4.0, 1.0, 2.1]), Sample.of([490.2, 340.0, 433.9]))
    assert found is not None
    assert found.p == pytest.approx(0.010751561149785, rel=1e-10)
    b1 = [19.8, 20.4, 19.6, 17.8, 18.5, 18.9, 18.3, 18.9, 19.5, 22.0]
    b2 = [28.2, 26.6, 20.1, 23.3, 25.2, 22.1, 17.7, 27.6, 20.6, 13.7,
          23.2, 17.5, 20.6, 18.0, 23.9, 21.6, 24.3, 20.4, 24.0, 13.2]  # fmt: skip
    found = welch(Sample.of(b1), Sample.of(b2))
    assert found is not None and found.df == pytest.approx(24.5, abs=0.05)
    assert found.p == pytest.approx(0.035972271029797, rel=1e-10)


def test_the_differences_interval_excludes_zero_where_the_test_is_significant() -> None:
    near = welch(Sample.of([1.0, 2.0, 3.0]), Sample.of([2.0, 3.0, 4.0]))
    far = welch(Sample.of([1.0, 2.0, 3.0]), Sample.of([11.0, 12.0, 13.0]))
    assert near and near.interval and near.p > 0.05 and near.interval[0] < 0 < near.interval[1]
    assert far and far.interval and far.p < 0.05 and far.interval[0] > 0


def test_a_sample_without_spread_beside_one_that_has_it_is_compared() -> None:
    found = welch(Sample.of([5.0] * 4), Sample.of([1.0, 2.0, 3.0]))
    assert found is not None and found.df == pytest.approx(2)


def test_samples_without_any_spread_are_equal_or_told_apart_by_how_many_there_are() -> None:
    same, other = Sample.of([3.0] * 10), Sample.of([4.0] * 10)
    equal, unlike = welch(same, same), welch(same, other)
    assert equal and (equal.p, equal.mean) == (1.0, 0.0)
    assert unlike and unlike.p == pytest.approx(2 / 184756)
    few = welch(Sample.of([3.0] * 2), Sample.of([4.0] * 2))
    assert few and few.p == pytest.approx(1 / 3)  # two and two prove nothing


def test_single_runs_and_what_is_missing_cannot_be_compared() -> None:
    assert welch(Sample.of([3.0]), Sample.of([4.0, 5.0])) is None
    assert welch(None, Sample.of([4.0, 5.0])) is None


def test_holm_raises_p_values_by_how_many_there_are() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []


def test_a_unit_changes_all_of_a_sample_but_its_number() -> None:
    sample = Sample.of([1.0, 3.0])
    assert sample is not None and sample.scaled(2) == Sample.of([2.0, 6.0])
