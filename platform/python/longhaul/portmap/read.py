# SPDX-License-Identifier: Apache-2.0
"""Reads a port map, and refuses in one line what cannot be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Never

from pydantic import BaseModel, ValidationError

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.portmap import board, function, inputs, rings, streams, top_parameters
from longhaul.portmap.kinds import KINDS, Kind
from longhaul.portmap.platform_table import Platform, mistakes
from longhaul.portmap.problems import PathOf
from longhaul.portmap.schema import Interface, PortMap, fields_of, table_of
from longhaul.workspace.toml_file import TomlFile

REGISTER_KINDS = ("axi4-lite", "axi4", "apb", "wishbone", "register-bus")
MEMORY_KINDS = ("axi4", "axi4-lite", "wishbone")
BESIDE_KINDS = ("zbt-sram", *board.KINDS)  # nobody has to name them
PORT_KINDS = ("mii", "gmii", "xgmii")


@dataclass(frozen=True)
class MapFile:
    """A port map with its file: `refuse` names the line of what cannot be."""

    document: TomlFile
    map: PortMap

    @property
    def path(self) -> Path:
        """Its place."""
        return self.document.path

    @property
    def folder(self) -> Path:
        """Where the map's paths begin."""
        return self.path.parent

    def refuse(self, where: PathOf, what: str) -> Never:
        """Raise the UsageError for what stands at a place of the map."""
        raise _error(self.document, where, what)


def read(path: Path) -> MapFile:
    """Read a port map; a UsageError names file, line and what would be right."""
    document = TomlFile.load(path)
    try:
        file = MapFile(document, PortMap.model_validate(document.tables))
    except ValidationError as error:
        raise _told(document, error) from None
    _check(file)
    return file


def _error(document: TomlFile, where: PathOf, what: str) -> UsageError:
    place = ".".join(str(part) for part in where)
    line = document.lines.of(where)
    return UsageError(f"{document.path}:{line}: {place + ': ' if place else ''}{what}")


def _told(document: TomlFile, error: ValidationError) -> UsageError:
    """Turn one of Pydantic's errors into a line: a key that is misspelt is also one that lacks."""
    first = min(error.errors(), key=lambda each: each["type"] != "extra_forbidden")
    where: PathOf = [part for part in first["loc"] if part not in ("[key]",)]
    if first["type"] == "extra_forbidden":
        known = _fields_at(where[:-1])
        near = did_you_mean(str(where[-1]), known)
        return _error(document, where, f"there is no such key{near}")
    if first["type"] == "missing":
        return _error(document, where, "is missing")
    return _error(document, where, _plain(first))


def _plain(first: Any) -> str:
    if first["type"] == "string_pattern_mismatch":
        return f"{first['input']!r} is no name: letters, digits and underscores are"
    said = str(first["msg"]).removeprefix("Value error, ").replace("Input should be", "wants")
    said = said.replace("wants a valid string", 'wants a text, in quotes: "125MHz"')
    return f"{first['input']!r}: {said}"


def _fields_at(where: PathOf) -> Iterable[str]:
    """Return the keys that a table of the schema has."""
    model: type[BaseModel] | None = PortMap
    for part in where:
        if model is None or part not in fields_of(model):
            continue  # the name of a clock, reset or interface
        model = table_of(fields_of(model)[str(part)].annotation)
    return list(fields_of(model)) if model else []


def kind_of(file: MapFile, name: str) -> Kind:
    """Return the kind of one of the map's interfaces."""
    return KINDS[file.map.interfaces[name].kind]


