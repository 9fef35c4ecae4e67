# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import polars as pl
import pytest
from longhaul.results import series
from longhaul.results.measures import Plot, is_drop_column

MS = 10**9


def parquet(tmp_path: Path, rows: int) -> Path:
    csv = tmp_path / "series.csv"
    lines = ["time_ps,a.mac.rx_octets,a.core.state:user,a.mac.rx_lost,a.mac.rx_drop"]
    lines += [f"{i * MS},{1000},{MS // 4},{int(i == 3)},0" for i in range(1, rows + 1)]
    csv.write_text("\n".join(lines) + "\n")
    series.to_parquet(csv, tmp_path / "series.parquet")
    return tmp_path / "series.parquet"


def test_parquet_holds_every_line_and_integers_stay_integers(tmp_path: Path) -> None:
    frame = pl.read_parquet(parquet(tmp_path, 10))
    assert frame.height == 10
    assert frame["time_ps"].dtype == pl.Int64
    assert frame["time_ps"].to_list()[-1] == 10 * MS
    assert not (tmp_path / "series.parquet.part").exists()


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "-2", "3"], pl.Int64),
        (["1", "2.500000", "3"], pl.Float64),
        (["1e-07", "0", "2.5"], pl.Float64),
        (["1", "", "3"], pl.Int64),
        (["1", "", "2.5"], pl.Float64),
        (["1", "9223372036854775807", "9223372036854775808"], None),
        (["1", "two", "3"], pl.String),
        (["", "", ""], pl.String),
    ],
)
def test_a_column_has_the_type_that_all_of_its_values_have(
    tmp_path: Path, values: list[str], kind: type[pl.DataType] | None
) -> None:
    csv, target = tmp_path / "series.csv", tmp_path / "series.parquet"
    rows = [f"{i * MS},{value},{i}.5,7" for i, value in enumerate(values)]
    csv.write_text("\n".join(["time_ps,x,fraction,whole", *rows]) + "\n")
    series.to_parquet(csv, target)
    frame = pl.read_parquet(target)
    inferred = pl.read_csv(csv, infer_schema_length=None)
    assert frame.schema == inferred.schema
    assert frame.equals(inferred)
    assert kind is None or frame["x"].dtype == kind


@pytest.mark.parametrize("rows", [10, 1200, 5000, 12345])
def test_thinning_keeps_rates(tmp_path: Path, rows: int) -> None:
    data = series.Series(parquet(tmp_path, rows))
    plot = Plot("Wire", "Gb/s", {"in": "a.mac.rx_octets"}, 8 / 1e9)
    figure = data.figure(plot)
    assert figure is not None
    assert len(figure.seconds) <= series.MOST_POINTS
    assert figure.curves[0].y == pytest.approx([1000 * 8 / 1e9 / 1e-3] * len(figure.seconds))


def test_only_the_window_and_a_quarter_of_it_are_drawn(tmp_path: Path) -> None:
    data = series.Series(parquet(tmp_path, 1000), (400 * MS, 600 * MS))
    seconds = (data.frame["time_ps"] / MS).to_list()
    assert (seconds[0], seconds[-1]) == (350, 650)
    assert data.frame["period_ps"].to_list() == [MS] * 301


def test_states_become_percent_of_the_period(tmp_path: Path) -> None:
    plot = Plot("CPU", "%", {"user": "a.core.state:user"}, 100 / 1e12)
    figure = series.Series(parquet(tmp_path, 3000)).figure(plot)
    assert figure is not None
    assert figure.curves[0].y == pytest.approx([25.0] * len(figure.seconds))


def test_drops_are_summed_and_silent_counters_left_out(tmp_path: Path) -> None:
    figure = series.Series(parquet(tmp_path, 10)).drops()
    assert figure is not None
    assert [curve.legend for curve in figure.curves] == ["a.mac.rx_lost"]
    assert figure.curves[0].y == [0, 0, 1, 1, 1, 1, 1, 1, 1, 1]


def test_a_plot_without_its_columns_is_left_out(tmp_path: Path) -> None:
    assert series.Series(parquet(tmp_path, 5)).figure(Plot("x", "", {"a": "no.such"}, 1)) is None


@pytest.mark.parametrize(
    ("column", "drop"),
    [
        ("xg1200.p1.drops", True),
        ("a.mac.rx_bad_fcs", True),
        ("a.mac.rx_frames", False),
        ("drops.mac.rx_frames", False),
        ("sender.eth0.rx.missed", True),
        ("anue.west.pause_dropped", False),
        ("a.core.state:dropped", False),
        ("gnet1.red_drop_p0", True),
        ("gnet1.tail_drop_p0", True),
        ("gnet1.sram_drop_p3", True),
        ("gnet1.discards_p0", True),
        ("gnet1.rx_lost_p1", True),
        ("gnet1.no_route_p2", True),
        ("gnet1.flips_p0", False),  # the part that refuses the frame counts it
        ("gnet1.p1.tx_bad_fcs", False),
        ("nistnet.path.backlog_dropped", True),
    ],
)
def test_drop_columns_are_known_by_their_last_word(column: str, drop: bool) -> None:
    assert is_drop_column(column) == drop
