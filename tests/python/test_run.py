# SPDX-License-Identifier: Apache-2.0
"""Whole runs of the command line with a simulator that plays a part."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from conftest import DRIVER, Cli
from longhaul import outdir, registry
from longhaul.results import series_period
from longhaul.topology import Scenario
from longhaul.units import Time, ms, s, us
from support.runs import no_result


def wait_for(condition: Callable[[], object], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.02)


def alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_a_run_leaves_every_documented_file(cli: Cli, tmp_path: Path) -> None:
    done = cli("run", "ixgb_b2b", "--out", "o", "--pcap", "--timeline", "--seed", "5")
    assert done.returncode == 0, done.stderr
    out = tmp_path / "o"
    names = {path.name for path in out.iterdir()}
    assert names >= {
        "results.json",
        "manifest.json",
        "report.html",
        "series.parquet",
        "timeline.pftrace",
        "trunk.pcapng",
        "sender_link.pcapng",
        "guests",
    }
    assert not outdir.partial_path(out).exists()
    assert (out / "guests" / "sender" / "console.log").is_file()
    config = json.loads((out / "raw" / "config.json").read_text())
    assert (config["seed"], config["observe"]["timeline"]) == (5, True)
    assert sorted(config["observe"]["pcap"]) == ["receiver_link", "sender_link", "trunk"]


def test_the_manifest_says_what_the_run_depended_on(cli: Cli, tmp_path: Path) -> None:
    assert cli("run", "ixgb_wan", "--set", "rtt=20ms", "--out", "o").returncode == 0
    manifest = json.loads((tmp_path / "o" / "manifest.json").read_text())
    assert manifest["changed"] == {"rtt": "20ms"}
    assert manifest["checksums"]["drivers"] == {"ixgb": "ab" * 32}
    assert len(manifest["checksums"]["simulator"]) == 64
    assert manifest["versions"]["guest_kernel"]["key"] == "0123456789abcdef"
    assert "absent" not in manifest["versions"]["python_packages"].values()
    rtt = next(item for item in manifest["settings"] if item["name"] == "rtt")
    assert (rtt["value"], rtt["evidence"]) == ("20ms", "chosen")
    for item in [*manifest["settings"], *manifest["parameters"]]:
        assert item["evidence"] and item["source"]


def test_a_run_does_not_depend_on_where_it_is_stored(cli: Cli, tmp_path: Path) -> None:
    """Paths reach the guests' command lines, and Linux mixes those into its random numbers."""
    configs: list[str] = []
    for name in ("a", "somewhere/else/b"):
        assert cli("run", "ixgb_b2b", "--out", name).returncode == 0
        configs.append((tmp_path / name / "raw" / "config.json").read_text())
    assert configs[0] == configs[1]
    assert str(tmp_path) not in configs[0]


@pytest.mark.parametrize(
    ("duration", "period"),
    [(ms(1), us(100)), (ms(20), us(100)), (ms(100), us(500)), (s(1), ms(1)), (s(60), ms(6))],
)
def test_the_series_fits_the_length_of_the_run(duration: Time, period: Time) -> None:
    scenario = built("ixgb_b2b", f"duration={duration}", "warmup=0s")
    assert series_period.period(scenario) == period


def test_long_lines_of_a_series_are_fewer() -> None:
    wide = built("pairs", "pairs=64", "workload=iperf+netperf_rr", "duration=10s", "warmup=0s")
    assert ms(13) < series_period.period(wide) < ms(14)  # lines of some 13,000 values
    short = built("pairs", "pairs=64", "streams=64", "duration=1s", "warmup=0s")
    assert series_period.period(short) == ms(5)


def built(name: str, *sets: str) -> Scenario:
    entry = registry.find(name)
    return entry.build(entry.parse(sets), seed=1)


def test_progress_off_a_terminal_is_whole_lines(cli: Cli) -> None:
    done = cli("run", "ixgb_b2b", "--out", "o")
    assert "ixgb_b2b: " in done.stderr and " s simulated" in done.stderr
    assert "\x1b" not in done.stderr and "\r" not in done.stderr


@pytest.mark.parametrize(
    ("mode", "code", "line"),
    [
        ("fail", 1, "longhaul: receiver: guest panicked at 1.250 s: Oops"),
        ("bad-config", 2, "longhaul: sender.eth0.mtu: got 3, wants more"),
        (
            "die",
            1,
            "longhaul: the simulator was killed by SIGKILL (from outside: a user, or the kernel "
            "because memory ran out)",
        ),
        ("part", 1, "longhaul: the simulator left spans.bin.part unfinished"),
    ],
)
def test_a_failed_simulator_is_one_line_and_no_result(
    cli: Cli, tmp_path: Path, mode: str, code: int, line: str
) -> None:
    done = cli("run", "ixgb_b2b", "--out", "o", mode=mode)
    assert done.returncode == code
    assert done.stderr.splitlines()[-1] == line
    assert "Traceback" not in done.stderr
    assert no_result(tmp_path / "o")


def test_a_guests_last_console_lines_follow_the_message(
    cli: Cli, environment: dict[str, str]
) -> None:
    environment["FAKE_SIM_CONSOLE"] = "1"
    done = cli("run", "ixgb_b2b", "--out", "o", mode="fail")
    assert done.stderr.splitlines()[-2:] == [
        "longhaul: receiver: guest panicked at 1.250 s: Oops",
        "  Kernel panic - not syncing: Fatal exception",
    ]


def test_a_simulator_without_room_says_so(cli: Cli, tmp_path: Path) -> None:
    done = cli("run", "ixgb_b2b", "--out", "o", mode="full-disk")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("series.csv: No space left on device")
    assert no_result(tmp_path / "o")


