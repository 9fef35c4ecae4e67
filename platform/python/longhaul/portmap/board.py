# SPDX-License-Identifier: Apache-2.0
"""Parts beside a block on its board: EEPROMs, devices of management buses, the bus's mode."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from longhaul.nearest import did_you_mean
from longhaul.portmap import inputs
from longhaul.portmap.board_tables import MAC_WORDS, WORDS, Content, Device, numbered
from longhaul.portmap.problems import PathOf, Problem
from longhaul.portmap.schema import Interface, PortMap

EEPROM, MANAGEMENT, BUS_MODE = "microwire", "mdio", "bus-mode"
KINDS = (EEPROM, MANAGEMENT, BUS_MODE)
OWN = {EEPROM: "mac", BUS_MODE: "bus"}
"""By kind: a parameter that it brings under this name."""
REGISTERS = 32
_COMMENT = re.compile(r"//.*|#.*")
_WORD = re.compile(r"(@)?([0-9a-fA-F]{1,4})")


def problems(map_: PortMap, folder: Path) -> Iterator[Problem]:
    """Yield what is wrong with these parts, the first thing first."""
    for name, interface in map_.interfaces.items():
        here = ("interfaces", name)
        if interface.content is not None:
            if interface.kind == EEPROM:
                yield from _content_problems(map_, (*here, "content"), interface.content, folder)
            else:
                yield (*here, "content"), f"is of the kind {EEPROM}"
        if interface.devices and interface.kind != MANAGEMENT:
            yield (*here, "devices"), f"are of the kind {MANAGEMENT}"
            continue
        if interface.kind == BUS_MODE and map_.pci is None:
            yield here, "is what a slot tells a function of its bus: wants [pci]"
        yield from _device_problems(map_, here, interface)
    yield from _name_problems(map_)


def _content_problems(
    map_: PortMap, here: PathOf, content: Content, folder: Path
) -> Iterator[Problem]:
    try:
        for number in numbered(content.words):
            if number >= WORDS:
                yield (*here, "words"), f"word {number:#x}: the last one is {WORDS - 1:#x}"
    except ValueError as error:
        yield (*here, "words"), str(error)
        return
    if content.file:
        try:
            read_words(folder / content.file)
        except OSError as error:
            yield (*here, "file"), f"{content.file}: {error.strerror}"
        except ValueError as error:
            yield (*here, "file"), f"{content.file}:{error}"
    if content.mac_word is None:
        return
    if map_.box:
        yield (*here, "mac_word"), "a box has no Ethernet address"
    if content.checksum_word in range(content.mac_word, content.mac_word + MAC_WORDS):
        yield (*here, "checksum_word"), f"word {content.checksum_word} is one of the address"


def _device_problems(map_: PortMap, here: PathOf, bus: Interface) -> Iterator[Problem]:
    taken: dict[int, str] = {}
    for name, device in bus.devices.items():
        where = (*here, "devices", name)
        other = taken.setdefault(device.address, name)
        if other != name:
            yield (*where, "address"), f"{device.address} is that of {other}"
        ports = _ports(map_)
        if not device.port and len(ports) > 1:
            yield where, f"wants port: whose carrier it sees, {' or '.join(ports)}"
        if device.port and device.port not in ports:
            near = did_you_mean(device.port, ports)
            yield (*where, "port"), f"there is no port {device.port!r} to the wire{near}"
        try:
            for number in numbered(device.registers):
                if number >= REGISTERS:
                    yield (*where, "registers"), f"register {number}: the last one is 31"
        except ValueError as error:
            yield (*where, "registers"), str(error)


def _name_problems(map_: PortMap) -> Iterator[Problem]:
    """Yield names that parameters of the board would share with others."""
    prefixes: dict[str, PathOf] = {}
    for name, interface in map_.interfaces.items():
        if interface.kind not in KINDS:
            continue
        here = ("interfaces", name)
        own = OWN.get(interface.kind)
        if own in map_.inputs:
            yield ("inputs", own), f"{own} is a parameter of {name}; give it another name"
        named = {name: here} if interface.kind == EEPROM else {}
        named |= {each: (*here, "devices", each) for each in interface.devices}
        for prefix, where in named.items():
            if what := inputs.name_problem(prefix):
                yield where, f"{what}; it begins the names of parameters"
            if prefix in prefixes:
                yield where, f"{prefix} is {'.'.join(map(str, prefixes[prefix]))}, too"
            prefixes[prefix] = where
            for each in (*inputs.PARAMETERS, *map_.inputs):
                if each.startswith(f"{prefix}_"):
                    yield where, f"{prefix} begins the name of the parameter {each}; rename it"


def _ports(map_: PortMap) -> list[str]:
    """Return the ports to the wire."""
    part = map_.pci or map_.platform
    if part is not None:
        return [part.port] if part.port else []
    return list(map_.box.ports.values()) if map_.box else []


def read_words(file: Path) -> dict[int, int]:
    """Return the words of a file by number; a ValueError begins with the line and a colon.

    The format is that of $readmemh (IEEE 1800, 21.4): hexadecimal words, @NUMBER for the next
    word's number, comments from // or # to the line's end.
    """
    found: dict[int, int] = {}
    number = 0
    for line, text in enumerate(file.read_text(errors="replace").splitlines(), 1):
        for piece in _COMMENT.sub("", text).split():
            match = _WORD.fullmatch(piece)
            if not match:
                raise ValueError(f"{line}: {piece!r} is no word: wants up to 4 hexadecimal digits")
            value = int(match[2], 16)
            if match[1]:
                number = value
                continue
            if number >= WORDS:
                raise ValueError(f"{line}: word {number:#x}: the last one is {WORDS - 1:#x}")
            found[number] = value
            number += 1
    return found


def document(map_: PortMap, interface: Interface, folder: Path) -> dict[str, Any]:
    """Return an interface's parts as the simulator reads them."""
    if interface.kind == EEPROM:
        return {"eeprom": _eeprom(interface.content or Content.model_validate({}), folder)}
    if interface.kind == MANAGEMENT:
        return {"devices": [_device(map_, *each) for each in interface.devices.items()]}
    return {}


