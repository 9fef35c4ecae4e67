# SPDX-License-Identifier: Apache-2.0
"""Entry point of `python -m longhaul`."""

import gc
import io
import os
import signal
import sys
from types import FrameType

# `./longhaul` hands over with these signals blocked, so a signal while Python starts is kept.
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_INTERRUPTED = 130
# Allocations between two looks for garbage cycles. A command makes some hundred thousand objects
# that stay; by default every 700 of them start a look, which takes a tenth of a short run.
_GC_EVERY = 50_000


def _end_at_once(number: int, frame: FrameType | None) -> None:
    """End while modules are loaded: nothing has begun yet that would have to be undone."""
    os.write(2, b"longhaul: interrupted\n")
    os._exit(_INTERRUPTED)


def _open_streams() -> None:
    """Open what is closed of the standard streams, so that no file of a run gets their numbers.

    A character that a stream's encoding has not is written as a question mark.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        try:
            os.fstat(number)
        except OSError:
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            os.set_inheritable(number, True)
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, closefd=False))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _start() -> int:
    """Run the command line; a signal that ends it is told from the first moment on."""
    for number in _ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup wants it
            signal.signal(number, _end_at_once)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    gc.set_threshold(_GC_EVERY, 20, 20)
    _open_streams()
    from longhaul import phases  # a signal that comes meanwhile is told

    phases.begin("imports")
    from longhaul.cli import main  # as above

    try:
        for number in _ENDING:
            if signal.getsignal(number) is _end_at_once:
                signal.signal(number, signal.default_int_handler)  # KeyboardInterrupt
        return main()
    except KeyboardInterrupt:  # before the command began, or after it
        print("longhaul: interrupted", file=sys.stderr)
        return _INTERRUPTED
    finally:
        # The exit code is settled. Python, as it ends, gives a signal its default action back
        # unless the signal is ignored.
        for number in _ENDING:
            signal.signal(number, signal.SIG_IGN)
        # If a KeyboardInterrupt has left an exec() of a text (dataclasses have some), Python
        # remembers it and ends by SIGINT, whatever became of it. The next exec() makes it forget.
        exec("")
        # The process ends: no cycle of what is left needs to be found. Modules' alone take Python
        # a tenth of a second.
        phases.begin("exit")
        phases.write()
        gc.freeze()


if __name__ == "__main__":
    sys.exit(_start())
