# SPDX-License-Identifier: Apache-2.0
"""The same run again is the same run, whatever else the machine does meanwhile."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from rig import front_door

SETS = ("duration=30ms", "loss=0.1%", "rtt=1ms")
OPTIONS = ("--pcap", "--seed", "7")


@contextlib.contextmanager
def hog(core: int) -> Generator[None]:
    """Keep a core busy with a program that never waits."""
    spin = [sys.executable, "-c", "while True: pass"]
    process = subprocess.Popen(["taskset", "-c", str(core), *spin])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def core() -> int:
    return min(os.sched_getaffinity(0))


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return front_door.run(
        tmp_path_factory.mktemp("first") / "o", "ixgb_wan", *SETS, options=OPTIONS
    )


@pytest.fixture(scope="module")
def beside_a_hog(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """On one core with the hog, and in a folder of another length."""
    out = tmp_path_factory.mktemp("second") / "a_longer_name"
    with hog(core()):
        before = ("taskset", "-c", str(core()))
        return front_door.run(out, "ixgb_wan", *SETS, options=OPTIONS, before=before)


@pytest.fixture(scope="module")
def another_seed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    options = ("--pcap", "--seed", "8")
    return front_door.run(
        tmp_path_factory.mktemp("third") / "o", "ixgb_wan", *SETS, options=options
    )


def cases(run: Path) -> object:
    return json.loads((run / "results.json").read_text())["cases"]


def captures(run: Path) -> dict[str, bytes]:
    found = {path.name: path.read_bytes() for path in run.glob("*.pcapng")}
    assert len(found) == 4
    return found


def test_the_measured_values_are_identical(first: Path, beside_a_hog: Path) -> None:
    assert cases(first) == cases(beside_a_hog)


def test_every_packet_and_its_time_is_identical(first: Path, beside_a_hog: Path) -> None:
    assert captures(first) == captures(beside_a_hog)


def test_every_probe_is_identical(first: Path, beside_a_hog: Path) -> None:
    ends = [json.loads((run / "raw" / "sim.json").read_text()) for run in (first, beside_a_hog)]
    for key in ("probes", "window", "simulated_s", "params"):
        assert ends[0][key] == ends[1][key], key
    assert ends[0]["probes"]["sender.eth0.tx.frames"]["delta"] > 500


def test_guests_report_byte_for_byte_the_same(first: Path, beside_a_hog: Path) -> None:
    reports = [
        {p.relative_to(run): p.read_bytes() for p in sorted(run.glob("guests/*/report/*"))}
        for run in (first, beside_a_hog)
    ]
    assert len(reports[0]) > 20
    assert reports[0] == reports[1]


def test_another_seed_is_another_run(first: Path, another_seed: Path) -> None:
    assert captures(first) != captures(another_seed)
