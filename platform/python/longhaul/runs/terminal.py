# SPDX-License-Identifier: Apache-2.0
"""The user's end of a console: carries bytes between the user's terminal and the simulator.

docs/interfaces.md (Console) says what goes over the socket.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import socket
import struct
import sys
import termios
import threading
import tty
from collections.abc import Generator
from typing import Any

from longhaul.runs.progress import Display

ESCAPE = b"\x1d"  # Ctrl-]
_STDIN, _STDOUT, _STDERR = 0, 1, 2
_MOST_BYTES = 2048  # of input, in one message
_LONGEST_MESSAGE = 8192
_LOOK_EVERY_S = 0.3
_ABOVE = 10  # descriptors that a shell's redirections do not meet
_END_WAIT_S = 1.0


class Terminal:
    """A console's user: a terminal, or files and pipes in its place.

    A thread of its own carries the bytes. It holds one message of input at most, and reads no more
    output than the user's terminal takes.
    """

    def __init__(self, host: str) -> None:
        self._host = host
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.simulators_end = fcntl.fcntl(theirs.fileno(), fcntl.F_DUPFD_CLOEXEC, _ABOVE)
        self._ours.setblocking(False)
        self._ending, self._end = os.pipe()
        self._is_terminal = os.isatty(_STDIN)
        self._settings: list[Any] | None = None  # of the terminal, while it is raw
        self._size = (0, 0)
        self._held = b""  # a message that the simulator has not taken
        self._input_ended = False
        self._is_open = False
        self._wanted, self._given = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._serve, name="console", daemon=True)

    def start(self) -> None:
        """Begin; the simulator has its end."""
        os.close(self.simulators_end)
        self._thread.start()

    def tick(self, display: Display) -> bool:
        """Give the terminal to the console, or back to the display; True: the display has it."""
        if self._wanted.is_set() and not self._given.is_set():
            display.pause(True)
            self._given.set()
        elif self._given.is_set() and not self._wanted.is_set():
            self._given.clear()
            display.pause(False)
        return not self._given.is_set()

    def close(self) -> None:
        """End, and leave the terminal as it was."""
        os.write(self._end, b"e")
        self._given.set()
        if self._thread.ident:
            self._thread.join(_END_WAIT_S)  # not forever: nobody may read what it writes
        else:
            os.close(self.simulators_end)
        self._restore()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                ready = self._wait()
                if self._ending in ready:
                    break
                self._tell_size()
                if self._ours in ready and not self._take():
                    break
                if _STDIN in ready:
                    self._read()
                self._send()
        self._restore()
        self._ours.close()
        self._wanted.clear()

    def _wait(self) -> list[Any]:
        reads: list[Any] = [self._ours, self._ending]
        if self._is_open and not self._held and not self._input_ended:
            reads.append(_STDIN)
        ready, _, _ = select.select(
            reads, [self._ours] if self._held else [], [], _LOOK_EVERY_S if self._is_open else None
        )
        return ready

    def _take(self) -> bool:
        """Take a message of the simulator; False: it has ended."""
        message = self._ours.recv(_LONGEST_MESSAGE)
        kind, data = message[:1], message[1:]
        if kind == b"O":
            self._open()
        elif kind == b"D":
            _write(_STDOUT, data)
        elif kind == b"C":
            self._shut()
        return bool(message)

    def _open(self) -> None:
        self._wanted.set()
        self._given.wait()
        self._is_open = True
        if not self._is_terminal:
            self._ours.send(b"L")
            return
        _say(f"console of {self._host}; `exit` or Ctrl-D ends its shell, and the run goes on")
        _say("Ctrl-] hangs up; Ctrl-C goes to the guest; time stands while its shell waits for you")
        self._settings = termios.tcgetattr(_STDIN)
        tty.setraw(_STDIN, termios.TCSADRAIN)

    def _shut(self) -> None:
        self._is_open = False
        self._size = (0, 0)
        self._restore()
        if self._is_terminal:
            _say(f"console of {self._host} is closed; the run goes on")
        self._wanted.clear()

    def _read(self) -> None:
        try:
            data = os.read(_STDIN, _MOST_BYTES)
        except OSError:  # a terminal that has gone
            data = b""
        typed, escape, _ = data.partition(ESCAPE) if self._is_terminal else (data, b"", b"")
        if escape or not data:
            self._input_ended = not data
            self._held = b"E" if not data else b"H"
        else:
            self._held = b"I" + typed

    def _send(self) -> None:
        if not self._held:
            return
        with contextlib.suppress(BlockingIOError):
            self._ours.send(self._held)
            self._held = b""

    def _tell_size(self) -> None:
        if not self._is_open or not self._is_terminal:
            return
        size = os.get_terminal_size(_STDIN)
        if size != self._size:
            with contextlib.suppress(BlockingIOError):
                self._ours.send(b"S" + struct.pack("<HH", size.lines, size.columns))
                self._size = (size.columns, size.lines)

    def _restore(self) -> None:
        settings, self._settings = self._settings, None
        if settings:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(_STDIN, termios.TCSADRAIN, settings)


@contextlib.contextmanager
def of(host: str) -> Generator[Terminal]:
    """Return the terminal of a console for the length of a block."""
    terminal = Terminal(host)
    try:
        yield terminal
    finally:
        terminal.close()


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _say(line: str) -> None:
    sys.stderr.flush()
    _write(_STDERR, f"longhaul: {line}\n".encode())
