# SPDX-License-Identifier: Apache-2.0
"""Rates, samples and recovery from a log of register accesses, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from longhaul.errors import LonghaulError
from longhaul.gnet1 import observed

HEAD = "time_ps,box,address,access,value,by\n"


def log_of(folder: Path, *lines: str) -> pl.DataFrame:
    path = folder / "control.csv"
    path.write_text(HEAD + "".join(f"{line}\n" for line in lines))
    return observed.read_log(path, "gnet1")


def test_rates_are_differences_of_bytes_over_time_and_survive_a_wrap(tmp_path: Path) -> None:
    log = log_of(
        tmp_path,
        "100000000000,gnet1,0x8,write,5,scenario",
        "100000000000,gnet1,0x1b0,read,4294967000,scenario",
        "150000000000,other,0x1b0,read,7,socket",
        "200000000000,gnet1,0x1b0,read,11999704,scenario",
        "400000000000,gnet1,0x1b0,read,11999704,scenario",
    )
    rate = observed.rates(log, 0)
    assert rate["end_s"].to_list() == pytest.approx([0.2, 0.4])
    assert rate["megabytes_per_s"].to_list() == pytest.approx([120.0, 0.0])
    assert observed.written_s(log, "CTRL") == pytest.approx(0.1)
    assert observed.written_s(log, "MAGIC") is None


def test_registers_read_together_are_rows_with_times_in_seconds(tmp_path: Path) -> None:
    lines = [
        f"{at},gnet1,{address},read,{value},scenario"
        for at, backlog, drops in ((10**12, 20000, 3), (2 * 10**12, 0, 80))
        for address, value in (("0x178", backlog), ("0x198", drops))
    ]
    table = observed.series(log_of(tmp_path, *lines), 0, ("BACKLOG", "RED_DROP"))
    assert table.columns == ["time_s", "BACKLOG", "RED_DROP"]
    assert table["time_s"].to_list() == [1.0, 2.0]
    assert table["BACKLOG"].to_list() == pytest.approx([0.002, 0.0])  # counted in 100 ns
    assert table["RED_DROP"].to_list() == [3, 80]
    with pytest.raises(LonghaulError, match="^p0.RED_DROP was not read together with BACKLOG$"):
        observed.series(log_of(tmp_path, *lines[:3]), 0, ("BACKLOG", "RED_DROP"))


def test_samples_are_steps_between_pairs_of_reads(tmp_path: Path) -> None:
    pairs = [(380, 1), (760, 2), (760, 2), (760, 2), (1140, 3)]
    lines = [
        line
        for words, frames in pairs
        for line in (f"1,gnet1,0x30,read,{words},scenario", f"1,gnet1,0x34,read,{frames},scenario")
    ]
    sampled = observed.samples(log_of(tmp_path, *lines), 20e-6)
    assert sampled["frames"].to_list() == [1, 0, 0, 1]
    assert sampled["words"].to_list() == [380, 0, 0, 380]
    assert sampled["end_s"].to_list() == pytest.approx([20e-6, 40e-6, 60e-6, 80e-6])
    assert observed.longest_idle_s(sampled, 20e-6) == pytest.approx(40e-6)
    with pytest.raises(LonghaulError, match="samples are incomplete"):
        observed.samples(log_of(tmp_path, lines[0]), 20e-6)


def rate_of(*values: float) -> pl.DataFrame:
    ends = [0.1 * (i + 1) for i in range(len(values))]
    return pl.DataFrame({"end_s": ends, "megabytes_per_s": list(values)})


def test_the_rate_is_back_when_it_stays() -> None:
    rate = rate_of(121, 40, 122, 60, 90, 119, 121, 121, 121, 121, 121)
    assert observed.regained_s(rate, 0.1, 120) == pytest.approx(0.5)  # not at the lone 122


def test_a_rate_that_never_comes_back_has_no_time() -> None:
    assert observed.regained_s(rate_of(121, 40, 60, 90, 119), 0.1, 120) is None


def test_without_a_whole_interval_after_the_loss_nothing_is_known() -> None:
    assert observed.regained_s(rate_of(121, 121, 121), 0.3, 120) is None
    assert observed.regained_s(rate_of(121), 0.05, 120) is None


def test_no_loss_of_rate_is_regained_at_once() -> None:
    assert observed.regained_s(rate_of(121, 121, 121, 121), 0.1, 120) == pytest.approx(0, abs=1e-9)


def test_a_log_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(LonghaulError, match=r"control\.csv"):
        observed.read_log(tmp_path / "control.csv", "gnet1")


def sampled(*frames: int) -> pl.DataFrame:
    return pl.DataFrame({"frames": list(frames), "words": [0] * len(frames)})


def test_bursts_are_what_lies_between_pauses_and_the_cut_ones_do_not_count() -> None:
    found = observed.bursts(sampled(1, 0, 0, 2, 1, 0, 2, 0, 0, 0, 0, 1, 0, 0, 3), 20e-6, gap=2)
    # 2, 1, a lone 0, 2; then 1. Pauses of 2, 4 and 2 samples.
    assert found["burst_frames"] == pytest.approx((5 + 1) / 2)
    assert found["burst_ms"] == pytest.approx((4 + 1) / 2 * 0.02)
    assert found["pause_us"] == pytest.approx((2 + 4 + 2) / 3 * 20)
    assert found["period_ms"] == pytest.approx(found["burst_ms"] + found["pause_us"] / 1e3)
    assert found["idle_pct"] == pytest.approx(100 * 8 / 15)


def test_a_pause_at_either_end_is_idle_time_and_no_mean() -> None:
    assert observed.bursts(sampled(0, 0, 1, 1, 0, 0), 20e-6, gap=2) == {
        "idle_pct": pytest.approx(100 * 4 / 6)
    }


def test_a_stream_without_a_pause_has_no_bursts() -> None:
    assert observed.bursts(sampled(1, 2, 0, 1, 2), 20e-6, gap=2) == {"idle_pct": 0.0}
