# SPDX-License-Identifier: Apache-2.0
"""The files of a run's folder that have a checksum, and those of the host, which have none."""

import json
from pathlib import Path
from typing import Any

import pytest
from longhaul.runs import artefacts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    report = tmp_path / "guests" / "sender" / "report"
    report.mkdir(parents=True)
    (tmp_path / "raw").mkdir()
    (report / "iperf.txt").write_text("6.05 Gb/s\n")
    (report.parent / "console.log").write_text("Host CPU: one of many\n")
    (tmp_path / "cable.pcapng").write_bytes(b"frames")
    (tmp_path / "profile-sender.csv").write_text("function,cycles\n")
    (tmp_path / "waves.fst").write_bytes(b"waves")
    (tmp_path / "raw" / "control.csv").write_text("time_ps\n")
    sim = {"probes": {"x": {"delta": 1}}, "wall_s": 1.5, "window_wall_s": 1.0, "compiler": "GCC"}
    (tmp_path / "raw" / "sim.json").write_text(json.dumps(sim))
    case = {"case": {"mtu": 1500}, "measured": {"goodput_gbps": 1.0}, "reference": {"x": 1}}
    (tmp_path / "results.json").write_text(json.dumps({"cases": [case], "wall_s": 2.0}))
    return tmp_path


def change_json(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_every_artefact_has_a_checksum(folder: Path) -> None:
    assert list(artefacts.checksums(folder)) == [
        *("results", "counters", "cable.pcapng", "guests/sender/report/iperf.txt"),
        *("raw/control.csv", "profile-sender.csv", "waves.fst"),
    ]


@pytest.mark.parametrize(
    "name",
    ["cable.pcapng", "guests/sender/report/iperf.txt", "raw/control.csv", "profile-sender.csv"],
)
def test_one_byte_is_seen(folder: Path, name: str) -> None:
    before = artefacts.checksums(folder)
    data = bytearray((folder / name).read_bytes())
    data[-2] ^= 1
    (folder / name).write_bytes(data)
    assert artefacts.differing(before, artefacts.checksums(folder)) == [name]


def test_a_counter_and_a_figure_are_seen(folder: Path) -> None:
    before = artefacts.checksums(folder)
    change_json(folder / "raw" / "sim.json", probes={"x": {"delta": 2}})
    assert artefacts.differing(before, artefacts.checksums(folder)) == ["counters"]
    case = {"case": {"mtu": 1500}, "measured": {"goodput_gbps": 1.0000000001}}
    change_json(folder / "results.json", cases=[case])
    assert artefacts.differing(before, artefacts.checksums(folder)) == ["results", "counters"]


def test_what_is_of_the_host_is_not(folder: Path) -> None:
    before = artefacts.checksums(folder)
    of_host = {"wall_s": 9.0, "window_wall_s": 8.0, "compiler": "GCC 13"}
    change_json(
        folder / "raw" / "sim.json", **of_host, host_s={"simulator": {"user": 1, "system": 1}}
    )
    change_json(folder / "results.json", wall_s=9.0)
    (folder / "guests" / "sender" / "console.log").write_text("Host CPU: another\n")
    (folder / "manifest.json").write_text("{}")
    assert artefacts.checksums(folder) == before


def test_published_figures_may_change(folder: Path) -> None:
    before = artefacts.checksums(folder)
    cases = json.loads((folder / "results.json").read_text())["cases"]
    change_json(folder / "results.json", cases=[cases[0] | {"reference": {"x": 2}}])
    assert artefacts.checksums(folder) == before


def test_a_file_that_one_side_lacks_differs(folder: Path) -> None:
    before = artefacts.checksums(folder)
    (folder / "cable.pcapng").unlink()
    assert artefacts.differing(before, artefacts.checksums(folder)) == ["cable.pcapng"]
