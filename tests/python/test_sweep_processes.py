# SPDX-License-Identifier: Apache-2.0
"""Sweeps that are killed, interrupted, or run beside others and on a cluster."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from conftest import DRIVER, Cli
from support.sweeps import LARGE, MTUS, table
from support.workspaces import make


@pytest.fixture(autouse=True)
def nobody_waits_for_ever(tmp_path: Path) -> Iterator[None]:
    yield
    (tmp_path / "go").touch()


class Background:
    """A sweep in a process of its own whose last two points wait until they may go on."""

    def __init__(self, environment: dict[str, str], folder: Path, *more: str) -> None:
        self.runs, self.folder = folder / "runs", folder
        environment |= {"FAKE_SIM_RUNS": str(self.runs), "FAKE_SIM_GO": str(folder / "go")}
        environment["FAKE_SIM_HANG_AT"] = LARGE
        self.process = subprocess.Popen(
            [sys.executable, str(DRIVER), *MTUS, *more],
            env=environment,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def noted(self, what: str) -> list[str]:
        lines = self.runs.read_text().split("\n") if self.runs.exists() else []
        return sorted(line.split()[1] for line in lines if line and line.startswith(what))

    def wait_until_half_is_done(self) -> None:
        self.wait_for(lambda: len(self.noted("began")) == 4 and len(table(self.folder / "s")) == 4)

    def wait_for(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 120  # generous: others may load the machine
        while not condition():
            assert time.monotonic() < deadline and self.process.poll() is None, self.noted("")
            time.sleep(0.05)

    def go(self) -> None:
        (self.folder / "go").touch()


SMALL_DONE = {"mtu=3000": "done", "mtu=3001": "done", "mtu=9000": "missing", "mtu=9001": "missing"}


def statuses(folder: Path) -> dict[str, object]:
    return {name: row["status"] for name, row in table(folder).items()}


def test_a_killed_sweep_goes_on_without_repeating_or_losing_a_point(
    cli: Cli, environment: dict[str, str], tmp_path: Path
) -> None:
    first = Background(environment, tmp_path, "--jobs", "2")
    first.wait_until_half_is_done()
    first.wait_for(lambda: statuses(tmp_path / "s") == SMALL_DONE)
    started = psutil.Process(first.process.pid).children(recursive=True)
    assert started
    first.process.kill()
    first.process.communicate()
    _, alive = psutil.wait_procs(started, timeout=60)  # of a machine under load
    assert not alive
    first.go()
    done = cli(*MTUS, "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert "2 of 4 runs are already there" in done.stderr
    assert set(statuses(tmp_path / "s").values()) == {"done"}
    assert first.noted("ended") == ["mtu=3000", "mtu=3001", "mtu=9000", "mtu=9001"]
    assert first.noted("began").count("mtu=3000") == 1


def test_a_sweep_waits_for_a_run_that_another_is_still_at(
    environment: dict[str, str], tmp_path: Path, cli: Cli
) -> None:
    runs, go = tmp_path / "runs", tmp_path / "go"
    environment |= {"FAKE_SIM_RUNS": str(runs), "FAKE_SIM_GO": str(go), "FAKE_SIM_HANG_AT": LARGE}
    words = ["run", "ixgb_wan", "--set", "mtu=9000", "--out", "s/mtu=9000"]
    (tmp_path / "s").mkdir()
    alone = subprocess.Popen([sys.executable, str(DRIVER), *words], env=environment, cwd=tmp_path)
    deadline = time.monotonic() + 120
    while not runs.exists():
        assert time.monotonic() < deadline and alone.poll() is None
        time.sleep(0.05)
    record = {"scenario": "ixgb_wan", "set": [], "seed": 1}
    (tmp_path / "s" / "sweep.json").write_text(json.dumps(record))
    command = [sys.executable, str(DRIVER), "sweep", "ixgb_wan", "--over", "mtu=9000", "--out", "s"]
    sweeping = subprocess.Popen(command, env=environment, cwd=tmp_path, stderr=subprocess.PIPE)
    while not (tmp_path / "s" / "mtu=9000.log").exists():
        assert time.monotonic() < deadline and sweeping.poll() is None
        time.sleep(0.05)
    time.sleep(1)
    go.touch()
    _, said = sweeping.communicate(timeout=60)
    assert (sweeping.returncode, alone.wait(60)) == (0, 0), said
    assert runs.read_text() == "began mtu=9000\nended mtu=9000\n"


def test_an_interrupted_sweep_keeps_what_is_done(
    environment: dict[str, str], tmp_path: Path
) -> None:
    sweeping = Background(environment, tmp_path, "--jobs", "1")
    sweeping.wait_for(lambda: len(sweeping.noted("began")) == 3)
    sweeping.process.send_signal(signal.SIGINT)
    _, said = sweeping.process.communicate(timeout=30)
    assert sweeping.process.returncode == 130
    assert said.splitlines()[-1] == "longhaul: interrupted; the same command does the 2 runs left"
    assert statuses(tmp_path / "s") == SMALL_DONE
    assert "2 done, 2 missing" in (tmp_path / "s" / "report.html").read_text()
    assert sweeping.noted("began") == ["mtu=3000", "mtu=3001", "mtu=9000"]


def test_two_at_one_sweep_are_told_so(
    cli: Cli, environment: dict[str, str], tmp_path: Path
) -> None:
    first = Background(environment, tmp_path)
    first.wait_for(lambda: len(first.noted("began")) >= 1)
    second = cli(*MTUS)
    assert second.returncode == 2
    assert second.stderr.splitlines()[-1] == "longhaul: another longhaul runs the sweep in s"
    first.go()
    first.process.communicate(timeout=60)
    assert first.process.returncode == 0


def test_dask_is_loaded_only_where_it_is_asked_for(environment: dict[str, str]) -> None:
    modules = "longhaul.cli, longhaul.sweeps.sweep, longhaul.sweeps.cluster"
    look = f"import sys, {modules}; print('dask' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", look], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


@contextmanager
def cluster(environment: dict[str, str]) -> Iterator[str]:
    """Run a Dask cluster of two workers that see what the test sees."""
    from distributed import LocalCluster

    os.environ.update({name: text for name, text in environment.items() if "FAKE" in name})
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local:
        yield local.scheduler_address


def test_a_clusters_workers_do_the_points_and_a_lost_scheduler_loses_none(
    cli: Cli, environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, go = tmp_path / "runs", tmp_path / "go"
    for name, text in {"RUNS": str(runs), "GO": str(go), "HANG_AT": LARGE}.items():
        monkeypatch.setenv(f"FAKE_SIM_{name}", text)
    with cluster(environment) as address:
        first = Background(environment, tmp_path, "--scheduler", address)
        first.wait_for(lambda: len(first.noted("began")) == 4)
        first.wait_for(lambda: statuses(tmp_path / "s") == SMALL_DONE)
    _, said = first.process.communicate(timeout=30)
    assert first.process.returncode == 1, said
    assert said.splitlines()[-1] == (
        f"longhaul: the scheduler at {address} was lost; the same command goes on with what is left"
    )
    first.go()
    assert cli(*MTUS).returncode == 0
    assert first.noted("ended") == ["mtu=3000", "mtu=3001", "mtu=9000", "mtu=9001"]


def test_a_clusters_workers_find_a_workspaces_scenario(
    cli: Cli, environment: dict[str, str], tmp_path: Path
) -> None:
    place = make(tmp_path / "ws", "cable")
    with cluster(environment) as address:
        over = ("--over", "mtu=3000,3001", "--set", "duration=10ms", "--scheduler", address)
        done = cli("sweep", str(place / "scenarios" / "cable"), *over)
        assert done.returncode == 0, done.stderr
        (place / "scenarios" / "cable").rename(tmp_path / "bare")
        done = cli("--workspace", "ws", "sweep", "bare", *over)
        assert done.returncode == 0, done.stderr
    for name in ("sweep-cable", "sweep-bare"):
        found = table(place / "out" / name)
        assert [row["status"] for row in found.values()] == ["done", "done"]


def test_a_scheduler_that_is_not_there_is_one_line(cli: Cli, environment: dict[str, str]) -> None:
    environment["FAKE_ANSWER_S"] = "0.5"
    done = cli(*MTUS, "--scheduler", "tcp://127.0.0.1:1")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "longhaul: no Dask scheduler answers at tcp://127.0.0.1:1; `dask scheduler` starts one"
    )
    done = cli(*MTUS, "--scheduler", "host:port")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "longhaul: --scheduler host:port: write host:port, such as tcp://host:8786"
    )