def _eeprom(content: Content, folder: Path) -> dict[str, Any]:
    words = read_words(folder / content.file) if content.file else {}
    words |= numbered(content.words)
    return {
        "words": [words.get(number, content.fill) for number in range(WORDS)],
        "mac_word": content.mac_word,
        "mac_maker": content.maker(),
        "checksum_word": content.checksum_word,
        "checksum": content.checksum,
    }


def _device(map_: PortMap, name: str, device: Device) -> dict[str, Any]:
    return device.model_dump() | {
        "name": name,
        "port": device.port or _ports(map_)[0],
        "registers": {str(number): value for number, value in numbered(device.registers).items()},
    }


def driver_ports(index: int) -> tuple[str, str]:
    """Return the wrapper's inputs for an inout by number: a level, and whether it drives."""
    return f"longhaul_level_{index}", f"longhaul_drive_{index}"


Refuse = Callable[[PathOf, str], None]


def check_pins(here: PathOf, kind: str, found: dict[str, Any], refuse: Refuse) -> None:
    """Refuse a set of pins with which a part cannot work."""
    if kind == BUS_MODE and not found:
        refuse(here, "has none of its pins: pci66, bus64, pcix, pcix_speed; `pins` names them")
    if kind != MANAGEMENT:
        return
    if "mdio_drive" in found:
        return
    for name in ("mdio_out", "mdio_in"):
        if name not in found:
            refuse(here, f"wants {name}, or mdio if that is one of [inouts]; `pins` names it")
    if "mdio_oe" in found and "mdio_t" in found:
        refuse(here, "has mdio_oe and mdio_t: one of them says whether the block drives")
