# SPDX-License-Identifier: Apache-2.0
"""Many connections at once: python3 socket_crowd.py PEER PORT COUNT SECONDS BYTES [PAUSE [WHERE]].

The peer runs socket_agent.py at PORT, which echoes. Each connection sends BYTES, waits for their
echo, and sends again after PAUSE seconds, 0.02 without one. WHERE is "chip" or "software". The
program prints `ready` when all connections are open and have carried BYTES each. It goes on until
all have failed, or for SECONDS. Then it tells how they ended, and whether the peer's program got
every byte that its TCP had acknowledged.
"""

import collections
import pathlib
import select
import socket
import struct
import sys
import threading
import time

from socket_agent import Agent, is_by_chip, listening, outcome, pattern, tcp, until

BYTES_ACKED = 120  # offset in TCP_INFO
BACKLOG = 2000


class Server:
    """Echoes; knows what came on each connection, by the other end's port."""

    def __init__(self, port: int) -> None:
        self.received: dict[int, int] = {}
        self.wrong = 0
        self.poll = select.epoll()
        self.open: dict[int, tuple[socket.socket, int]] = {}
        self.server = listening(port, BACKLOG)
        threading.Thread(target=self.run, daemon=True).start()

    def run(self) -> None:
        self.poll.register(self.server, select.EPOLLIN)
        while True:
            for number, _ in self.poll.poll():
                if number == self.server.fileno():
                    one, (_, port) = self.server.accept()
                    self.open[one.fileno()] = one, port
                    self.received[port] = 0
                    self.poll.register(one, select.EPOLLIN)
                else:
                    self.echo(*self.open[number])

    def echo(self, one: socket.socket, port: int) -> None:
        got = outcome(one.recv, 65536)
        if not isinstance(got, bytes) or not got:
            self.poll.unregister(one)
            del self.open[one.fileno()]
            one.close()
            return
        self.wrong += got != pattern(len(got), self.received[port])
        self.received[port] += len(got)
        outcome(one.sendall, got)

    def speak(self) -> None:
        """Send a byte on each connection: an end whose other end has gone learns of it."""
        for one, _ in list(self.open.values()):
            outcome(one.send, b"?")

    def report(self) -> tuple[dict[int, int], int, int]:
        return self.received, self.wrong, len(self.open)


class Member:
    """One connection of the crowd."""

    def __init__(self, address: tuple[str, int], by_chip: bool) -> None:
        self.socket = tcp(by_chip)
        self.socket.connect(address)
        self.by_chip = is_by_chip(self.socket)
        self.port = self.socket.getsockname()[1]
        self.socket.setblocking(False)
        self.sent = self.echoed = self.acked = 0
        self.wrong = False
        self.error = ""

    def say(self, length: int) -> None:
        got = outcome(self.socket.send, pattern(length, self.sent))
        if isinstance(got, int):
            self.sent += got
        elif got != "EAGAIN":
            self.fail(got)

    def hear(self) -> None:
        got = outcome(self.socket.recv, 65536)
        if isinstance(got, bytes) and got:
            self.wrong = self.wrong or got != pattern(len(got), self.echoed)
            self.echoed += len(got)
        elif got != "EAGAIN":
            self.fail(got or "EOF")

    def fail(self, error: str) -> None:
        if not self.error:
            self.error = error
            self.look()

    def look(self) -> None:
        info = self.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 136)
        # Linux' own TCP counts its SYN.
        self.acked = struct.unpack_from("Q", info, BYTES_ACKED)[0] - (not self.by_chip)


class Crowd:
    def __init__(self, address: tuple[str, int], count: int, chunk: int, by_chip: bool) -> None:
        self.chunk = chunk
        self.members = [Member(address, by_chip) for _ in range(count)]
        self.poll = select.epoll()
        self.by_number = {m.socket.fileno(): m for m in self.members}
        for number in self.by_number:
            self.poll.register(number, select.EPOLLIN)

    def alive(self) -> list[Member]:
        return [m for m in self.members if not m.error]

    def hear(self, seconds: float) -> None:
        for number, _ in self.poll.poll(seconds, 4096):
            member = self.by_number[number]
            member.hear()
            if member.error:
                self.poll.unregister(number)

    def is_quiet(self) -> bool:
        self.hear(0.01)
        return all(m.echoed == m.sent for m in self.alive())

    def talk(self) -> None:
        for member in self.alive():
            if member.echoed == member.sent:
                member.say(self.chunk)
        until(self.is_quiet, 0.1)


def has_carrier() -> bool:
    return outcome(pathlib.Path("/sys/class/net/eth0/carrier").read_text) == "1\n"


def main() -> None:
    peer = Agent(sys.argv[1], int(sys.argv[2]))
    port = int(sys.argv[2]) + 1
    peer("globals().update(c=__import__('socket_crowd'))")
    peer(f"'crowd' in globals() or globals().update(crowd=c.Server({port}))")
    pause = float(sys.argv[6]) if len(sys.argv) > 6 else 0.02
    by_chip = sys.argv[7:] != ["software"]
    crowd = Crowd((sys.argv[1], port), int(sys.argv[3]), int(sys.argv[5]), by_chip)
    crowd.talk()
    print("ready", until(crowd.is_quiet), flush=True)
    end = time.monotonic() + float(sys.argv[4])
    while crowd.alive() and time.monotonic() < end:
        crowd.talk()
        time.sleep(pause)
    until(crowd.is_quiet, 20)
    for member in crowd.alive():
        member.look()
    print("errors", dict(collections.Counter(m.error for m in crowd.members if m.error)))
    print("by_chip", sum(m.by_chip for m in crowd.members))
    print("unanswered", sum(m.echoed != m.sent for m in crowd.alive()))
    if len(crowd.alive()) < len(crowd.members):
        until(has_carrier, 60)
        peer("crowd.speak()")
    for member in crowd.alive():
        member.socket.close()
    closed = until(lambda: peer("crowd.report()[2]") == 0, 60)
    received, wrong, left = peer("crowd.report()")
    print("lost", sum(m.acked > received.get(m.port, 0) for m in crowd.members))
    print("wrong", wrong + sum(m.wrong for m in crowd.members), "closed", closed, left)
    print("acked", sum(m.acked for m in crowd.members), flush=True)


if __name__ == "__main__":
    main()
