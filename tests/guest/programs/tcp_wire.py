# SPDX-License-Identifier: Apache-2.0
"""One end of TCP connections that a script plays itself, segment by segment, with raw frames.

Numbers of both directions count from 0 for the SYN. The other end is a socket of a guest that runs
socket_agent.py. It sees a station that does not exist: this guest's own kernel answers nothing.
"""

from __future__ import annotations

import select
import socket
import struct
import time

from socket_agent import Agent

FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
LETTERS = {SYN: "S", FIN: "F", RST: "R", PSH: "P", ACK: "."}
MSS, WINDOW_SCALE, SACK_ALLOWED, TIMESTAMPS = 2, 3, 4, 8
OUR_ISN = 1_000_000
LEAST_WAIT = 0.02
FULL = 1460
"""Bytes of a full segment at an MTU of 1500."""


def checksum(data: bytes) -> int:
    padded = data + b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f"!{len(padded) // 2}H", padded))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


class Segment:
    def __init__(
        self,
        flags: int,
        seq: int = 0,
        ack: int = 0,
        window: int = 65535,
        data: bytes = b"",
        options: dict[int, bytes] | None = None,
        at: float = 0,
        ports: tuple[int, int] = (0, 0),
    ) -> None:
        self.flags, self.seq, self.ack, self.window = flags, seq, ack, window
        self.data, self.options, self.at, self.ports = data, options or {}, at, ports

    @property
    def length(self) -> int:
        return len(self.data)

    def has(self, flags: int) -> bool:
        return self.flags & flags == flags

    def __str__(self) -> str:
        """As tcpdump and packetdrill write it; PSH is left out."""
        letters = "".join(letter for bit, letter in LETTERS.items() if self.flags & bit & ~PSH)
        return f"{letters} {self.seq}:{self.seq + self.length} ack {self.ack}"


def option_bytes(options: dict[int, bytes]) -> bytes:
    text = b"".join(bytes([kind, len(body) + 2]) + body for kind, body in options.items())
    return text + b"\1" * (-len(text) % 4)


def options_of(text: bytes) -> dict[int, bytes]:
    found = {}
    while text and text[0] != 0:
        if text[0] == 1:
            text = text[1:]
            continue
        found[text[0]] = text[2 : text[1]]
        text = text[text[1] :]
    return found


def mss(value: int) -> dict[int, bytes]:
    return {MSS: struct.pack("!H", value)}


def stamps(value: int, echo: int) -> dict[int, bytes]:
    return {TIMESTAMPS: struct.pack("!II", value, echo)}


def text(segments: list[Segment]) -> list[str]:
    return [str(s) for s in segments]


