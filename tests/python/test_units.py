# SPDX-License-Identifier: Apache-2.0
import pytest
from hypothesis import given
from hypothesis import strategies as st
from longhaul.units import Frequency, Quantity, Rate, Size, Time, UnitError, ms, parse_share, s

KINDS = [Time, Size, Rate, Frequency]


@pytest.mark.parametrize(
    ("kind", "text", "count"),
    [
        (Time, "10ms", 10**10),
        (Time, "345ns", 345_000),
        (Time, "2.5us", 2_500_000),
        (Time, "4.9152 µs", 4_915_200),
        (Time, "1e-3s", 10**9),
        (Time, "2min", 120 * 10**12),
        (Size, "16MiB", 16 * 2**20),
        (Size, "10MB", 10**7),
        (Size, "1.5KiB", 1536),
        (Rate, "10.3125Gb/s", 10_312_500_000),
        (Frequency, "133.333333MHz", 133_333_333),
    ],
)
def test_text_becomes_the_exact_count(kind: type[Quantity], text: str, count: int) -> None:
    assert kind.parse(text).count == count


@pytest.mark.parametrize(
    ("kind", "text", "hint", "line"),
    [
        (Time, "10", "ms", "rtt=10: a time needs its unit; did you mean rtt=10ms?"),
        (Time, "0", "ms", "rtt=0: a time needs its unit; did you mean rtt=0ms?"),
        (Size, "16", "MiB", "rtt=16: a size needs its unit; did you mean rtt=16MiB?"),
        (Time, "10m", "ms", "rtt=10m: 'm' is no unit of a time; there are ps, ns, us, ms, s, min"),
        (
            Time,
            "fast",
            "",
            "rtt=fast: not a time; write a number and one of ps, ns, us, ms, s, min",
        ),
        (
            Time,
            "-1ms",
            "",
            "rtt=-1ms: a time cannot be negative",
        ),
        (Time, "0.3ps", "", "rtt=0.3ps: finer than 1 ps, the smallest step"),
    ],
)
def test_wrong_text_is_refused_with_the_cure(
    kind: type[Quantity], text: str, hint: str, line: str
) -> None:
    with pytest.raises(UnitError) as caught:
        kind.parse(text, where="rtt", hint=hint)
    assert str(caught.value) == line


@given(st.sampled_from(KINDS), st.integers(min_value=0, max_value=10**19))
def test_what_is_shown_reads_back_exactly(kind: type[Quantity], count: int) -> None:
    assert kind.parse(str(kind(count))) == kind(count)


@given(st.sampled_from(KINDS), st.text(max_size=12))
def test_any_text_is_read_or_refused_in_one_line(kind: type[Quantity], text: str) -> None:
    try:
        value = kind.parse(text)
    except UnitError as error:
        assert kind.KIND in str(error) or kind.BASE in str(error)
    else:
        assert value.count >= 0


def test_half_of_a_time_is_exact_or_refused() -> None:
    assert ms(9) / 2 == Time(4_500_000_000)
    with pytest.raises(UnitError, match="1ps does not divide by 2"):
        Time(1) / 2


def test_minutes_are_read_but_never_written_since_the_simulator_has_none() -> None:
    assert str(s(60)) == "60s"


@pytest.mark.parametrize(
    ("text", "share"), [("0.1%", 0.001), ("1e-6", 1e-6), ("0", 0.0), ("1", 1.0)]
)
def test_shares_have_two_forms(text: str, share: float) -> None:
    assert parse_share(text) == pytest.approx(share)


def test_a_share_above_one_proposes_percent() -> None:
    with pytest.raises(UnitError) as caught:
        parse_share("2", where="loss")
    assert str(caught.value) == "loss=2: a share is at most 1 (100%); did you mean 2%?"


@given(st.sampled_from([Time, Size, Rate]), st.integers(0, 2**63))
def test_the_short_text_is_exact_and_short(kind: type[Quantity], count: int) -> None:
    text = kind(count).short()
    assert kind.parse(text) == kind(count)
    assert len(text) <= len(str(kind(count))) + 2  # a point and a prefix


def test_the_short_text_is_the_one_that_people_write() -> None:
    assert Time(58_982_400).short() == "58.9824us"
    assert Time(1_600 * 10**9).short() == "1600ms"
    assert Size(16 * 2**20).short() == "16MiB"
