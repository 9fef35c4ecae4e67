# SPDX-License-Identifier: Apache-2.0
"""The same run again is the same run, whatever else the machine does and wherever files lie."""

import contextlib
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from longhaul.paths import cache_dir
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


def other_numbers() -> tuple[str, ...]:
    """Words in front of a command that give its processes numbers from 1 up, if that may be had."""
    words = ("unshare", "--pid", "--fork", "--mount-proc", "--kill-child")
    for rights in ((), ("--user", "--map-root-user")):
        if not subprocess.run(
            [*words, *rights, "true"], capture_output=True, check=False
        ).returncode:
            return (*words, *rights)
    return ()


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """On one core with a hog, other process numbers, and all folders under other names."""
    folder = tmp_path_factory.mktemp("second")
    (folder / "another cache").mkdir()
    (folder / "another cache" / "longhaul").symlink_to(cache_dir())
    with hog(core()):
        return front_door.run(
            folder / "a_longer_name",
            "ixgb_wan",
            *SETS,
            options=OPTIONS,
            before=("taskset", "-c", str(core()), *other_numbers()),
            environment={"XDG_CACHE_HOME": str(folder / "another cache")},
        )


@pytest.fixture(scope="module")
def another_seed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    options = ("--pcap", "--seed", "8")
    return front_door.run(
        tmp_path_factory.mktemp("third") / "o", "ixgb_wan", *SETS, options=options
    )


def cases(run: Path) -> object:
    return json.loads((run / "results.json").read_text())["cases"]


def digest(path: Path) -> str:
    """Return what stands for a file: pytest would compare megabytes line by line, for hours."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def captures(run: Path) -> dict[str, str]:
    found = {path.name: digest(path) for path in run.glob("*.pcapng")}
    assert len(found) == 4
    return found


def test_the_measured_values_are_identical(first: Path, elsewhere: Path) -> None:
    assert cases(first) == cases(elsewhere)


def test_every_packet_and_its_time_is_identical(first: Path, elsewhere: Path) -> None:
    assert captures(first) == captures(elsewhere)


def test_every_probe_is_identical(first: Path, elsewhere: Path) -> None:
    ends = [json.loads((run / "raw" / "sim.json").read_text()) for run in (first, elsewhere)]
    for key in ("probes", "window", "simulated_s", "params"):
        assert ends[0][key] == ends[1][key], key
    assert ends[0]["probes"]["sender.eth0.tx.frames"]["delta"] > 500


def test_guests_report_byte_for_byte_the_same(first: Path, elsewhere: Path) -> None:
    reports = [
        {p.relative_to(run): digest(p) for p in sorted(run.glob("guests/*/report/*"))}
        for run in (first, elsewhere)
    ]
    assert len(reports[0]) > 20
    assert reports[0] == reports[1]


def test_another_seed_is_another_run(first: Path, another_seed: Path) -> None:
    assert captures(first) != captures(another_seed)
