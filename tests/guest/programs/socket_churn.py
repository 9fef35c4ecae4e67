# SPDX-License-Identifier: Apache-2.0
"""Opens and ends connections, and servers, until SIGTERM: python3 socket_churn.py PEER PORT.

All ask for the chip. Every second connection ends with a RST. Prints how often each step worked.
"""

import collections
import signal
import sys

from socket_agent import is_by_chip, outcome, reset, tcp

going = True


def stop(*_) -> None:
    global going
    going = False


def asked() -> tuple[object, str]:
    """Return a socket, and where it will run: without the module there is no chip."""
    one = tcp()
    said = outcome(one.setsockopt, 6, 31, b"toe")
    return one, "software" if said else "chip"


signal.signal(signal.SIGTERM, stop)
counts: collections.Counter = collections.Counter()
port = 8000
while going:
    one, where = asked()
    said = outcome(one.connect, (sys.argv[1], int(sys.argv[2])))
    counts[said or ("connected", where if is_by_chip(one) else "software")] += 1
    if sum(counts.values()) % 2:
        reset(one)
    one.close()
    server, where = asked()
    port = 8000 + (port + 1) % 1000
    said = outcome(server.bind, ("", port)) or outcome(server.listen, 4)
    counts[said or ("listened", where)] += 1
    server.close()
print(dict(counts), flush=True)