def _check(file: MapFile) -> None:
    for name, clock in file.map.clocks.items():
        _quantity(file, ("clocks", name, "frequency"), clock.hertz)
        _quantity(file, ("clocks", name, "phase"), clock.phase_ps)
        if clock.request and not clock.gating:
            file.refuse(("clocks", name, "request"), "is of a clock with gating = true")
        if not clock.hertz():
            file.refuse(("clocks", name, "frequency"), "a clock of 0 Hz never ticks")
        if clock.slot and not file.map.pci:
            file.refuse(("clocks", name, "slot"), "is of a function of the bus: wants [pci]")
    for name, reset in file.map.resets.items():
        _known_clock(file, ("resets", name, "clock"), reset.clock)
    for name, interface in file.map.interfaces.items():
        _check_interface(file, name, interface)
    named = (inputs.problems(file.map), top_parameters.problems(file.map))
    for where, what in (*streams.problems(file.map), *named[0], *named[1]):
        file.refuse(where, what)
    if sum(each is not None for each in (file.map.pci, file.map.platform, file.map.box)) != 1:
        file.refuse(
            (),
            "wants one of the tables [pci], [platform] and [box]: what the block is to the machine",
        )
    if file.map.platform:
        _check_platform(file, file.map.platform)
    if file.map.driver and bool(file.map.driver.folder) != bool(file.map.driver.option):
        file.refuse(("driver",), "folder and option belong together: both, or neither")
    if file.map.pci:
        _check_pci(file)
    if file.map.rings:
        _check_rings(file, file.map.rings)
    if file.map.box:
        _check_box(file)
    for where, what in board.problems(file.map, file.folder):
        file.refuse(where, what)
    if not (file.map.block.sources or file.map.block.file_lists):
        file.refuse(("block",), "wants sources or file_lists")


def _quantity(file: MapFile, where: PathOf, parse: Any) -> None:
    try:
        parse()
    except UsageError as error:
        file.refuse(where[:-1], str(error))


def _known_clock(file: MapFile, where: PathOf, clock: str) -> None:
    if clock not in file.map.clocks:
        file.refuse(where, f"there is no clock {clock!r}{did_you_mean(clock, file.map.clocks)}")


def _check_interface(file: MapFile, name: str, interface: Interface) -> None:
    here = ("interfaces", name)
    if interface.kind not in KINDS:
        near = did_you_mean(interface.kind, KINDS)
        file.refuse((*here, "kind"), f"there is no kind {interface.kind!r}{near}")
    kind = KINDS[interface.kind]
    if interface.role not in kind.roles:
        if kind.roles == ("",):
            file.refuse((*here, "role"), f"{kind.title} has no roles; leave it out")
        file.refuse(
            (*here, "role"),
            f"{kind.title} wants the block's role: {' or '.join(kind.roles)}",
        )
    given = {key: getattr(interface, key) for key in ("clock", "tx_clock", "rx_clock")}
    for key, clock in given.items():
        if key in kind.clocks:
            if not clock:
                file.refuse(here, f"{kind.title} wants {key}")
            _known_clock(file, (*here, key), clock)
        elif clock and kind.clocks:
            file.refuse((*here, key), f"{kind.title} has {' and '.join(kind.clocks)} only")
        elif clock:
            file.refuse((*here, key), f"{kind.name} has no clock; leave it out")
    for key in kind.clocks if kind.hertz else ():
        clock = file.map.clocks[given[key]]
        if clock.hertz() not in kind.hertz:
            said = f"{given[key]} has {clock.frequency}; {kind.title}: {kind.frequencies()}"
            file.refuse((*here, key), said)
    signals = {signal.name for signal in kind.signals}
    for signal in interface.pins:
        if signal not in signals:
            file.refuse(
                (*here, "pins", signal),
                f"{kind.title} has no signal {signal!r}{did_you_mean(signal, signals)}",
            )


def _named(file: MapFile, where: PathOf, name: str, kinds: Sequence[str], role: str) -> None:
    """Refuse the name of an interface that is not there, or cannot do what is wanted of it."""
    if name not in file.map.interfaces:
        near = did_you_mean(name, file.map.interfaces)
        file.refuse(where, f"there is no interface {name!r}{near}")
    interface = file.map.interfaces[name]
    if interface.kind not in kinds:
        file.refuse(where, f"{name} is {interface.kind}; wants one of {', '.join(kinds)}")
    if role and interface.role != role:
        file.refuse(where, f"the block is the {interface.role} of {name}; wants the {role}")


