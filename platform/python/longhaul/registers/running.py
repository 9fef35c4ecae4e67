# SPDX-License-Identifier: Apache-2.0
"""Talks to a box of a run that goes on, over the simulator's socket."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from longhaul.errors import LonghaulError
from longhaul.outdir import is_whole, partial_path
from longhaul.registers.description import Access, RegisterMap
from longhaul.units import Time, ps

SOCKET = "control.sock"


class RunningBox:
    """A box of a run that goes on. `run` is the folder that the run will have (--out).

    LonghaulError when no such run goes on, or the simulator refuses what was asked.
    """

    def __init__(
        self, run: Path, box: str, registers: RegisterMap, *, timeout_s: float = 60.0
    ) -> None:
        self.box, self.registers = box, registers
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
        access = self.registers.read(name)
        return access.register.decode(self.access([access])[1][0])

    def write(self, name: str, value: int | Time) -> None:
        """Write a register."""
        self.access([self.registers.write(name, value)])

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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(OSError):
            self.close()