class Wire:
    """The line, as a station with an address of its own."""

    def __init__(self, peer: Agent, interface: str = "eth0") -> None:
        self.raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0800))
        self.raw.bind((interface, 0x0800))
        self.mac = self.raw.getsockname()[4]
        mac = peer("open('/sys/class/net/eth0/address').read()").strip()
        self.their_mac = bytes.fromhex(mac.replace(":", ""))
        self.their_address = peer.control.getpeername()[0]
        self.address = self.their_address.rsplit(".", 1)[0] + ".77"
        own = ":".join(f"{byte:02x}" for byte in self.mac)
        peer(f"os.system('ip neigh replace {self.address} lladdr {own} dev eth0')")
        self.ends = socket.inet_aton(self.address), socket.inet_aton(self.their_address)

    def send(self, s: Segment, isns: tuple[int, int], damage: int = 0) -> None:
        ours, theirs = isns
        options = option_bytes(s.options)
        size = 20 + len(options) + s.length
        ack = (s.ack + theirs) % 2**32 if s.has(ACK) else 0
        words = (*s.ports, (s.seq + ours) % 2**32, ack, (5 + len(options) // 4) << 4, s.flags)
        head = struct.pack("!HHIIBBHHH", *words, s.window, 0, 0) + options
        pseudo = self.ends[0] + self.ends[1] + struct.pack("!HH", 6, size)
        head = head[:16] + struct.pack("!H", checksum(pseudo + head + s.data) ^ damage) + head[18:]
        ip = struct.pack("!BBHHHBBH", 0x45, 0, 20 + size, 0, 0x4000, 64, 6, 0) + b"".join(self.ends)
        ip = ip[:10] + struct.pack("!H", checksum(ip)) + ip[12:]
        self.raw.send(self.their_mac + self.mac + b"\x08\0" + ip + head + s.data)

    def receive(self, port: int, seconds: float, isns: tuple[int, int]) -> Segment | None:
        """Return the next segment for a port; None if the time is over."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.raw], [], [], left)[0]:
                break
            frame = self.raw.recv(65536)
            if frame[26:34] != self.ends[1] + self.ends[0] or frame[23] != 6:
                continue
            text = frame[34 : 14 + struct.unpack_from("!H", frame, 16)[0]]
            ports = struct.unpack_from("!HH", text)
            if ports[1] != port:
                continue
            seq, ack, begin, flags, window = struct.unpack_from("!IIBBH", text, 4)
            begin = (begin >> 4) * 4
            ours, theirs = isns
            return Segment(
                flags,
                (seq - theirs) % 2**32,
                (ack - ours) % 2**32 if flags & ACK else 0,
                window,
                text[begin:],
                options_of(text[20:begin]),
                time.monotonic(),
                (ports[1], ports[0]),
            )
        return None


class Connection:
    """A connection between this script and a socket of the agent, its variable `s`."""

    _ports = iter(range(20000, 30000))

    def __init__(self, wire: Wire, peer: Agent, by_chip: bool) -> None:
        self.wire, self.peer, self.by_chip = wire, peer, by_chip
        self.port = next(self._ports)
        self.their_port = 0
        self.their_isn = 0
        self.next = 0
        """What the other end has sent so far, in order."""
        self.options: dict[int, bytes] = {}
        self.at = 1
        """This side's next number, for the RST at the end."""

    @property
    def isns(self) -> tuple[int, int]:
        return OUR_ISN, self.their_isn

    def send(self, flags: int, seq: int, data: bytes = b"", damage: int = 0, **more) -> None:
        ports = (self.port, self.their_port)
        more = {"ack": self.next, "options": self.options, **more}
        self.wire.send(Segment(flags, seq, data=data, ports=ports, **more), self.isns, damage)

    def next_segment(self, seconds: float = 2) -> Segment | None:
        s = self.wire.receive(self.port, seconds, self.isns)
        if s is None:
            return None
        self.their_port = s.ports[1]
        if s.has(SYN):
            self.their_isn = (s.seq + self.their_isn) % 2**32
            s.seq = 0
        end = s.seq + s.length + s.has(SYN) + s.has(FIN)
        if s.seq <= self.next < end:
            self.next = end
        return s

    def all_within(self, seconds: float) -> list[Segment]:
        """Return what comes until nothing has come for so long."""
        found = []
        while s := self.next_segment(seconds):
            found.append(s)
        return found

    def expect(self, text: str, seconds: float = 2) -> Segment:
        """Return the next segment, which is like this: '. 1:1 ack 11'."""
        s = self.next_segment(seconds)
        if s is None or str(s) != text:
            raise AssertionError(f"{s} in the place of {text}")
        return s

    def quiet(self, seconds: float = 0.5) -> None:
        if s := self.next_segment(seconds):
            raise AssertionError(f"{s} in the place of silence")

    # --- Opening ---------------------------------------------------------------------------------

    def begin_active(self) -> Segment:
        """The socket connects. Returns its SYN."""
        self.peer(f"globals().update(s=tcp({self.by_chip}))")
        self.peer.begin(f"outcome(s.connect, ('{self.wire.address}', {self.port}))")
        syn = self.next_segment()
        assert syn is not None and syn.flags == SYN
        return syn

    def active(self, options: dict[int, bytes] | None = None, window: int = 65535) -> Segment:
        """The socket connects, and is answered."""
        syn = self.begin_active()
        more = mss(1460) if options is None else options
        self.send(SYN | ACK, 0, options=more, window=window)
        self.expect(". 1:1 ack 1")
        assert self.peer.end() is None
        return syn

    def passive(self, options: dict[int, bytes] | None = None, window: int = 65535) -> Segment:
        """The socket is a server's. Returns its SYN-ACK."""
        self.their_port = self.port - 10000
        self.peer(f"globals().update(l=listening({self.their_port}, 8, {self.by_chip}))")
        self.send(SYN, 0, ack=0, options=mss(1460) if options is None else options)
        answer = self.expect("S. 0:0 ack 1")
        self.send(ACK, 1, window=window)
        self.peer("globals().update(s=l.accept()[0]) or l.close()")
        return answer

    def write(self, length: int) -> None:
        self.peer(f"s.setblocking(False) or s.send(pattern({length}))")

    def end(self) -> None:
        """Leave nothing behind: a RST where the other end expects it."""
        self.all_within(LEAST_WAIT)
        self.send(RST | ACK, self.at)
        self.peer("outcome(s.close)")
