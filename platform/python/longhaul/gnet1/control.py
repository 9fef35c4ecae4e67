# SPDX-License-Identifier: Apache-2.0
"""Talks to the GNET-1 box of a run that goes on, over the simulator's socket.

What the box's functions need is a list of accesses, made here for programs that ask now
(`Gnet1.access`) and for scenarios that say it in advance (`Scenario.control`).
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from longhaul.errors import LonghaulError, UsageError
from longhaul.gnet1 import registers
from longhaul.gnet1.registers import Access, read, write
from longhaul.outdir import is_whole, partial_path
from longhaul.units import Time, ps

SOCKET = "control.sock"
LATCH = 1  # of CTRL: takes the counters as they are now
SAMPLE = 1  # of SAMPLE_CTRL
CANCEL = 2  # of DISCARD_CTRL


def discard(port: int, *, after: int | None = None, at: Time | None = None) -> list[Access]:
    """Return what discards one frame of `port`: the next, or the next once `after` have passed.

    With `at`, a time of the box (register TIME), the first from then on.
    """
    if after is not None and at is not None:
        raise UsageError(
            "a discard is of the frame after a number of others or at a time, not both"
        )
    if at is not None:
        when = registers.time_word(at)
        return [write(f"p{port}.DISCARD_ARG", when), write(f"p{port}.DISCARD_CTRL", 2 << 2 | 1)]
    if after is not None:
        return [write(f"p{port}.DISCARD_ARG", after), write(f"p{port}.DISCARD_CTRL", 1 << 2 | 1)]
    return [write(f"p{port}.DISCARD_CTRL", 1)]


def latch(control: int = 4) -> list[Access]:
    """Return what takes all counters at one instant; `control` are the other bits of CTRL."""
    return [write("CTRL", control | LATCH)]


def read_counters(port: int) -> list[Access]:
    """Return the reads of a port's counters, as latched last."""
    return [read(f"p{port}.{name}") for name in registers.COUNTERS]


def start_sampling(port: int, period: Time) -> list[Access]:
    """Return what samples a port's WORDS and FRAMES every `period` until memory is full."""
    return [
        write("SAMPLE_CTRL", 0),
        write("SAMPLE_PERIOD", period),
        write("SAMPLE_CTRL", port << 4 | SAMPLE),
    ]


def read_samples(first: int, count: int) -> list[Access]:
    """Return the reads of `count` samples from number `first` on: words, frames, words, ..."""
    pair = [read("SAMPLE_WORDS"), read("SAMPLE_FRAMES")]
    return [write("SAMPLE_INDEX", first), *pair * count]


class Gnet1:
    """A box of a run that goes on. `run` is the folder that the run will have (--out).

    LonghaulError when no such run goes on, or the simulator refuses what was asked.
    """

    def __init__(self, run: Path, box: str = "gnet1", *, timeout_s: float = 60.0) -> None:
        self.box = box
        self._timeout_s = timeout_s
        path = partial_path(run.absolute()) / "raw" / SOCKET
        self._socket = socket.socket(socket.AF_UNIX)
        self._rest = b""
        try:
            self._connect(path)
        except (FileNotFoundError, ConnectionRefusedError):
            self._socket.close()
            ended = (
                "has ended" if is_whole(run) else "does not go on (or has no box with registers)"
            )
            raise LonghaulError(
                f"{run}: the run {ended}; registers are there while it goes on"
            ) from None

    def _connect(self, path: Path) -> None:
        # A socket's path may have 107 bytes; by its folder's descriptor it is short.
        folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY)
        try:
            self._socket.connect(f"/proc/self/fd/{folder}/{path.name}")
        finally:
            os.close(folder)

    def access(self, accesses: Sequence[Access]) -> tuple[Time, list[int]]:
        """Make accesses in one instant; return the time of the last and a word for each."""
        request = {"box": self.box, "accesses": [access.pair() for access in accesses]}
        answer = self._ask(json.dumps(request))
        if "error" in answer:
            raise LonghaulError(f"{self.box}: {answer['error']}")
        for access, value in zip(accesses, answer["values"], strict=True):
            if value is None:
                raise LonghaulError(f"{self.box}: {access.register.name} was refused by the box")
        return ps(answer["time_ps"]), answer["values"]

    def read(self, name: str) -> Time | int:
        """Return a register's value: a Time where it counts time."""
        access = registers.read(name)
        return registers.decode(access.register, self.access([access])[1][0])

    def write(self, name: str, value: int | Time) -> None:
        """Write a register."""
        self.access([registers.write(name, value)])

    def discard(self, port: int, *, after: int | None = None, at: Time | None = None) -> Time:
        """Arm the discard of one frame, as discard() does, and return when.

        A UsageError for a time that the box has passed, or passes while it is being told.
        """
        accesses = discard(port, after=after, at=at)
        if at is None:
            return self.access(accesses)[0]
        self._check_ahead(self.access([read("TIME")])[1][0], at)
        armed, words = self.access([read("TIME"), *accesses])
        try:
            self._check_ahead(words[0], at)
        except UsageError:
            self.access([write(f"p{port}.DISCARD_CTRL", CANCEL)])
            raise
        return armed

    def _check_ahead(self, word: int, at: Time) -> None:
        now = registers.decode(registers.find("TIME"), word)
        assert isinstance(now, Time)
        if registers.ahead(now, at) is None:
            raise UsageError(
                f"--at {at.short()}: the time of {self.box} is {now.seconds:.6f} s by now (its "
                f"register TIME); wants one after that and less than {registers.AHEAD.seconds:.2f} "
                "s ahead"
            )

    def counters(self, port: int) -> dict[str, int]:
        """Return a port's counters, all of one instant."""
        control = self.access([read("CTRL")])[1][0]
        words = self.access([*latch(control), *read_counters(port)])[1][1:]
        return dict(zip(registers.COUNTERS, words, strict=True))

    def samples(self) -> list[tuple[int, int]]:
        """Return the samples taken so far: a port's WORDS and FRAMES at each."""
        total = self.access([read("SAMPLE_TOTAL")])[1][0]
        words = self.access(read_samples(0, total))[1][1:]
        return list(zip(words[::2], words[1::2], strict=True))

    def _ask(self, line: str) -> dict[str, Any]:
        deadline = time.monotonic() + self._timeout_s
        try:
            self._socket.settimeout(self._timeout_s)
            self._socket.sendall(line.encode() + b"\n")
            while b"\n" not in self._rest:
                self._socket.settimeout(max(deadline - time.monotonic(), 1e-3))
                piece = self._socket.recv(65536)
                if not piece:
                    raise LonghaulError("the run ended before it answered")
                self._rest += piece
        except TimeoutError:
            raise LonghaulError(f"the run did not answer within {self._timeout_s:g} s") from None
        except (BrokenPipeError, ConnectionResetError):
            raise LonghaulError("the run ended before it answered") from None
        answer, self._rest = self._rest.split(b"\n", 1)
        return json.loads(answer)

    def close(self) -> None:
        """End the connection."""
        self._socket.close()

    def __enter__(self) -> Gnet1:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(OSError):
            self.close()
