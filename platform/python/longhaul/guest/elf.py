# SPDX-License-Identifier: Apache-2.0
"""The little that is needed of ELF (System V gABI, 64-bit): libraries, and bytes by address."""

import struct
from collections.abc import Mapping
from pathlib import Path

_PT_LOAD, _PT_DYNAMIC = 1, 2
_DT_NULL, _DT_NEEDED, _DT_STRTAB = 0, 1, 5


def segments(data: bytes) -> list[tuple[int, ...]]:
    """Return of each segment: type, flags, offset, virtual and physical address, size in file."""
    (table,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    return [struct.unpack_from("<IIQQQQ", data, table + i * size) for i in range(count)]


def is_elf(path: Path) -> bool:
    """Tell whether a file is a 64-bit little-endian ELF file."""
    with path.open("rb") as file:
        return file.read(6) == b"\x7fELF\x02\x01"


def patch(
    path: Path, changes: Mapping[int, bytes], before: Mapping[int, bytes] | None = None
) -> None:
    """Replace bytes by their virtual address.

    ValueError, with nothing changed, for an address that no segment loads, and where `before` names
    other bytes than are there.
    """
    data = bytearray(path.read_bytes())
    loaded = [s for s in segments(bytes(data)) if s[0] == _PT_LOAD]
    for address, new in changes.items():
        offset = _offset(loaded, address, len(new))
        if offset is None:
            raise ValueError(f"{path}: loads nothing at {address:#x}")
        there = bytes(data[offset : offset + len(new)])
        if before is not None and there != before[address]:
            raise ValueError(
                f"{path}: has {there.hex()} at {address:#x}, not {before[address].hex()}"
            )
        data[offset : offset + len(new)] = new
    path.write_bytes(data)


def _offset(loaded: list[tuple[int, ...]], address: int, length: int) -> int | None:
    """Return where in the file the bytes of an address are."""
    for _, _, offset, start, _, size in loaded:
        if start <= address and address + length <= start + size:
            return offset + address - start
    return None


def needed(path: Path) -> list[str]:
    """Return the DT_NEEDED names of an ELF file; none for a static one or for what is not ELF."""
    if not is_elf(path):
        return []
    data = path.read_bytes()
    found = segments(data)
    dynamic = [(offset, length) for kind, _, offset, _, _, length in found if kind == _PT_DYNAMIC]
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
        for kind, _, start, address, _, length in found
        if kind == _PT_LOAD and address <= names < address + length
    )
    starts = [strings + value for tag, value in entries if tag == _DT_NEEDED]
    return [data[start : data.index(b"\0", start)].decode() for start in starts]
