# SPDX-License-Identifier: Apache-2.0
"""Entry point of `python -m longhaul`."""

import os
import signal
import sys
from types import FrameType

# `./longhaul` hands over with these signals blocked: what comes while Python starts is kept.
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_INTERRUPTED = 130


def _end_at_once(number: int, frame: FrameType | None) -> None:
    """End while modules are loaded: nothing has begun yet that would have to be undone."""
    os.write(2, b"longhaul: interrupted\n")
    os._exit(_INTERRUPTED)


def _start() -> int:
    """Run the command line; a signal that ends it is told from the first moment on."""
    for number in _ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup wants it
            signal.signal(number, _end_at_once)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    from longhaul.cli import main

    try:
        for number in _ENDING:
            if signal.getsignal(number) is _end_at_once:
                signal.signal(number, signal.default_int_handler)  # KeyboardInterrupt
        return main()
    except KeyboardInterrupt:  # before the command began, or after it
        print("longhaul: interrupted", file=sys.stderr)
        return _INTERRUPTED


if __name__ == "__main__":
    sys.exit(_start())
