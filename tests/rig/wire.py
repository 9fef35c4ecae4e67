# SPDX-License-Identifier: Apache-2.0
"""What tshark, which knows nothing of the models, says of a capture."""

from __future__ import annotations

import subprocess
from pathlib import Path

CHECKS = [
    word
    for preference in (
        "ip.check_checksum:TRUE",
        "tcp.check_checksum:TRUE",
        "udp.check_checksum:TRUE",
        "eth.check_fcs:TRUE",
    )
    for word in ("-o", preference)
]
# Random bytes now and then look like Thrift, of which tshark then misses pieces.
CHECKS += ["-d", "tcp.port==1-65535,data"]
BAD = "0"  # tshark's checksum status
WRONG = " || ".join(
    ["_ws.malformed", *(f"{p}.status == {BAD}" for p in ("ip.checksum", "tcp.checksum"))]
    + [f"{p}.status == {BAD}" for p in ("udp.checksum", "icmpv6.checksum", "icmp.checksum")]
    + [f"eth.fcs.status == {BAD}"]
)
# Of pcapng: a kind of block, and options in it.
ENHANCED_PACKET = 6
END_OF_OPTIONS, PACKET_FLAGS = 0, 2
# A frame that the simulation damaged, or dropped where it was captured, says so.
UNHARMED = '!(frame.comment contains "damaged") && !(frame.comment contains "dropped:")'


def rows(capture: Path, where: str, *fields: str) -> list[list[str]]:
    """Return the fields of the frames that a display filter picks."""
    words = [word for field in fields or ("frame.number",) for word in ("-e", field)]
    done = subprocess.run(
        ["nice", "tshark", "-n", "-r", str(capture), *CHECKS, "-Y", where, "-T", "fields", *words],
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.split("\t") for line in done.stdout.splitlines()]


def count(capture: Path, where: str = "frame") -> int:
    """Return how many frames a display filter picks."""
    return len(rows(capture, where))


def wrong(capture: Path) -> list[list[str]]:
    """Return the frames that tshark calls malformed or damaged and whose comments do not."""
    return rows(
        capture, f"({WRONG}) && {UNHARMED}", "frame.number", "_ws.col.Protocol", "_ws.col.Info"
    )


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
