# SPDX-License-Identifier: Apache-2.0
"""CBOR (RFC 8949): the few items of it that FTR files are made of, encoded."""

from __future__ import annotations

import struct

BREAK = b"\xff"  # ends an array of unknown length
OPEN_ARRAY = b"\x9f"
_UNSIGNED, _NEGATIVE, _BYTES, _TEXT, _ARRAY, _MAP, _TAG = range(7)
_SIZES = ((1 << 8, 24, ">BB"), (1 << 16, 25, ">BH"), (1 << 32, 26, ">BI"), (1 << 64, 27, ">BQ"))


def _head(major: int, value: int) -> bytes:
    if value < 24:
        return bytes((major << 5 | value,))
    for above, more, form in _SIZES:
        if value < above:
            return struct.pack(form, major << 5 | more, value)
    raise OverflowError(f"{value} needs more than 64 bits")


def integer(value: int) -> bytes:
    """Encode a whole number."""
    return _head(_UNSIGNED, value) if value >= 0 else _head(_NEGATIVE, -1 - value)


def data(value: bytes) -> bytes:
    """Encode a string of bytes."""
    return _head(_BYTES, len(value)) + value


def text(value: str) -> bytes:
    """Encode a text."""
    encoded = value.encode()
    return _head(_TEXT, len(encoded)) + encoded


def array(*items: bytes) -> bytes:
    """Encode an array of items that are encoded already."""
    return _head(_ARRAY, len(items)) + b"".join(items)


def integers(*values: int) -> bytes:
    """Encode an array of whole numbers."""
    return array(*map(integer, values))


def table(items: dict[int, str]) -> bytes:
    """Encode a map from numbers to texts."""
    pairs = (integer(key) + text(value) for key, value in items.items())
    return _head(_MAP, len(items)) + b"".join(pairs)


def tag(number: int, item: bytes) -> bytes:
    """Encode an item with a tag."""
    return _head(_TAG, number) + item
