# SPDX-License-Identifier: Apache-2.0
"""Runs in processes of their own: the command of one, several side by side, how each ended.

A sweep holds a lock while it goes on. Its runs end as soon as nobody holds the lock: the runs of a
sweep that was killed, too, on every machine of a cluster.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from longhaul.errors import Interrupted, LonghaulError, UsageError
from longhaul.outdir import is_whole, partial_path
from longhaul.runs import given
from longhaul.types import plugins

LONGHAUL = (sys.executable, "-m", "longhaul")
LOOK_S = 0.25  # how often a run looks whether its sweep goes on
_CLAIM_S = 2.0  # a run's look at the lock must not pass for another sweep
_PR_SET_PDEATHSIG = 1  # <linux/prctl.h>


def command(
    scenario: str,
    out: Path,
    sets: Iterable[str],
    params: Iterable[str] = (),
    seed: int = 1,
    layout: int = 0,
    *,
    force: bool = False,
    lock: Path | None = None,
    software: given.Given = (),
    coverage: bool = False,
) -> list[str]:
    """Return the command line of a run; `sets` and `params` are NAME=VALUE texts.

    This process's plug-ins go with it.
    `force` replaces a finished run; with a `lock` it is a run of the sweep that holds it.
    """
    words = [*LONGHAUL, "run", scenario, "--seed", str(seed), "--layout", str(layout)]
    words += ["--out", str(out)]
    words += ["--force"] if force else []
    words += ["--of-sweep", str(lock)] if lock else []
    words += ["--coverage"] if coverage else []
    words += [word for text in sets for word in ("--set", text)]
    words += [word for text in params for word in ("--param", text)]
    words += given.words(software)
    words += [word for path in plugins.given() for word in ("--plugin", str(path))]
    return words


def make(scenario: str, settings: Mapping[str, str], out: Path) -> None:
    """Make one run, silently; a LonghaulError with the end of what it said when it fails."""
    words = command(scenario, out, (f"{name}={value}" for name, value in settings.items()))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LonghaulError(f"{' '.join(words)} failed: {done.stderr.strip()[-500:]}")


def complaint(said: str, code: int) -> str:
    """Return why a run failed: its one line, else the last that it said, or how it ended.

    A guest's last console lines may follow the one line.
    """
    if code < 0:
        return f"was killed by {signal.Signals(-code).name}"
    lines = said.strip().splitlines()
    ours = [line for line in lines if line.startswith("longhaul: ")]
    return (ours or lines)[-1].removeprefix("longhaul: ") if lines else f"exit code {code}"


def to_go(seconds: float) -> str:
    """Return the time ahead as the end of a line of progress; nothing of less than 1 s."""
    if seconds < 1:
        return ""
    return f", {seconds:.0f} s to go" if seconds < 120 else f", {seconds / 60:.0f} min to go"


@dataclass(frozen=True)
class Job:
    """A run to do; `log` takes all that it says."""

    name: str
    command: tuple[str, ...]
    log: Path


@dataclass(frozen=True)
class Ended:
    """A job that ended: well with code 0, failed with another one, lost without one."""

    name: str
    code: int | None
    why: str = ""


class Pool(Protocol):
    """A runner of jobs; leaving its `with` ends those that still run and drops those queued."""

    where: str  # for a user to read; empty: here

    def __enter__(self) -> Pool: ...
    def __exit__(self, *_: object) -> None: ...

    def full(self) -> bool:
        """Tell whether another job would have to wait here rather than with its sweep."""
        ...

    def start(self, job: Job) -> None:
        """Run a job, or queue it."""
        ...

    def ended(self) -> list[Ended]:
        """Return the jobs that ended since the last call, at once or after a little while."""
        ...


class Local:
    """Runs jobs on this machine, so many side by side."""

    def __init__(self, jobs: int) -> None:
        self.where = ""
        self._jobs = jobs
        self._running: dict[str, tuple[Job, subprocess.Popen[bytes]]] = {}

    def __enter__(self) -> Local:
        return self

    def __exit__(self, *_: object) -> None:
        """Ask every run to end; each ends its own simulator and guests before it goes."""
        for _job, process in self._running.values():
            process.terminate()
        for _job, process in self._running.values():
            process.wait()

    def full(self) -> bool:
        """Tell whether as many runs go on as may."""
        return len(self._running) >= self._jobs

    def start(self, job: Job) -> None:
        """Start a job."""
        with job.log.open("wb") as log:
            process = subprocess.Popen(
                job.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._running[job.name] = job, process

    def ended(self) -> list[Ended]:
        """Return the jobs that ended in the last tenth of a second."""
        time.sleep(0.1)
        found: list[Ended] = []
        for name, (job, process) in list(self._running.items()):
            code = process.poll()
            if code is not None:
                del self._running[name]
                found.append(verdict(job, code))
        return found


def verdict(job: Job, code: int) -> Ended:
    """Return how a job ended by its exit code and its log; an interrupted job is lost."""
    if code == 0:
        return Ended(job.name, 0)
    said = job.log.read_text(errors="replace") if job.log.exists() else ""
    stopped = (Interrupted.exit_code, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP)
    if code in stopped:
        return Ended(job.name, None, "was interrupted")
    return Ended(job.name, code, complaint(said, code))


@contextlib.contextmanager
def holding(lock: Path) -> Generator[None]:
    """Hold a sweep's lock for the length of a block; a UsageError if another process has it."""
    handle = os.open(lock, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
    try:
        deadline = time.monotonic() + _CLAIM_S
        while not _locked(handle, fcntl.LOCK_EX):
            if time.monotonic() > deadline:
                raise UsageError(f"another longhaul runs the sweep in {lock.parent}")
            time.sleep(0.05)
        yield
    finally:
        os.close(handle)


def _locked(handle: int, how: int) -> bool:
    try:
        fcntl.flock(handle, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_held(lock: Path) -> bool:
    try:
        handle = os.open(lock, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False  # somebody removed the sweep's folder
    try:
        return not _locked(handle, fcntl.LOCK_SH)
    finally:
        os.close(handle)


@contextlib.contextmanager
def of_sweep(lock: Path) -> Generator[None]:
    """Interrupt this process when it outlives, in this block, its sweep or what started it."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    over = threading.Event()

    def watch() -> None:
        while not over.wait(LOOK_S):
            if not _is_held(lock):
                if not over.is_set():
                    os.kill(os.getpid(), signal.SIGTERM)
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def done_by_another(out: Path, *, force: bool) -> bool:
    """Wait for another process that is at the same run, and tell whether the run is done.

    With `force` a finished run counts only if this had to be waited for.
    """
    waited = False
    with contextlib.suppress(FileNotFoundError):
        handle = os.open(partial_path(out.absolute()), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            waited = not _locked(handle, fcntl.LOCK_SH)
            if waited:
                fcntl.flock(handle, fcntl.LOCK_SH)
        finally:
            os.close(handle)
    return is_whole(out) and (waited or not force)