def test_guests_that_never_marked_a_window_give_no_result(cli: Cli, tmp_path: Path) -> None:
    done = cli("run", "ixgb_b2b", "--out", "o", mode="no-window")
    assert done.returncode == 1
    assert "no traffic of iperf outlasted the warm-up" in done.stderr.splitlines()[-1]
    assert no_result(tmp_path / "o")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_ending_signal_leaves_no_process_and_no_result(
    environment: dict[str, str], tmp_path: Path, number: signal.Signals
) -> None:
    pids_file = tmp_path / "pids"
    command = [sys.executable, str(DRIVER), "run", "ixgb_b2b", "--out", str(tmp_path / "o")]
    process = subprocess.Popen(
        ["env", "--default-signal=HUP", *command],  # also where the tests run under nohup
        env=environment | {"FAKE_SIM": "hang", "FAKE_SIM_PIDS": str(pids_file)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: pids_file.exists() and pids_file.read_text().endswith("]"))
    pids = json.loads(pids_file.read_text())
    assert all(alive(pid) for pid in pids)
    process.send_signal(number)
    time.sleep(0.3)
    process.send_signal(number)  # the impatient second time must not leave strays
    _, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert stderr.splitlines()[-1] == f"longhaul: interrupted by {number.name}"
    assert not any(alive(pid) for pid in pids)
    assert no_result(tmp_path / "o")


def test_a_guest_that_outlives_the_simulator_is_killed(cli: Cli, tmp_path: Path) -> None:
    done = cli("run", "ixgb_b2b", "--out", "o", mode="strays")
    assert done.returncode == 0, done.stderr
    pids = json.loads((tmp_path / "pids").read_text())
    assert not any(alive(pid) for pid in pids)


def test_the_simulator_dies_with_a_command_line_that_was_killed(
    environment: dict[str, str], tmp_path: Path
) -> None:
    pids_file = tmp_path / "pids"
    process = subprocess.Popen(
        [sys.executable, str(DRIVER), "run", "ixgb_b2b", "--out", str(tmp_path / "o")],
        env=environment | {"FAKE_SIM": "hang", "FAKE_SIM_PIDS": str(pids_file)},
        stderr=subprocess.DEVNULL,
    )
    wait_for(lambda: pids_file.exists() and pids_file.read_text().endswith("]"))
    simulator, *guests = json.loads(pids_file.read_text())
    process.kill()
    process.wait()
    wait_for(lambda: not alive(simulator))
    assert no_result(tmp_path / "o")
    for pid in guests:  # these stand-ins have no death signal of their own
        os.kill(pid, signal.SIGKILL)


def test_what_the_simulator_refuses_leaves_no_folder(cli: Cli, tmp_path: Path) -> None:
    done = cli("run", "ixgb_b2b", "--out", "o", mode="bad-config")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "longhaul: sender.eth0.mtu: got 3, wants more"
    assert not list(tmp_path.glob("o*"))


@pytest.mark.parametrize(
    ("command", "runs"),
    [
        (["run", "ixgb_b2b", "--out", "o"], "1 run"),
        (["run", "gnet1_table1", "--out", "o"], "18 runs"),
        (["sweep", "ixgb_wan", "--over", "rtt=1ms,2ms", "--repeat", "3", "--out", "o"], "6 runs"),
    ],
)
def test_a_check_asks_the_simulator_says_how_many_runs_and_runs_nothing(
    cli: Cli, tmp_path: Path, command: list[str], runs: str
) -> None:
    done = cli("--check-only", *command, mode="bad-config")
    assert done.returncode == 2
    assert done.stderr == "longhaul: sender.eth0.mtu: got 3, wants more\n"
    done = cli("--check-only", *command)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"checked, nothing is wrong: {runs}\n"
    assert not list(tmp_path.glob("o*"))


def test_before_the_simulator_is_built_a_check_is_of_what_is_known(
    cli: Cli, tmp_path: Path, environment: dict[str, str]
) -> None:
    environment["LONGHAUL_UNBUILT"] = "1"
    done = cli("--check-only", "run", "ixgb_b2b", mode="bad-config")
    assert (done.returncode, done.stdout) == (0, "")  # ./longhaul asks, not the user
    assert cli("--check-only", "run", "ixgb_b2b", "--waves=rtl", mode="ok").returncode == 2


@pytest.mark.parametrize(
    ("mode", "line"),
    [
        ("relative", "{raw}/spans.bin: cannot write: Input/output error"),
        ("banner", "the simulator failed with exit code 1"),
        ("silent", "the simulator failed with exit code 3"),
    ],
)
def test_a_simulators_last_words_have_whole_paths_and_no_banner(
    cli: Cli, tmp_path: Path, mode: str, line: str
) -> None:
    done = cli("run", "ixgb_b2b", "--out", "o", mode=mode)
    assert done.returncode == 1
    expected = line.format(raw=tmp_path / "o.partial" / "raw")
    assert done.stderr.splitlines()[-1] == f"longhaul: {expected}"


@pytest.mark.parametrize("tool", ["taskset", "setpriv", "mkfs.erofs"])
def test_a_missing_tool_is_one_line_with_its_package(
    environment: dict[str, str], tmp_path: Path, tool: str
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in {"bash", "taskset", "setpriv", "mkfs.erofs"} - {tool}:
        (tools / name).symlink_to(Path("/usr/bin", name))
    done = subprocess.run(
        [sys.executable, str(DRIVER), "run", "ixgb_b2b", "--out", "o"],
        env=environment | {"PATH": str(tools)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    package = "erofs-utils" if tool == "mkfs.erofs" else "util-linux"
    assert done.stderr.splitlines()[-1] == (
        f"longhaul: {tool} is missing; install its Debian package: sudo apt-get install {package}"
    )
