# SPDX-License-Identifier: Apache-2.0
"""A signal that ends a command is told from its first moment on, before anything is loaded."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

# As `./longhaul` hands over.
BLOCKED = ["env", "--default-signal=INT,TERM,HUP", "--block-signal=INT,TERM,HUP"]


def started(environment: dict[str, str], tmp_path: Path, *before: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*before, sys.executable, "-m", "longhaul", "run", "ixgb_b2b", "--out", "o"],
        env=environment | {"LONGHAUL_SIMULATOR": str(tmp_path / "none")},
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def blocks(pid: int, number: signal.Signals) -> bool:
    rows = Path(f"/proc/{pid}/status").read_text().splitlines()
    mask = next(int(row.split()[1], 16) for row in rows if row.startswith("SigBlk:"))
    return bool(mask >> (number - 1) & 1)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_before_python_runs_is_told(
    environment: dict[str, str], tmp_path: Path, number: signal.Signals
) -> None:
    process = started(environment, tmp_path, *BLOCKED)
    while not blocks(process.pid, number):
        time.sleep(0.001)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (130, "longhaul: interrupted\n")
    assert not list(tmp_path.glob("o*"))


@pytest.mark.parametrize("part", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_signal_while_modules_are_loaded_is_told(
    environment: dict[str, str], tmp_path: Path, part: float
) -> None:
    begin = time.monotonic()
    whole = started(environment, tmp_path, *BLOCKED)
    _, stderr = whole.communicate(timeout=60)
    assert "is not built" in stderr  # how far it comes by itself
    process = started(environment, tmp_path, *BLOCKED)
    time.sleep(part * (time.monotonic() - begin))
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    if "is not built" in stderr:
        pytest.skip("this machine was faster the second time")
    assert process.returncode == 130
    assert stderr.splitlines() in (
        ["longhaul: interrupted"],
        ["longhaul: interrupted by SIGINT"],
    )


def test_under_nohup_the_end_of_a_session_does_nothing(
    environment: dict[str, str], tmp_path: Path
) -> None:
    process = started(environment, tmp_path, "env", "--ignore-signal=HUP")
    time.sleep(0.2)
    process.send_signal(signal.SIGHUP)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "is not built" in stderr


ENDS = """
import atexit, os, signal, sys
import longhaul.__main__ as entry
import longhaul.cli

def main():
    try:
        {0}
    except KeyboardInterrupt:
        return 130
    return 0

longhaul.cli.main = main
sys.exit(entry._start())
"""


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("exec('raise KeyboardInterrupt')", 130),  # as where a dataclass is made
        ("atexit.register(os.kill, os.getpid(), signal.SIGINT)", 0),
        ("atexit.register(os.kill, os.getpid(), signal.SIGTERM)", 0),
    ],
)
def test_a_signal_changes_no_exit_code_that_is_settled(
    environment: dict[str, str], text: str, code: int
) -> None:
    command = [sys.executable, "-c", ENDS.format(text)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, "")
