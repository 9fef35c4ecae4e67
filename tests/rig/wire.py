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
END_OF_OPTIONS, PACKET_ID = 0, 5
# A frame that the simulation damaged, dropped or reordered says so.
UNCOMMENTED = "!frame.comment"


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
    """Return the frames that tshark calls malformed or damaged and that have no comment."""
    return rows(
        capture, f"({WRONG}) && {UNCOMMENTED}", "frame.number", "_ws.col.Protocol", "_ws.col.Info"
    )


def verified(capture: Path, protocol: str) -> int:
    """Return how many frames carry a checksum of the protocol that tshark verified as good."""
    return count(capture, f"{protocol}.checksum.status == 1")


def without_ids(capture: Path) -> bytes:
    """Return a capture with its frames' numbers (epb_packetid) zeroed: all that is on the wire."""
    data = bytearray(capture.read_bytes())

    def number(at: int, size: int) -> int:
        return int.from_bytes(data[at : at + size], "little")

    at = 0
    while at < len(data):
        kind, size = number(at, 4), number(at + 4, 4)
        if kind == ENHANCED_PACKET:
            option = at + 28 + (number(at + 20, 4) + 3) // 4 * 4
            while option < at + size - 4 and number(option, 2) != END_OF_OPTIONS:
                length = number(option + 2, 2)
                if number(option, 2) == PACKET_ID:
                    data[option + 4 : option + 4 + length] = bytes(length)
                option += 4 + (length + 3) // 4 * 4
        at += size
    return bytes(data)
