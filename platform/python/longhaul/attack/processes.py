# SPDX-License-Identifier: Apache-2.0
"""Starts what is attacked, waits for its end within limits, and finds what it left behind.

The process that calls this is the reaper of orphans. So each process that a case has started is
among its descendants as long as it lives, whatever its session, name and environment.

Limits of time are for a machine with a free core for each process that is ready to run. With N such
processes a core they are N times as long (`_Clock`): a slow case on a busy machine is no hang.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from longhaul.attack.cage import Cage
from longhaul.attack.place import Place

_LOOK_S = 0.5  # how often the memory of a case is looked at
_MOST_NAMED = 5
_MOST_CROWDED = 20.0

Action = Callable[[], int]
Command = list[str]
Disturbance = Callable[["Running"], None]


@dataclass(frozen=True)
class Limits:
    """How long a case may take, how much memory, and how long what it left may take to end.

    With a `stop` the case may go on for longer than `seconds`; it then gets SIGTERM, and has to end
    within so many seconds.
    """

    seconds: float
    memory: int = 12 << 30
    settle: float = 2.0
    stop: float | None = None
    resources: Mapping[int, int] = field(default_factory=dict[int, int])  # RLIMIT_*


@dataclass(frozen=True)
class Ended:
    """How a case ended: exit code (minus the signal; None: it did not end), and what it left."""

    code: int | None
    out: str
    err: str
    seconds: float
    stopped: bool = False  # by SIGTERM, at its time
    memory: int = 0  # what it took when it was ended for that; else 0
    strays: tuple[str, ...] = ()
    strangers: tuple[str, ...] = ()


def crowded() -> float:
    """Return how many processes want each core, over the last minute; at least 1."""
    cores = len(os.sched_getaffinity(0))
    return min(_MOST_CROWDED, max(1.0, os.getloadavg()[0] / cores))


class _Clock:
    """Tells whether so many seconds are over, each as long as processes share a core."""

    def __init__(self, seconds: float) -> None:
        self._left = seconds
        self._last = time.monotonic()

    def over(self) -> bool:
        now = time.monotonic()
        self._left -= (now - self._last) / crowded()
        self._last = now
        return self._left <= 0


class Running:
    """A process that was started, the first of a session of its own."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.code: int | None = None
        self.began = time.monotonic()

    @property
    def seconds(self) -> float:
        """How long ago it was started."""
        return time.monotonic() - self.began

    def poll(self) -> int | None:
        """Return the exit code once it has ended."""
        if self.code is None:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code

    def goes_on(self, seconds: float) -> bool:
        """Wait so long, by the clock on the wall; tell whether it still goes on."""
        deadline = time.monotonic() + seconds
        while self.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)
        return self.poll() is None

    def wait(self, seconds: float, watch: Callable[[], bool] = lambda: False) -> bool:
        """Wait until it has ended, so long at the most, or until `watch` says so."""
        clock, nap, look = _Clock(seconds), 0.001, time.monotonic() + _LOOK_S
        while self.poll() is None:
            if clock.over():
                return False
            if time.monotonic() > look:
                look = time.monotonic() + _LOOK_S
                if watch():
                    return False
            time.sleep(nap)
            nap = min(0.02, nap * 1.2)
        return True

    def family(self) -> list[psutil.Process]:
        """Return it and all that it has started."""
        with contextlib.suppress(psutil.NoSuchProcess):
            first = psutil.Process(self.pid)
            return [first, *first.children(recursive=True)]
        return []


def start(
    what: Command | Action,
    place: Place,
    *,
    environment: Mapping[str, str],
    cage: Cage | None = None,
    resources: Mapping[int, int] | None = None,
    cwd: Path | None = None,
) -> Running:
    """Start a program, or call a function, as a process in a session of its own."""
    pid = os.fork()
    if pid:
        return Running(pid)
    code = 70  # <sysexits.h>: EX_SOFTWARE
    try:
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        if callable(what):
            signal.signal(signal.SIGINT, signal.default_int_handler)  # as Python itself has it
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        _redirect(place)
        os.chdir(cwd or place.work)
        for limit, most in (resources or {}).items():
            resource.setrlimit(limit, (most, most))
        if cage:
            cage.enter()
        if not callable(what):
            os.execvpe(what[0], what, environment)
        os.environ.clear()
        os.environ.update(environment)
        code = what()
    except BaseException:
        traceback.print_exc()
    finally:
        _flush()
        os._exit(code)


def _redirect(place: Place) -> None:
    null = os.open(os.devnull, os.O_RDONLY)
    out, err = (
        os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        for path in (place.out, place.err)
    )
    for number, handle in enumerate((null, out, err)):
        os.dup2(handle, number)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()


def finish(
    running: Running,
    place: Place,
    limits: Limits,
    *,
    expected: Sequence[str] = (),
    disturb: Disturbance | None = None,
) -> Ended:
    """Wait for the end of a case within its limits, and end what is left of it.

    `expected` are the files that it may leave in its working folder; `disturb` is done meanwhile.
    """
    memory = 0

    def too_much() -> bool:
        nonlocal memory
        if running.seconds < 2 * _LOOK_S:
            return False
        taken = sum(_resident(process) for process in running.family())
        memory = taken if taken > limits.memory else 0
        return bool(memory)

    if disturb:
        disturb(running)
    ended, stopped = running.wait(limits.seconds - running.seconds, too_much), False
    if not ended and not memory and limits.stop is not None:
        stopped = True
        with contextlib.suppress(ProcessLookupError):
            os.kill(running.pid, signal.SIGTERM)
        ended = running.wait(limits.stop)
    code, seconds = running.poll(), running.seconds
    strays = _end_all(limits.settle if ended else 0.0)
    out, err = place.said()
    return Ended(
        code=code,
        out=out,
        err=err,
        seconds=seconds,
        stopped=stopped,
        memory=memory,
        strays=tuple(strays) if ended else (),
        strangers=tuple(place.strangers(expected)),
    )


def _resident(process: psutil.Process) -> int:
    with contextlib.suppress(psutil.Error):
        return process.memory_info().rss
    return 0


def _end_all(settle: float) -> list[str]:
    """Kill and reap every descendant; return those that were alive after `settle` seconds."""
    clock = _Clock(settle)
    strays: list[str] = []
    while _reap():
        alive = [p for p in psutil.Process().children(recursive=True) if _alive(p)]
        if not clock.over():
            time.sleep(0.01)
            continue
        strays = strays or [_named(process) for process in alive]
        for process in alive:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        time.sleep(0.01)
    return strays[:_MOST_NAMED]


def _reap() -> bool:
    """Reap what has ended; tell whether there are descendants left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _alive(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.status() != psutil.STATUS_ZOMBIE
    return False


def _named(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.NoSuchProcess):
        return f"{process.pid} {process.name()} ({' '.join(process.cmdline())[:100]})"
    return str(process.pid)


def without_litter(ended: Ended) -> Ended:
    """Return the same without the temporary files of a process that was killed."""
    kept = tuple(name for name in ended.strangers if not name.startswith("tmp/"))
    return dataclasses.replace(ended, strangers=kept)
