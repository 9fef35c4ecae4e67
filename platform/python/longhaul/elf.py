# SPDX-License-Identifier: Apache-2.0
"""The little that is needed of ELF (System V gABI, 64-bit): libraries, and bytes by address."""

import struct
from collections.abc import Mapping
from pathlib import Path

_PT_LOAD, _PT_DYNAMIC = 1, 2
_DT_NULL, _DT_NEEDED, _DT_STRTAB = 0, 1, 5


def _segments(data: bytes) -> list[tuple[int, ...]]:
    """Return of each segment: type, flags, offset, virtual and physical address, size in file."""
    (table,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    return [struct.unpack_from("<IIQQQQ", data, table + i * size) for i in range(count)]


def patch(path: Path, changes: Mapping[int, bytes]) -> None:
    """Replace bytes by their virtual address; ValueError for an address that no segment loads."""
    data = path.read_bytes()
    loaded = [s for s in _segments(data) if s[0] == _PT_LOAD]
    with path.open("r+b") as file:
        for address, new in changes.items():
            for _, _, offset, start, _, length in loaded:
                if start <= address and address + len(new) <= start + length:
                    file.seek(offset + address - start)
                    file.write(new)
                    break
            else:
                raise ValueError(f"{path}: loads nothing at {address:#x}")


def needed(path: Path) -> list[str]:
    """Return the DT_NEEDED names of an ELF file; none for a static one or for what is not ELF."""
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        return []
    segments = _segments(data)
    dynamic = [
        (offset, length) for kind, _, offset, _, _, length in segments if kind == _PT_DYNAMIC
    ]
    if not dynamic:
        return []
    offset, length = dynamic[0]
    entries = [struct.unpack_from("<QQ", data, offset + at) for at in range(0, length, 16)]
    if (_DT_NULL, 0) in entries:
        entries = entries[: entries.index((_DT_NULL, 0))]
    names = next((value for tag, value in entries if tag == _DT_STRTAB), None)
    if names is None:
        return []
    strings = next(
        names - address + start
        for kind, _, start, address, _, length in segments
        if kind == _PT_LOAD and address <= names < address + length
    )
    starts = [strings + value for tag, value in entries if tag == _DT_NEEDED]
    return [data[start : data.index(b"\0", start)].decode() for start in starts]
