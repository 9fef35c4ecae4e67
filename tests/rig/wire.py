# SPDX-License-Identifier: Apache-2.0
"""What tshark, which knows nothing of the models, says of a capture."""

from __future__ import annotations

from pathlib import Path

from longhaul.validation.wire import BAD, UNHARMED, WRONG, rows, wrong

__all__ = ["BAD", "UNHARMED", "WRONG", "count", "on_the_wire", "rows", "sent", "verified", "wrong"]

FRAME = (
    *("eth.dst", "eth.type", "frame.len", "arp.opcode", "icmp.type", "icmp.seq", "data.len"),
    *("icmpv6.type", "tcp.seq", "tcp.ack", "tcp.flags", "tcp.payload"),
)
"""Fields of a frame for tshark. Its time and what TCP makes of the time are not among them."""

# Of pcapng: a kind of block, and options in it.
ENHANCED_PACKET = 6
END_OF_OPTIONS, PACKET_FLAGS = 0, 2


def count(capture: Path, where: str = "frame") -> int:
    """Return how many frames a display filter picks."""
    return len(rows(capture, where))


def sent(capture: Path) -> dict[str, list[list[str]]]:
    """Return the frames of each Ethernet address in their order, without times."""
    found: dict[str, list[list[str]]] = {}
    for address, *fields in rows(capture, "frame", "eth.src", *FRAME):
        found.setdefault(address, []).append(fields)
    return found


def verified(capture: Path, protocol: str) -> int:
    """Return how many frames carry a checksum of the protocol that tshark verified as good."""
    return count(capture, f"{protocol}.checksum.status == 1")


def on_the_wire(capture: Path) -> list[tuple[bytes, bytes, bytes]]:
    """Return of each packet its interface and time, its bytes, and its flags.

    What the run knows beside that is left out: the frame's number and the comments.
    """
    data = capture.read_bytes()

    def number(at: int, size: int) -> int:
        return int.from_bytes(data[at : at + size], "little")

    packets: list[tuple[bytes, bytes, bytes]] = []
    at = 0
    while at < len(data):
        kind, size = number(at, 4), number(at + 4, 4)
        if kind == ENHANCED_PACKET:
            option = at + 28 + (number(at + 20, 4) + 3) // 4 * 4
            body, flags = data[at + 20 : option], b""
            while option < at + size - 4 and number(option, 2) != END_OF_OPTIONS:
                length = number(option + 2, 2)
                if number(option, 2) == PACKET_FLAGS:
                    flags = data[option + 4 : option + 4 + length]
                option += 4 + (length + 3) // 4 * 4
            packets.append((data[at + 8 : at + 20], body, flags))
        at += size
    return packets
