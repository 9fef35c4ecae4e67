# SPDX-License-Identifier: Apache-2.0
"""Damaged files of a finished run are told in one line that names the file."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from conftest import Cli
from longhaul.errors import LonghaulError, UsageError
from longhaul.record.file import Record
from longhaul.results import connection_series, profile
from longhaul.results.series import Series
from longhaul.results.simdata import load
from support import records
from support.records import EVENT, FRAME, Maker

DEEP = '{"a":' * 50_000 + "1" + "}" * 50_000


@pytest.fixture
def run(cli: Cli, tmp_path: Path) -> Path:
    assert cli("run", "ixgb_b2b", "--out", "run").returncode == 0
    return tmp_path / "run"


def changed(path: Path, change: Callable[[Any], object]) -> None:
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))


@pytest.mark.parametrize(
    ("command", "change", "place"),
    [
        ("compare", lambda it: it["parameters"][0].pop("object"), "parameters.0.object"),
        ("compare", lambda it: it["parameters"][0].update(value=[]), "parameters.0.value"),
        ("report", lambda it: it["parameters"][0].pop("unit"), "parameters.0.unit"),
        ("report", lambda it: it["settings"][1].pop("name"), "settings.1.name"),
        ("report", lambda it: it["settings"].append(None), "settings."),
    ],
)
def test_a_manifest_of_another_shape_is_told_with_the_place(
    run: Path, cli: Cli, command: str, change: Callable[[Any], object], place: str
) -> None:
    changed(run / "manifest.json", change)
    done = cli(command, "run", *(["run"] if command == "compare" else []))
    assert done.returncode == 2
    assert done.stderr.startswith("longhaul: run/manifest.json: not as a run writes it (" + place)
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", ["results.json", "manifest.json"])
def test_a_file_that_is_nested_too_deeply_is_told(run: Path, cli: Cli, name: str) -> None:
    (run / name).write_text(DEEP)
    done = cli("report", "run")
    assert done.returncode == 2
    assert done.stderr == f"longhaul: run/{name}: no JSON (it is nested too deeply)\n"


@pytest.mark.parametrize("text", [DEEP, "{", "\xff", "[]"])
def test_a_summary_that_is_none_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "sim.json").write_text(text, encoding="latin-1")
    with pytest.raises(LonghaulError, match=r"sim.json: not a whole summary \("):
        load(tmp_path / "sim.json")


@pytest.mark.parametrize("data", [b"", b"PAR1", b"no series at all, but some text" * 9])
def test_a_series_that_is_none_is_told(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "series.parquet").write_bytes(data)
    with pytest.raises(UsageError, match=r"series.parquet: no series of a run \("):
        Series(tmp_path / "series.parquet")
    shutil.copy(tmp_path / "series.parquet", tmp_path / connection_series.TABLE)
    with pytest.raises(UsageError, match=r"series.parquet: no series of a run \("):
        connection_series.figures(tmp_path, [], None)
    series = pl.DataFrame({"time_ps": [1, 2]})
    series.write_parquet(tmp_path / "series.parquet")
    with pytest.raises(UsageError, match=r"connections.parquet: no series of a run \("):
        connection_series.figures(tmp_path, [], None)


def test_a_kernels_damaged_symbols_are_told_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "System.map").write_text("ffff t one\nff")
    with pytest.raises(LonghaulError, match=rf"System.map: is damaged; remove {tmp_path}, and"):
        profile.Symbols(tmp_path / "System.map")


@pytest.mark.parametrize(
    "line",
    [
        records.line(1, 9, FRAME, 0x40, 64, (1, 0)),  # a stream that is not there
        records.line(1, 1, 5, 0, 64, ()),  # a kind
        records.line(1, 1, EVENT, 0, 64, (1, 70_000)),  # a label of an event
        records.line(1, 1, FRAME, 0x40, 64, (1, 70_000)),  # the cause of a frame's loss
        records.line(1, 1, FRAME, 0, 64, (1, 0, 70_000)),  # what a frame is that is no TCP
    ],
)
def test_a_record_with_a_damaged_line_is_told(tmp_path: Path, line: bytes) -> None:
    maker: Maker = records.guest_and_cable()
    maker.lines[7] = line
    record = Record(maker.write(tmp_path / "record.bin"))
    with pytest.raises(UsageError, match="the record is damaged"):
        record.lines(record.streams[0])
