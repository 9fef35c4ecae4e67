# SPDX-License-Identifier: Apache-2.0
"""Sockets of one guest in the hands of another: python3 socket_agent.py PORT.

Each line on a connection to PORT is one expression of Python. The answer is a line, too: its
value, or the name of the error that it got. All connections have the same variables.
"""

import builtins
import errno
import os
import select
import socket
import sys
import threading
import time

TCP_ULP = 31
STATES = "- ESTABLISHED SYN-SENT SYN-RECV FIN-WAIT-1 FIN-WAIT-2 TIME-WAIT CLOSE CLOSE-WAIT".split()
EVENTS = {1: "IN", 4: "OUT", 8: "ERR", 16: "HUP", 0x2000: "RDHUP"}
STATES += ["LAST-ACK", "LISTEN", "CLOSING"]


def tcp(by_chip: bool = False) -> socket.socket:
    """Return a new socket, which asks for the chip if it is to run there."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if by_chip:
        made.setsockopt(socket.IPPROTO_TCP, TCP_ULP, b"toe")
    return made


def listening(port: int, backlog: int = 8, by_chip: bool = False) -> socket.socket:
    made = tcp(by_chip)
    made.bind(("", port))
    made.listen(backlog)
    return made


def is_by_chip(one: socket.socket) -> bool:
    try:
        return one.getsockopt(socket.IPPROTO_TCP, TCP_ULP, 16).startswith(b"toe")
    except OSError:
        return False


def state(one: socket.socket) -> str:
    return STATES[one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 8)[0]]


def pattern(length: int, begin: int = 0) -> bytes:
    """Return bytes that tell their place."""
    period = bytes(i * 7 % 251 for i in range(251)) * (length // 251 + 2)
    return period[begin % 251 : begin % 251 + length]


def receive(one: socket.socket, length: int) -> bytes:
    """Return so many bytes, or those before the end."""
    got = b""
    while len(got) < length:
        more = one.recv(length - len(got))
        if not more:
            break
        got += more
    return got


def reset(one: socket.socket) -> None:
    """Close with a RST."""
    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    one.close()


def outcome(call, *words, **options):
    """Return what a call returns, or the name of its error."""
    try:
        return call(*words, **options)
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error))


def until(condition, seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def polled(one: socket.socket, seconds: float = 5, wanted: int = 0x201D) -> str:
    poll = select.epoll()
    poll.register(one, wanted)
    found = poll.poll(seconds)
    events = found[0][1] if found else 0
    return "|".join(name for bit, name in EVENTS.items() if events & bit) or "none"


def serve(control: socket.socket) -> None:
    for line in control.makefile():
        value = outcome(builtins.eval, line, globals())  # noqa: S307
        control.sendall(f"{value!r}\n".encode())


class Agent:
    """The other guest's end of a connection to its agent."""

    def __init__(self, address: str, port: int) -> None:
        until(lambda: self.connected(address, port))
        self.answers = self.control.makefile()

    def connected(self, address: str, port: int) -> bool:
        self.control = socket.socket()
        return self.control.connect_ex((address, port)) == 0

    def begin(self, expression: str) -> None:
        self.control.sendall(expression.encode() + b"\n")

    def end(self):
        return builtins.eval(self.answers.readline())  # noqa: S307

    def __call__(self, expression: str):
        self.begin(expression)
        return self.end()


if __name__ == "__main__":
    server = listening(int(sys.argv[1]))
    print("listening", os.getpid(), flush=True)
    while True:
        threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
