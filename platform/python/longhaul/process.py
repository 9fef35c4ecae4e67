# SPDX-License-Identifier: Apache-2.0
"""Runs the simulator with its guests on one core and leaves no process behind, whatever happens."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import platform
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from types import FrameType

import psutil

from longhaul.errors import Interrupted, LonghaulError
from longhaul.paths import cache_dir

_PR_SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>
QUIET_SYSTEMC = {"SC_COPYRIGHT_MESSAGE": "DISABLE"}  # no banner
_TERM_WAIT_S = 3.0
_KILL_WAIT_S = 5.0
_ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Simulator:
    """A running simulator in a session of its own.

    Its file descriptor 3 is read line by line; standard output and error go to `log`. `console` is
    its descriptor 4, if there is one. Use `running`, which also ends what the simulator started.
    """

    def __init__(
        self,
        command: list[str],
        *,
        log: Path,
        core: int | None,
        cwd: Path | None = None,
        console: int | None = None,
    ) -> None:
        _need("bash", "setpriv", *(["taskset"] if core is not None else []))
        self._progress, write_end = os.pipe()
        # Bash sets up descriptors 3 and 4; setpriv lets the kernel kill the simulator if we are
        # killed.
        more = "" if console is None else f" 4>&{console}"
        wrapper = ["bash", "-c", f'exec "$@" 3>&"$0"{more}', str(write_end)]
        wrapper += ["setpriv", "--pdeathsig", "KILL"]
        wrapper += ["taskset", "-c", str(core)] if core is not None else []
        try:
            with log.open("wb") as stream:
                self._process = subprocess.Popen(
                    [*wrapper, *command],
                    cwd=cwd,
                    stdin=subprocess.DEVNULL,
                    stdout=stream,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    pass_fds=(write_end,) if console is None else (write_end, console),
                    env=os.environ | QUIET_SYSTEMC,
                )
        except BaseException:
            os.close(self._progress)
            raise
        finally:
            os.close(write_end)
        self._rest = b""

    @property
    def pid(self) -> int:
        """Process id of the simulator, which is also its process group and session."""
        return self._process.pid

    def lines(self, tick: Callable[[], object], every_s: float = 0.2) -> Iterator[bytes]:
        """Yield progress lines until the simulator has ended; `tick` is called every `every_s`."""
        closed = False
        while True:
            if closed:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(every_s)
                    return
            elif select.select([self._progress], [], [], every_s)[0]:
                chunk = os.read(self._progress, 65536)
                closed = not chunk
                *whole, self._rest = (self._rest + chunk).split(b"\n")
                yield from whole
            elif self._process.poll() is not None:
                return  # a stray guest may still hold the pipe open
            tick()

    def wait(self) -> int:
        """Return the exit code; death by a signal is minus its number."""
        return self._process.wait()

    def end(self) -> None:
        """End the simulator's process group, politely, then for good; may be called again."""
        self._signal_group(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_TERM_WAIT_S)
        self._signal_group(signal.SIGKILL)
        self._process.wait()
        if self._progress >= 0:
            os.close(self._progress)
            self._progress = -1

    def _signal_group(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)


def _need(*tools: str) -> None:
    for tool in tools:
        if shutil.which(tool) is None:
            raise missing(tool, "bash" if tool == "bash" else "util-linux")


def missing(tool: str, package: str) -> LonghaulError:
    """Return the error that names a tool and the Debian package that has it."""
    return LonghaulError(
        f"{tool} is missing; install its Debian package: sudo apt-get install {package}"
    )


def become_reaper() -> None:
    """Make this process the parent of its descendants' orphans."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


@contextlib.contextmanager
def no_strays() -> Generator[None]:
    """End every process that was started in this block when the block ends, however it ends.

    This process becomes the reaper of orphans, so one in a session of its own is found too.
    """
    become_reaper()
    before = _children()
    try:
        yield
    finally:
        uninterrupted(lambda: _kill_children(before))


@contextlib.contextmanager
def running(
    command: list[str],
    *,
    log: Path,
    core: int | None,
    cwd: Path | None = None,
    console: int | None = None,
) -> Generator[Simulator]:
    """Run a simulator for the length of a block; afterwards nothing of it or its guests is left."""
    with no_strays():
        simulator = Simulator(command, log=log, core=core, cwd=cwd, console=console)
        try:
            yield simulator
        finally:
            uninterrupted(simulator.end)


def _kill_children(spared: set[int]) -> None:
    """Kill and reap every child but the spared; their orphans become our children and follow."""
    deadline = time.monotonic() + _KILL_WAIT_S
    while time.monotonic() < deadline:
        children = _children() - spared
        if not children:
            return
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, 0)


def _children() -> set[int]:
    """Return the process ids of this process's children; those that are zombies are among them.

    The kernel lists them for each thread. A kernel without CONFIG_PROC_CHILDREN does not. There
    psutil looks at all processes of the host, which takes longer.
    """
    lists = Path("/proc/self/task").glob("*/children")
    texts = [text for each in lists if (text := _text(each)) is not None]
    if texts:
        return {int(child) for text in texts for child in text.split()}
    return {child.pid for child in psutil.Process().children()}


def _text(path: Path) -> str | None:
    """Return a file's text; None where its thread has ended meanwhile."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return path.read_text()
    return None


@contextlib.contextmanager
def ending_signals_raise() -> Generator[None]:
    """Make the first of Ctrl-C, SIGTERM and SIGHUP raise Interrupted in this block.

    Those that follow do nothing: the block is already ending, and cleaning up takes its seconds.
    A SIGHUP that is ignored already, as under nohup, stays so.
    (Blocking signals instead would not do: they are delivered to any thread that does not.)
    """
    ending = False

    def handler(number: int, frame: FrameType | None) -> None:
        nonlocal ending
        if not ending:
            ending = True
            raise Interrupted(f"interrupted by {signal.Signals(number).name}")

    with _ending_signals(handler):
        yield


@contextlib.contextmanager
def ending_signals_ignored() -> Generator[None]:
    """Drop Ctrl-C, SIGTERM and SIGHUP in this block, which is short and must be done whole.

    (SIG_IGN would not do: children would inherit it.)
    """
    with _ending_signals(lambda _number, _frame: None):
        yield


@contextlib.contextmanager
def _ending_signals(handler: Callable[[int, FrameType | None], None]) -> Generator[None]:
    """Call `handler` for these signals; a SIGHUP that is ignored stays so."""
    hears_hup = signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN
    heard = [n for n in _ENDING_SIGNALS if n != signal.SIGHUP or hears_hup]
    old = {number: signal.signal(number, handler) for number in heard}
    try:
        yield
    finally:
        for number, previous in old.items():
            signal.signal(number, previous)


def uninterrupted(action: Callable[[], None]) -> None:
    """Do an action to its end even if a signal ends the block meanwhile; it may start twice."""
    try:
        action()
    except Interrupted:
        action()
        raise


@contextlib.contextmanager
def a_core() -> Generator[int]:
    """Reserve the least loaded core for one simulation; runs side by side take different cores.

    A core's load is that since this was asked last, or since psutil was loaded.
    The cache may be on a file system that several machines share: each has its own folder.
    """
    allowed = sorted(os.sched_getaffinity(0))
    load = psutil.cpu_percent(percpu=True)
    order = sorted(allowed, key=lambda core: load[core] if core < len(load) else 100.0)
    folder = cache_dir() / "cores" / platform.node()
    folder.mkdir(parents=True, exist_ok=True)
    for core in order:
        lock = os.open(folder / str(core), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            continue
        try:
            yield core
        finally:
            os.close(lock)
        return
    yield order[0]
