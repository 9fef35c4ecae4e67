# SPDX-License-Identifier: Apache-2.0
"""The tree's own types, without the simulator: from the types.json beside each type's source.

`./longhaul types --update` makes these files of what the simulator says (`described`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from longhaul import json_file
from longhaul.errors import LonghaulError, UsageError
from longhaul.nearest import did_you_mean
from longhaul.paths import ROOT

FILE = "types.json"
FOLDERS = ("models", "rtl")
KINDS = (
    *("adapter", "box", "bridge", "congestion control", "driver", "management device", "switch"),
    *("system", "workload"),
)


@dataclass(frozen=True)
class LinuxDriver:
    """The module of an adapter's Linux driver and the MTUs that it takes, in bytes.

    `folder` in the kernel's sources and `option` are those of a driver that is not built in.
    """

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}  # for `described`

    module: str
    least_mtu: int
    largest_mtu: int
    source: str
    folder: str | None = None
    option: str | None = None


@dataclass(frozen=True)
class Region:
    """Registers of a platform device: `offset` from its window's begin on."""

    name: str
    offset: int
    bytes: int


@dataclass(frozen=True)
class PlatformNode:
    """A platform device's node of a device tree; `properties` as a tree's source has them."""

    node: str
    compatible: tuple[str, ...]
    regions: tuple[Region, ...]
    interrupt: bool
    properties: tuple[str, ...]


@dataclass(frozen=True)
class Type:
    """A type by kind and name; `choices` are the texts that its parameters may have.

    `phy` is the cable that fits an adapter, `slot` the bus that it is made for. `rtl` tells that
    the type is an RTL block; one with a twin is so if its parameter `model` says `rtl`.
    """

    kind: str
    name: str
    title: str
    phy: str = ""
    slot: str = ""
    rtl: bool = False
    linux_driver: LinuxDriver | None = None
    pci_ids: tuple[str, ...] = ()  # of a plug-in's adapter: "1234:4e43"
    platform: PlatformNode | None = None
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


def names(kind: str) -> tuple[str, ...]:
    """Return the names of all types of a kind, in alphabetical order."""
    return tuple(sorted(name for of, name in _all() if of == kind))


def find(kind: str, name: str) -> Type:
    """Return a type; a UsageError names the nearest one."""
    try:
        return _all()[kind, name]
    except KeyError:
        raise UsageError(f"no {kind} {name!r}{did_you_mean(name, names(kind))}") from None


def choices(kind: str, name: str, parameter: str) -> tuple[str, ...]:
    """Return the texts that a parameter of a type may have."""
    return find(kind, name).choices[parameter]


def linux_driver(adapter: str) -> LinuxDriver:
    """Return what is known of an adapter's Linux driver; a UsageError if it has none."""
    driver = find("adapter", adapter).linux_driver
    if driver is None:
        raise UsageError(f"no Linux driver is known for the adapter {adapter!r}")
    return driver


def files() -> Iterator[Path]:
    """Yield the files that describe the tree's types."""
    for folder in FOLDERS:
        yield from sorted((ROOT / folder).rglob(FILE))


@cache
def _all() -> Mapping[tuple[str, str], Type]:
    found = [_read(entry, file) for file in files() for entry in _entries(file)]
    return {(each.kind, each.name): each for each in found}


def _entries(file: Path) -> list[dict[str, Any]]:
    try:
        return json_file.read(file)
    except (OSError, ValueError) as error:
        raise LonghaulError(f"{file}: {error}; ./longhaul types --update makes it again") from None


def _read(entry: Mapping[str, Any], file: Path) -> Type:
    try:
        driver = entry.get("linux_driver")
        return Type(
            kind=entry["kind"],
            name=entry["name"],
            title=entry["title"],
            phy=entry.get("phy", ""),
            slot=entry.get("slot", ""),
            rtl=file.is_relative_to(ROOT / "rtl"),
            linux_driver=LinuxDriver(**driver) if driver else None,
            choices={name: tuple(texts) for name, texts in entry.get("choices", {}).items()},
        )
    except (KeyError, TypeError, AttributeError):
        raise LonghaulError(
            f"{file}: is damaged; ./longhaul types --update makes it again"
        ) from None
