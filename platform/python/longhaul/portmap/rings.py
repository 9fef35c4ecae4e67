# SPDX-License-Identifier: Apache-2.0
"""The table [rings] of a port map: the descriptor rings, for `--packets` (docs/packets.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from longhaul.portmap.platform_table import Integer
from longhaul.portmap.problems import Problem
from longhaul.units import Size

REGISTER_BITS = 32
MOST_FIELD_BITS = 64
LARGEST_DESCRIPTOR = 4096

_BITS = re.compile(r"(\d{1,5})(?::(\d{1,5}))?")


def _checked(text: str) -> str:
    """Refuse a text that names no bits; an empty one stands for none."""
    found = _BITS.fullmatch(text)
    if text and (not found or int(found[2] or found[1]) > int(found[1])):
        raise ValueError('wants bits, the highest first: "31:0", or one: "7"')
    return text


Bits = Annotated[str, AfterValidator(_checked)]


def _place(bits: str) -> list[int]:
    """Return bits as [lowest, width]; none are [0, 0]."""
    found = _BITS.fullmatch(bits)
    if not found:
        return [0, 0]
    high, low = int(found[1]), int(found[2] or found[1])
    return [low, high - low + 1]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Ring(_Table):
    base: Integer = Field(description="Register of its address, or of the low half.")
    base_high: Integer | None = Field(None, description="Register of the address's high half.")
    length: Integer = Field(description="Register of its length.")
    length_is: Literal["bytes", "descriptors", "log2"] = Field(
        "bytes",
        description="What the length counts: bytes, descriptors, or their base-2 logarithm.",
    )
    head: Integer | None = Field(
        None, description="Register whose write says where the block goes on; none: it begins at 0."
    )
    tail: Integer = Field(description="Register of the doorbell.")
    tail_bits: Bits = Field("31:0", min_length=1, description="Bits of the doorbell that count.")
    tail_is: Literal["index", "count"] = Field(
        "index",
        description="What they are: the first descriptor that software owns, or how many it has "
        "ever given, modulo the field's range.",
    )
    descriptor: int = Field(16, ge=8, description="Bytes of a descriptor.")
    address: Bits = Field(
        "63:0",
        min_length=1,
        description="Of a descriptor: the buffer's address. Bit 0 is the lowest of its first byte.",
    )
    bytes: Bits = Field(min_length=1, description="Of a descriptor: bytes of the frame in it.")
    end: Bits = Field(min_length=1, description="Of a descriptor: it is a frame's last one.")


class TransmitRing(_Ring):
    """The transmit descriptors. Registers are offsets in the first memory BAR."""

    segment: Bits = Field("", description="Of a descriptor: the frame is cut into TCP segments.")
    kind: Bits = Field("", description="Of a descriptor: its kind.")
    context: Integer = Field(0, ge=0, description="The kind of descriptors that have no data.")


class ReceiveRing(_Ring):
    """The receive descriptors, each with a buffer. The block writes its descriptors back."""

    buffer: str = Field("2KiB", description="Size of a buffer, until a register says another one.")
    buffer_register: Integer | None = Field(None, description="The register, in bytes.")
    buffer_bits: Bits = Field("31:0", min_length=1, description="Its bits.")
    skip: int = Field(
        0, ge=0, le=4096, description="Bytes before the frame in a buffer; `bytes` leaves them out."
    )

    def buffer_bytes(self) -> int:
        """Return the size of a buffer in bytes; a UnitError says what would be one."""
        return Size.parse(self.buffer, where="buffer").bytes


class Rings(_Table):
    """The descriptor rings of the function, by which `--packets` follows frames through memory."""

    transmit: TransmitRing = Field(description="The transmit descriptors.")
    receive: ReceiveRing = Field(description="The receive descriptors.")
    reset_register: Integer | None = Field(None, description="A write of it empties both rings.")
    reset_bits: Bits = Field("31:0", min_length=1, description="If one of these bits is 1.")
    cause_register: Integer | None = Field(
        None, description="The interrupt handler reads it, which ends the stage `interrupt`."
    )
    acknowledge_bits: Bits = Field(
        "", description="The handler may write 1 to one of these bits of it, instead."
    )


def problems(rings: Rings, bar_bytes: int) -> Iterator[Problem]:
    """Yield what is wrong with [rings]; its registers lie in a BAR of `bar_bytes`."""
    here = ("rings",)
    for key in ("reset_register", "cause_register"):
        yield from _register((*here, key), getattr(rings, key), bar_bytes)
    for key in ("reset_bits", "acknowledge_bits"):
        yield from _bits((*here, key), getattr(rings, key), REGISTER_BITS)
    for name, ring in (("transmit", rings.transmit), ("receive", rings.receive)):
        where = (*here, name)
        keys = ["base", "base_high", "length", "head", "tail"]
        fields = ["address", "bytes", "end"]
        if isinstance(ring, ReceiveRing):
            keys.append("buffer_register")
            yield from _bits((*where, "buffer_bits"), ring.buffer_bits, REGISTER_BITS)
        else:
            fields += ["segment", "kind"]
        for key in keys:
            yield from _register((*where, key), getattr(ring, key), bar_bytes)
        yield from _bits((*where, "tail_bits"), ring.tail_bits, REGISTER_BITS)
        size = ring.descriptor
        if size > LARGEST_DESCRIPTOR or size & (size - 1):
            yield (*where, "descriptor"), f"{size}: wants a power of two from 8 to 4096 bytes"
        for key in fields:
            yield from _bits((*where, key), getattr(ring, key), 8 * size)


def _register(where: tuple[str, ...], offset: int | None, bar_bytes: int) -> Iterator[Problem]:
    if offset is not None and not (0 <= offset < bar_bytes and offset % 4 == 0):
        yield where, f"{offset:#x}: wants a multiple of 4 below the BAR's end at {bar_bytes:#x}"


def _bits(where: tuple[str, ...], bits: str, most: int) -> Iterator[Problem]:
    low, width = _place(bits)
    if low + width > most:
        yield where, f'"{bits}": there are {most} bits'
    elif width > MOST_FIELD_BITS:
        yield where, f'"{bits}": a field has {MOST_FIELD_BITS} bits at most'


def document(rings: Rings) -> dict[str, Any]:
    """Return [rings] as the simulator reads it (platform/portmap/ring_entry.h)."""
    told = rings.model_dump()
    told["receive"]["buffer"] = rings.receive.buffer_bytes()
    for table in (told, told["transmit"], told["receive"]):
        for key in ("address", "bytes", "end", "segment", "kind"):
            if key in table:
                table[key] = _place(table[key])
        for key in table:
            if key.endswith("_bits"):
                table[key] = _place(table[key])
    return told