def _named_port(file: MapFile, where: PathOf, name: str) -> None:
    """Refuse the name of a port to the wire that is neither an interface nor two streams."""
    if name in file.map.streams:
        return
    interface = file.map.interfaces.get(name)
    if interface is None:
        near = did_you_mean(name, [*file.map.interfaces, *file.map.streams])
        file.refuse(where, f"there is no interface {name!r}{near}")
    if interface.kind == streams.KIND:
        file.refuse(where, f"{name} is one direction; a table [streams.NAME] joins two to a port")
    _named(file, where, name, PORT_KINDS, "")


def _check_pci(file: MapFile) -> None:
    pci = file.map.pci
    assert pci is not None
    for where, what in function.problems(file.map):
        file.refuse(where, what)
    if pci.bus:
        _named(file, ("pci", "bus"), pci.bus, (function.PIN_KIND,), "")
        clock = file.map.interfaces[pci.bus].clock
        if not any(reset.clock == clock for reset in file.map.resets.values()):
            file.refuse(("pci", "bus"), f"wants a reset of {clock}, which is RST#")
    for number, bar in function.bars(pci).items() if not pci.bus else ():
        where = ("pci", "bars", str(number), "registers") if pci.bars else ("pci", "registers")
        _named(file, where, bar.registers, REGISTER_KINDS, "subordinate")
    if pci.memory:
        _named(file, ("pci", "memory"), pci.memory, MEMORY_KINDS, "manager")
    if pci.interrupts:
        _named(file, ("pci", "interrupts"), pci.interrupts, function.INTERRUPT_KINDS, "")
    if pci.port:
        _named_port(file, ("pci", "port"), pci.port)
    else:
        file.refuse(("pci",), "wants port: the interface to the wire")
    _quantity(file, ("pci", "max_read"), pci.max_read_bytes)
    registers = {bar.registers for bar in function.bars(pci).values()}
    _check_used(file, registers | {pci.memory, pci.interrupts, pci.port, pci.bus})


def _check_rings(file: MapFile, table: rings.Rings) -> None:
    if not file.map.pci:
        file.refuse(("rings",), "is of a function of the bus: wants [pci]")
    _quantity(file, ("rings", "receive", "buffer"), table.receive.buffer_bytes)
    first = next(iter(function.bars(file.map.pci).values()), None)
    for where, what in rings.problems(table, first.bytes() if first else 1 << 32):
        file.refuse(where, what)


def _check_platform(file: MapFile, platform: Platform) -> None:
    here = ("platform",)
    _named(file, (*here, "registers"), platform.registers, REGISTER_KINDS, "subordinate")
    if platform.memory:
        _named(file, (*here, "memory"), platform.memory, MEMORY_KINDS, "manager")
    if platform.interrupts:
        _named(file, (*here, "interrupts"), platform.interrupts, ("interrupt",), "")
        if file.map.interfaces[platform.interrupts].trigger == "edge":
            what = f"{platform.interrupts} has pulses; a platform device's line is a level"
            file.refuse((*here, "interrupts"), what)
    if not platform.port:
        file.refuse(here, "wants port: the interface to the wire")
    _named_port(file, (*here, "port"), platform.port)
    _quantity(file, (*here, "window"), platform.window_bytes)
    for name, region in platform.regions.items():
        _quantity(file, (*here, "regions", name, "size"), region.bytes)
    for place, what in mistakes(platform).items():
        file.refuse((*here, *place.split(".", 1)), what)
    used = {platform.registers, platform.memory, platform.interrupts, platform.port}
    _check_used(file, used)


def _check_box(file: MapFile) -> None:
    box = file.map.box
    assert box is not None
    if len(box.ports) != 2:
        file.refuse(("box", "ports"), f"a box has two ports, not {len(box.ports)}")
    for port, name in box.ports.items():
        _named_port(file, ("box", "ports", port), name)
    _check_used(file, set(box.ports.values()))


def _check_used(file: MapFile, used: set[str]) -> None:
    table = "pci" if file.map.pci else "platform" if file.map.platform else "box"
    for name in file.map.streams:
        if name not in used:
            file.refuse(("streams", name), f"nothing uses it; [{table}] does not name it")
    used |= streams.interfaces(file.map)
    for name, interface in file.map.interfaces.items():
        if name not in used and interface.kind not in BESIDE_KINDS:
            file.refuse(("interfaces", name), f"nothing uses it; [{table}] does not name it")
