# SPDX-License-Identifier: Apache-2.0
"""Runs ./longhaul as a user does, and finds its processes."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from longhaul.paths import ROOT

Condition = Callable[[], object]


def has_ended(process: psutil.Process) -> bool:
    """Say whether a process has ended, collected by its parent or not."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def wait_for(condition: Condition, what: str, seconds: float = 180) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
        time.sleep(0.05)


@dataclass
class Started:
    """A run of ./longhaul in a session of its own, with everything that it has started."""

    out: Path
    process: subprocess.Popen[str]
    family: set[psutil.Process] = field(default_factory=set)

    def look(self) -> None:
        """Remember all processes that exist now."""
        self.family.update(psutil.Process(self.process.pid).children(recursive=True))

    def simulator(self) -> psutil.Process | None:
        """Return the simulator's process once it runs."""
        self.look()
        return next((p for p in self.family if name_of(p).startswith("longhaul-sim")), None)

    def guest(self, name: str) -> psutil.Process | None:
        """Return the process of a guest's kernel once it runs."""
        self.look()
        simulator = self.simulator()
        kernels = [
            p
            for p in (simulator.children() if simulator else [])
            if any(word == f"hostname={name}" for word in words_of(p))
        ]
        return kernels[0] if kernels else None

    def console_says(self, guest: str, text: str) -> bool:
        console = Path(f"{self.out}.partial", "raw", "guests", guest, "console.log")
        return console.exists() and text in console.read_text(errors="replace")

    def wait_until_traffic(self) -> None:
        """Wait until both guests have a link and the run has had a moment to send."""
        for name in ("sender", "receiver"):
            wait_for(lambda name=name: self.console_says(name, "NIC Link is Up"), f"{name}'s link")
        time.sleep(1.5)
        self.look()

    def interrupt(self) -> None:
        os.killpg(self.process.pid, signal.SIGINT)

    def end(self, seconds: float = 120) -> tuple[int, str]:
        """Wait for the end; return exit code and standard error."""
        try:
            _, said = self.process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            raise
        return self.process.returncode, said

    def strays(self) -> list[psutil.Process]:
        """Return what is still alive of all that was ever seen; zombies are dead."""
        return [p for p in self.family if not has_ended(p)]


def name_of(process: psutil.Process) -> str:
    try:
        return process.name()
    except psutil.NoSuchProcess:
        return ""


def words_of(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


def start(
    out: Path,
    scenario: str,
    *sets: str,
    options: tuple[str, ...] = (),
    before: tuple[str, ...] = (),
    environment: Mapping[str, str] | None = None,
) -> Started:
    """Start a run into `out`; `before` are words in front of the command (`taskset -c 0`)."""
    words = [word for text in sets for word in ("--set", text)]
    command = [*before, str(ROOT / "longhaul"), "run", scenario, *words, *options]
    process = subprocess.Popen(
        [*command, "--out", str(out)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | dict(environment or {}),
    )
    return Started(out, process)


def said(stderr: str) -> list[str]:
    """Return the lines of a command, but for the one about a build/tuned of other sources."""
    return [line for line in stderr.splitlines() if "build/tuned" not in line]


def run(out: Path, scenario: str, *sets: str, **how: object) -> Path:
    """Run to the end, which must be a good one."""
    code, said = start(out, scenario, *sets, **how).end(300)  # type: ignore[arg-type]
    assert code == 0, said
    return out
