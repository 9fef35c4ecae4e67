# SPDX-License-Identifier: Apache-2.0
"""One frame discarded under real Linux: what the box saw follows from the guest's own cwnd.

The whole recovery at 4 ms takes minutes of wall time; its figure and command are in
docs/gnet1_discard.md.
"""

import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from rig import front_door
from rig.fst import Row, Waves

FRAME, LINE_MB_PER_S = 1518, 125 * 1518 / 1538
WINDOW = 1_500_000 // 1448  # segments (docs/gnet1_discard.md)
CONNECTION = re.compile(r"sender\.tcp\.(c\d+_10_\d+_\d+_\d+_5001)\.cwnd")


def measured(run: Path) -> dict[str, Any]:
    return json.loads((run / "results.json").read_text())["cases"][0]["measured"]


@pytest.fixture(scope="module")
def far(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("far") / "o"
    sets = ("delay=4ms", "duration=1500ms")
    return front_door.run(out, "gnet1_discard", *sets, options=("--waves=tcp",))


@pytest.fixture(scope="module")
def rate(far: Path) -> pl.DataFrame:
    return pl.read_csv(far / "rate.csv")


@pytest.fixture(scope="module")
def connection(far: Path) -> dict[str, Row]:
    drawn = Waves(far)
    found = [match[1] for name in drawn.names if (match := CONNECTION.fullmatch(name))]
    assert len(found) == 1, found
    return drawn.below(f"sender.tcp.{found[0]}.")


def lost_s(far: Path) -> float:
    log = pl.read_csv(far / "raw" / "control.csv", schema_overrides={"value": pl.UInt64})
    armed = log.filter((pl.col("address") == "0x11c") & (pl.col("access") == "write"))
    return armed["time_ps"][-1] / 1e12


def number(row: Row, at_s: float) -> int:
    return row.number(round(at_s * 1e12))


def test_the_line_is_full_before_the_loss(far: Path, rate: pl.DataFrame) -> None:
    before = rate.filter(pl.col("end_s") <= lost_s(far))["megabytes_per_s"]
    assert before.len() >= 3
    assert before.max() == pytest.approx(LINE_MB_PER_S, rel=0.005)
    # Now and then softirqs wait milliseconds for the turn of ksoftirqd (docs/gnet1_discard.md): in
    # none of these three tenths of a second on layout 0, in two of them on layout 4.
    assert before.min() > 0.9 * LINE_MB_PER_S


def test_one_loss_halves_cwnd_which_stood_at_the_window(
    far: Path, connection: dict[str, Row]
) -> None:
    assert measured(far)["retransmits"] == 1
    assert number(connection["cwnd"], lost_s(far)) == WINDOW
    assert number(connection["ssthresh"], lost_s(far) + 0.1) == WINDOW // 2
    assert number(connection["cwnd"], lost_s(far) + 0.1) == pytest.approx(WINDOW // 2, abs=3)


def test_the_rate_after_it_is_cwnd_a_round_trip(
    far: Path, rate: pl.DataFrame, connection: dict[str, Row]
) -> None:
    # The 0.1 s after these have the sender's ss, which has its processor for some milliseconds.
    after = rate.filter(pl.col("end_s") > lost_s(far) + 0.25).head(7)
    assert after.height == 7
    for end, value in after.select("end_s", "megabytes_per_s").iter_rows():
        cwnd = number(connection["cwnd"], end - 0.05)
        srtt = number(connection["srtt_us"], end - 0.05) * 1e-6
        assert value == pytest.approx(cwnd * FRAME / srtt / 1e6, rel=0.05), end


def test_cwnd_grows_by_a_segment_in_as_many_round_trips_as_an_ack_is_for_frames(
    far: Path, connection: dict[str, Row]
) -> None:
    begin, end = lost_s(far) + 0.1, lost_s(far) + 1.1
    grown = number(connection["cwnd"], end) - number(connection["cwnd"], begin)
    srtt = number(connection["srtt_us"], end) * 1e-6
    assert grown == pytest.approx((end - begin) / srtt / 5, rel=0.12)


def test_so_the_recovery_takes_seconds(
    far: Path, rate: pl.DataFrame, connection: dict[str, Row]
) -> None:
    assert measured(far)["recovery_s"] is None  # in the second that was looked at
    begin, end = lost_s(far) + 0.2, rate["end_s"][-2]
    slope = (number(connection["cwnd"], end) - number(connection["cwnd"], begin)) / (end - begin)
    missing = 120e6 * number(connection["srtt_us"], end) * 1e-6 / FRAME - WINDOW // 2
    assert 3 < missing / slope < 10  # the paper's Linux: about 8 s


def test_samples_of_20_us_show_the_gap_in_which_the_sender_waits(far: Path) -> None:
    # Half a window is sent in less time than a round trip takes.
    assert 500 < measured(far)["longest_idle_us"] < 8000
    samples = pl.read_csv(far / "samples.csv")
    first = samples.head(200)  # 5 ms before the loss: no sample without a frame
    assert first["frames"].min() >= 1
    assert samples.tail(-250)["frames"].min() == 0


def test_without_delay_it_is_over_within_100_ms(tmp_path: Path) -> None:
    run = front_door.run(tmp_path / "o", "gnet1_discard", "delay=0s", "duration=900ms")
    found = measured(run)
    assert found["rate_before_mb_per_s"] == pytest.approx(LINE_MB_PER_S, rel=0.005)
    assert found["recovery_s"] <= 0.1
    assert found["retransmits"] == 1


def test_a_queue_as_long_as_linux_24s_is_full_before_the_window_is(tmp_path: Path) -> None:
    """654 segments on the path, 256 in a ring of three descriptors each, 100 ahead of it."""
    sets = ("delay=4ms", "sender_queue=linux24", "rings=256/768", "warmup=600ms")
    short = ("discard_at=100ms", "duration=150ms")
    run = front_door.run(tmp_path / "o", "gnet1_discard", *sets, *short, options=("--waves=tcp",))
    drawn = Waves(run)
    name = next(match[1] for each in drawn.names if (match := CONNECTION.fullmatch(each)))
    ssthresh = drawn.below(f"sender.tcp.{name}.")["ssthresh"]
    # Nothing was lost yet; the queue refused a packet, and TCP halved cwnd (CWR).
    assert number(ssthresh, lost_s(run)) == pytest.approx((654 + 256 + 100) / 2, rel=0.03)
    assert measured(run)["retransmits"] == 1
