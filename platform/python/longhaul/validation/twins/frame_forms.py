# SPDX-License-Identifier: Apache-2.0
"""Frames without the bytes in which two right runs may differ: the other bytes are compared.

Compared are kinds of frames whose bytes a test's script determines: ARP and IPv4's echoes. Both
runs have them for the same classes (kind and length), wherever they stand among others.
"""

from __future__ import annotations

import struct

from longhaul.validation.twins.recorded import Frame

_TYPE, _IP = 12, 14  # offsets in a frame
_ARP_TYPE, _IPV4 = 0x0806, 0x0800
_ICMP = 1
_ECHOES = {8: "echo request", 0: "echo reply"}
_TIME_BYTES = 16  # ping begins its data with the time, where there is room for it
_MORE_OR_LATER = 0x3FFF  # of a fragment: not the only one
_OWN = b"\x02own\x00\x00"
_GROUP = 0x01

Class = tuple[str, int]
"""A kind of frame, and its bytes as its own header has them."""


def classified(frame: Frame) -> Class | None:
    """Return the class of a frame that is compared; None for any other."""
    data = frame.body
    if len(data) < _IP + 28:
        return None
    kind = int.from_bytes(data[_TYPE:_IP], "big")
    if kind == _ARP_TYPE:
        operation = int.from_bytes(data[_IP + 6 : _IP + 8], "big")
        cast = "broadcast" if data[0] & _GROUP else "unicast"
        return f"ARP {({1: 'request', 2: 'reply'}).get(operation, operation)}, {cast}", 28
    if kind != _IPV4 or data[_IP] != 0x45 or data[_IP + 9] != _ICMP:
        return None
    total, _, fragment = struct.unpack_from(">HHH", data, _IP + 2)
    echo = _ECHOES.get(data[_IP + 20])
    if fragment & _MORE_OR_LATER or echo is None or _IP + total > len(data):
        return None
    return echo, total


def form(frame: Frame, own: bytes) -> bytes:
    """Return a classified frame's bytes, with those that chance and time make as zeros.

    These are: the adapter's own address, where its driver may have taken a random one; IPv4's
    identification; echoes' numbers and times; the sums over them. tshark looks at the sums.
    """
    data = bytearray(frame.body)
    if own:
        data = data.replace(own, _OWN)
    if int.from_bytes(data[_TYPE:_IP], "big") == _IPV4:
        total = int.from_bytes(data[_IP + 2 : _IP + 4], "big")
        zero = [(_IP + 4, 2), (_IP + 10, 2), (_IP + 22, 6)]
        if total - 28 >= _TIME_BYTES:
            zero.append((_IP + 28, _TIME_BYTES))
        for at, size in zero:
            data[at : at + size] = bytes(size)
    return bytes(data)


def described(frame: Frame, kind: Class) -> str:
    """Return a frame in words."""
    return f"frame {frame.number} ({kind[0]}, {len(frame.data)} octets)"
