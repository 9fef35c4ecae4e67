# SPDX-License-Identifier: Apache-2.0
"""The tables [platform] and [inouts] of a port map, and what they become."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from longhaul.units import Size


def _integer(value: object) -> object:
    """Let a number be written as a text, which JSON and TOML want for some: "0x1af4"."""
    try:
        return int(value, 0) if isinstance(value, str) else value
    except ValueError:
        raise ValueError("wants a number, such as 0x1af4") from None


Integer = Annotated[int, BeforeValidator(_integer)]
Property = bool | int | str | tuple[int, ...] | tuple[str, ...]

LARGEST_WINDOW = 16 << 20  # models/hostbus/address_map.h
_PROPERTY = re.compile(r"[A-Za-z0-9,._+?#-]{1,31}")  # Devicetree Specification 0.4, 2.2.4.1
_NODE = re.compile(r"[A-Za-z][A-Za-z0-9,._+-]{0,30}")  # 2.2.1
OWN = ("compatible", "reg", "reg-names", "interrupts", "interrupt-parent")
"""Properties that Longhaul writes."""


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Region(_Table):
    """Registers that the driver maps as one."""

    offset: Integer = Field(ge=0, description="Their begin in the window.")
    size: str = Field(description="Their size.")

    def bytes(self) -> int:
        """Return the size in bytes; a UnitError says what would be one."""
        return Size.parse(self.size, where="size").bytes


class Platform(_Table):
    """A platform device: the block is a network adapter on the host's own bus."""

    compatible: tuple[str, ...] | str = Field(description="Names by which drivers find the device.")
    node: str = Field("ethernet", description="Name of its node in the device tree.")
    registers: str = Field(description="The interface behind its window.")
    window: str = Field(description="Size of the window, a power of two up to 16MiB.")
    base: Integer = Field(0, ge=0, description="Address of the window's begin on that interface.")
    memory: str = Field("", description="The interface that masters the host's bus.")
    interrupts: str = Field("", description="The interface of the interrupt request.")
    port: str = Field("", description="The interface to the wire.")
    regions: dict[str, Region] = Field(
        {},
        description="Parts of the window by name, in order: `reg` and `reg-names` of the node; "
        "without any, `reg` is the whole window.",
    )
    properties: dict[str, Property] = Field(
        {},
        description="More properties of the node: numbers and lists of numbers are cells, texts "
        "and lists of texts are texts, true is one without value.",
    )

    def window_bytes(self) -> int:
        """Return the window's size in bytes; a UnitError says what would be one."""
        return Size.parse(self.window, where="window").bytes


class Inout(_Table):
    """A tri-state port of the top module. The table's name is the port."""

    pull: Literal["up", "down"] = Field(
        "up", description="Level of its wires while the block does not drive them."
    )


def mistakes(platform: Platform) -> Mapping[str, str]:
    """Return what is wrong with names and numbers of [platform], by the place below it."""
    found: dict[str, str] = {}
    size = platform.window_bytes()
    if not 4 <= size <= LARGEST_WINDOW or size & (size - 1):
        found["window"] = f"{platform.window}: wants a power of two from 4B to 16MiB"
    if not _NODE.fullmatch(platform.node):
        found["node"] = f"{platform.node!r} is no name of a node"
    for name, region in platform.regions.items():
        if not region.bytes() or region.offset + region.bytes() > size:
            end = f"{region.offset:#x} + {region.size}"
            found[f"regions.{name}"] = f"{end} reaches beyond the window of {platform.window}"
    for name, value in platform.properties.items():
        if name in OWN:
            found[f"properties.{name}"] = "is Longhaul's to write"
        elif not _PROPERTY.fullmatch(name):
            found[f"properties.{name}"] = "is no name of a property"
        elif value is False:
            found[f"properties.{name}"] = "a property that is false is left out"
        elif any(isinstance(each, int) and not 0 <= each < 1 << 32 for each in _all(value)):
            found[f"properties.{name}"] = f"{value}: a cell has 32 bits"
    return found


def _all(value: Property) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def document(platform: Platform) -> dict[str, Any]:
    """Return it as the simulator reads it (platform/portmap/block_map.h)."""
    whole = {"": Region(offset=0, size=platform.window)}
    compatible = platform.compatible
    return platform.model_dump(exclude={"regions", "properties"}) | {
        "compatible": [compatible] if isinstance(compatible, str) else list(compatible),
        "window": platform.window_bytes(),
        "regions": [
            {"name": name, "offset": each.offset, "bytes": each.bytes()}
            for name, each in (platform.regions or whole).items()
        ],
        "properties": [_source(name, value) for name, value in platform.properties.items()],
    }


def _source(name: str, value: Property) -> str:
    """Return a property as a device tree's source has it."""
    if value is True:
        return name
    parts = [
        json.dumps(each, ensure_ascii=False) if isinstance(each, str) else f"<{each:#x}>"
        for each in _all(value)
    ]
    return f"{name} = {', '.join(parts)}"
