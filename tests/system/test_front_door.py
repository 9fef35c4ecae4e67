# SPDX-License-Identifier: Apache-2.0
"""The whole thing through ./longhaul: real guests, short runs."""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from longhaul.paths import ROOT
from rig import wire
from rig.front_door import has_ended, said, wait_for, words_of


def longhaul(*args: str, timeout: float = 300) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(ROOT / "longhaul"), *args],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def run(out: Path, scenario: str, *sets: str, options: tuple[str, ...] = ()) -> dict[str, Any]:
    words = [word for text in sets for word in ("--set", text)]
    done = longhaul("run", scenario, *words, *options, "--out", str(out))
    assert done.returncode == 0, done.stderr
    return json.loads((out / "results.json").read_text())["cases"][0]["measured"]


def test_the_second_start_sets_nothing_up() -> None:
    assert longhaul("run", "ixgb_b2b", "--set", "rtt=1ms").returncode == 2
    again = longhaul("run", "ixgb_b2b", "--set", "rtt=1ms")
    assert again.returncode == 2
    assert len(said(again.stderr)) == 1, "a set-up step says what it does"


STUB = """
import os, pathlib, signal, sys, time
signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
pathlib.Path(os.environ["LONGHAUL_ROOT"], "pid").write_text(str(os.getpid()))
time.sleep(300)
"""


def test_python_ends_with_the_script_that_waits_for_it(tmp_path: Path) -> None:
    # The environment's key is made of both lists of packages: it is the one that is there.
    packages = ("requirements.txt", "requirements-dev.txt", "platform/config/debian-packages.txt")
    for name in ("longhaul", *packages):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    package = tmp_path / "platform" / "python" / "longhaul"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(STUB)
    pid = tmp_path / "pid"
    # Before it builds, `tune` lets Python check its words.
    with subprocess.Popen([str(tmp_path / "longhaul"), "tune"], stdin=subprocess.DEVNULL) as script:
        wait_for(lambda: pid.exists() and pid.read_text(), "Python's start", 60)
        python = psutil.Process(int(pid.read_text()))
        script.terminate()
        script.wait(10)
    assert script.returncode == -signal.SIGTERM
    wait_for(lambda: has_ended(python), "Python's end", 20)


@pytest.mark.parametrize("scenario", ["ixgb_b2b", "ixgb_wan"])
def test_a_short_run_moves_data_through_the_unmodified_driver(
    tmp_path: Path, scenario: str
) -> None:
    """tshark finds nothing wrong in what it sends."""
    measured = run(tmp_path / "o", scenario, "duration=50ms", options=("--pcap",))
    assert measured["guest"]["sender"]["driver"] == "ixgb"
    assert 0.1 < measured["goodput_gbps"] < 10
    assert measured["wire_gbps"] < 10
    assert measured["receiver"]["irq_per_s"] > 0
    told = json.loads((tmp_path / "o" / "raw" / "sim.json").read_text())
    after_s = told["simulated_s"] - told["window"]["end_ps"] / 1e12
    assert after_s < 0.3, "the machines wait for a program that has nothing left to do"
    captures = list((tmp_path / "o").glob("*.pcapng"))
    assert captures
    for capture in captures:
        assert wire.count(capture) > 10
        assert wire.wrong(capture) == []


@pytest.mark.parametrize(
    "sets",
    [
        ["workload=ping", "duration=20ms"],
        ["workload=iperf3", "mtu=16114", "duration=20ms", "streams=2"],
        ["workload=udp", "duration=50ms", "rate=200Mb/s"],
        ["mtu=88", "window=64KiB", "duration=10ms"],
        ["mmrbc=4096", "pcix_mhz=66", "rings=256/512", "tso=off", "duration=20ms"],
        ["workload=ping -c 3 $LH_PEER"],
        ["workload=iperf -c $LH_PEER -t 0.02"],
    ],
    ids=" ".join,
)
def test_every_kind_of_run(tmp_path: Path, sets: list[str]) -> None:
    """Beside those of other files: IPv6 and MTUs in test_golden.py and test_bus_arithmetic.py."""
    measured = run(tmp_path / "o", "ixgb_b2b", *sets)
    assert measured["wire_gbps"] > 0
    if "ping" not in sets[0]:
        assert 0 < measured["goodput_gbps"] <= measured["wire_gbps"]


def test_ctrl_c_leaves_no_process(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [str(ROOT / "longhaul"), "run", "ixgb_b2b", "--out", str(tmp_path / "o")],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    here = psutil.Process(process.pid)
    deadline = time.monotonic() + 120
    while not any("longhaul-sim" in " ".join(words_of(c)) for c in here.children(recursive=True)):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.1)
    time.sleep(2)
    family = here.children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert not [child for child in family if child.is_running()]
    assert not (tmp_path / "o").exists()
