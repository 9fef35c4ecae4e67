# SPDX-License-Identifier: Apache-2.0
"""The little that is needed of ELF (System V gABI, 64-bit): which libraries a file needs."""

import struct
from pathlib import Path

_PT_LOAD, _PT_DYNAMIC = 1, 2
_DT_NULL, _DT_NEEDED, _DT_STRTAB = 0, 1, 5


def needed(path: Path) -> list[str]:
    """Return the DT_NEEDED names of an ELF file; none for a static one or for what is not ELF."""
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        return []
    (table,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    # Type, flags, offset, virtual address, physical address, size in the file.
    segments = [struct.unpack_from("<IIQQQQ", data, table + i * size) for i in range(count)]
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
