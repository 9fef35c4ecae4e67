# SPDX-License-Identifier: Apache-2.0
"""Opens and ends connections, and servers, until SIGTERM: python3 socket_churn.py PEER PORT.

One of eight asks for the chip, and leaves time for the module to be unused. The others call the
module's functions, too. Every second connection ends with a RST. Prints how often each step worked.
"""

import collections
import signal
import socket
import sys
import time

from socket_agent import is_by_chip, outcome, reset, tcp

going = True


def stop(*_) -> None:
    global going
    going = False


def made(asks: bool) -> tuple[socket.socket, str]:
    """Return a socket, and where it will run: without the module there is no chip."""
    one = tcp()
    has_chip = asks and outcome(one.setsockopt, 6, 31, b"toe") is None
    return one, "chip" if has_chip else "software"


signal.signal(signal.SIGTERM, stop)
counts: collections.Counter = collections.Counter()
port, rounds = 8000, 0
while going:
    rounds += 1
    asks = rounds % 8 == 0
    one, where = made(asks)
    said = outcome(one.connect, (sys.argv[1], int(sys.argv[2])))
    counts[said or ("connected", where if is_by_chip(one) else "software")] += 1
    if rounds // 8 % 2:
        reset(one)
    one.close()
    server, where = made(asks)
    port = 8000 + (port + 1) % 1000
    said = outcome(server.bind, ("", port)) or outcome(server.listen, 4)
    counts[said or ("listened", where)] += 1
    server.close()
    if asks:
        time.sleep(0.05)
print(dict(counts), flush=True)
