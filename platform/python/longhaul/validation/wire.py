# SPDX-License-Identifier: Apache-2.0
"""Findings of tshark, which knows nothing of the models, in a capture."""

from __future__ import annotations

import subprocess
from pathlib import Path

from longhaul.process import missing

CHECKS = (
    *("-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE"),
    *("-o", "udp.check_checksum:TRUE", "-o", "eth.check_fcs:TRUE"),
    # Random bytes now and then look like Thrift, of which tshark then misses pieces.
    *("-d", "tcp.port==1-65535,data"),
)
BAD = "0"  # tshark's checksum status
# Where a sum is 0, Linux' skb_checksum_help() writes ffff for TCP, too (net/core/dev.c). Both are
# the same number in one's complement, and tshark warns of the second.
WRONG = " || ".join(
    ["_ws.malformed", f"ip.checksum.status == {BAD}"]
    + [f"(tcp.checksum.status == {BAD} && tcp.checksum != 0xffff)"]
    + [f"{p}.status == {BAD}" for p in ("udp.checksum", "icmpv6.checksum", "icmp.checksum")]
    + [f"eth.fcs.status == {BAD}"]
)
# A frame that the simulation damaged, or dropped where it was captured, says so.
UNHARMED = '!(frame.comment contains "damaged") && !(frame.comment contains "dropped:")'


def rows(capture: Path, where: str, *fields: str) -> list[list[str]]:
    """Return the fields of the frames that a display filter picks, as tshark writes them."""
    words = [word for field in fields or ("frame.number",) for word in ("-e", field)]
    command = ["nice", "tshark", "-n", "-r", str(capture), *CHECKS, "-Y", where, "-T", "fields"]
    try:
        done = subprocess.run([*command, *words], capture_output=True, text=True, check=True)
    except FileNotFoundError:
        raise missing("tshark", "tshark") from None
    return [line.split("\t") for line in done.stdout.splitlines()]


def wrong(capture: Path, where: str = "frame") -> list[list[str]]:
    """Return the frames that tshark calls malformed or damaged and whose comments do not.

    Of each: its number, its protocol, what tshark says of it. `where` picks among the frames.
    """
    fields = ("frame.number", "_ws.col.Protocol", "_ws.col.Info")
    return rows(capture, f"({WRONG}) && {UNHARMED} && ({where})", *fields)


def leaks(capture: Path, where: str = "frame") -> list[tuple[str, str]]:
    """Return the number and the padding, in hexadecimal, of frames whose padding is not all zeros.

    Such bytes are of the sender's memory (RFC 1042, CVE-2003-0001). tshark calls them a trailer.
    """
    found = rows(capture, f"(eth.trailer || vlan.trailer) && ({where})", "frame.number",
                 "eth.trailer", "vlan.trailer")  # fmt: skip
    return [(number, "".join(rest)) for number, *rest in found if "".join(rest).strip("0")]


def sent_by(port: str) -> str:
    """Return the display filter for the frames that left a port, such as own.eth0."""
    return f'frame.interface_name matches "^{port} to"'
