# SPDX-License-Identifier: Apache-2.0
"""The device tree of a guest with platform devices, made by the dtc of its kernel's own sources.

That dtc is built with every kernel that has CONFIG_OF, so no other package is needed and tree and
kernel are of one version. The windows are those of models/hostbus/address_map.h.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from longhaul.guest import kernel
from longhaul.guest.software import GuestSoftware
from longhaul.types.catalog import PlatformNode

OPTION = "OF=y"
"""What the kernel of such a guest needs."""

FILE = "devices.dtb"
"""In the guest's folder of a run, beside its source."""

WINDOWS, WINDOW, NUMBERS, FIRST_LINE = 0xE000_0000, 0x100_0000, 8, 16
_COMPILER = Path("source/scripts/dtc/dtc")  # beside the kernel


@dataclass(frozen=True)
class Device:
    """A platform device: its number among those of the machine, its node, its MAC address."""

    number: int
    node: PlatformNode
    station: bytes

    @property
    def begin(self) -> int:
        """Where its window begins."""
        return WINDOWS + self.number * WINDOW

    @property
    def name(self) -> str:
        """Linux's name of it in /sys/bus/platform/devices."""
        return f"{self.begin + self.node.regions[0].offset:x}.{self.node.node}"


def station(machine: int, adapter: int) -> bytes:
    """Return a MAC address of the n-th adapter of the m-th machine, locally administered."""
    return bytes((0x02, 0x4C, 0x48, 0x00, machine & 0xFF, adapter & 0xFF))


def software(devices: Sequence[Device]) -> GuestSoftware:
    """Return what a guest with these devices needs: a kernel that reads device trees."""
    return GuestSoftware(kernel_config=(OPTION,) if devices else ())


def source(devices: Iterable[Device]) -> str:
    """Return the tree's source."""
    nodes = "".join(f"\n{_node(device)}" for device in devices)
    return f"""/dts-v1/;

/ {{
\t#address-cells = <1>;
\t#size-cells = <1>;
\tcompatible = "longhaul,pc";
\tinterrupt-parent = <&lines>;

\tchosen {{
\t}};

\tlines: interrupt-controller {{
\t\tcompatible = "longhaul,interrupts";
\t\tinterrupt-controller;
\t\t#interrupt-cells = <1>;
\t\tlonghaul,window = <{WINDOWS:#x} {WINDOW * NUMBERS:#x}>;
\t\tlonghaul,lines = <{FIRST_LINE} {NUMBERS}>;
\t}};
{nodes}}};
"""


def _node(device: Device) -> str:
    node = device.node
    places = [f"<{device.begin + each.offset:#x} {each.bytes:#x}>" for each in node.regions]
    lines = [f"compatible = {_texts(node.compatible)}", f"reg = {', '.join(places)}"]
    if any(each.name for each in node.regions):
        lines.append(f"reg-names = {_texts([each.name for each in node.regions])}")
    if node.interrupt:
        lines.append(f"interrupts = <{FIRST_LINE + device.number}>")
    if not any(text.startswith("local-mac-address") for text in node.properties):
        lines.append(f"local-mac-address = [{device.station.hex(' ')}]")
    body = "".join(f"\t\t{line};\n" for line in [*lines, *node.properties])
    begin = device.begin + node.regions[0].offset
    return f"\t{node.node}@{begin:x} {{\n{body}\t}};\n"


def _texts(texts: Sequence[str]) -> str:
    return ", ".join(json.dumps(text) for text in texts)


def write(folder: Path, info: kernel.KernelInfo, devices: Sequence[Device]) -> None:
    """Write a guest's tree and its source into its folder."""
    place = folder / FILE
    text = place.with_suffix(".dts")
    text.write_text(source(devices))
    compiler = info.path.parent / _COMPILER
    kernel.run([str(compiler), "-q", "-I", "dts", "-O", "dtb", "-o", str(place), str(text)])
