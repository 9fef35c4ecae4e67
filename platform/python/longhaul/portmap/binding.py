# SPDX-License-Identifier: Apache-2.0
"""Which bits of which port each signal of a port map is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Never

from longhaul.nearest import did_you_mean, nearest
from longhaul.portmap import board, streams
from longhaul.portmap.kinds import BOTH_WAYS, FROM_BLOCK, TO_BLOCK, Kind, Signal
from longhaul.portmap.problems import PathOf
from longhaul.portmap.read import MapFile, kind_of
from longhaul.portmap.schema import Interface
from longhaul.portmap.verilated import RtlPort, declared_at

BYTES = ("txd", "rxd")  # of GMII: taken as bytes of their port's storage
_SLICE = re.compile(r"(\w+)(?:\[(\d+)(?::(\d+))?\])?")


@dataclass(frozen=True)
class Bits:
    """Bits [lsb, lsb + width) of a port."""

    port: str
    lsb: int
    width: int


@dataclass
class Binding:
    """Every signal's bits: of clocks, resets and constants by name, of interfaces by signal."""

    clocks: dict[str, Bits] = field(default_factory=dict[str, Bits])
    requests: dict[str, Bits] = field(default_factory=dict[str, Bits])
    resets: dict[str, Bits] = field(default_factory=dict[str, Bits])
    inputs: dict[str, Bits] = field(default_factory=dict[str, Bits])
    constants: dict[str, Bits] = field(default_factory=dict[str, Bits])
    interfaces: dict[str, dict[str, Bits]] = field(default_factory=dict[str, dict[str, Bits]])
    zeros: list[Bits] = field(default_factory=list[Bits])
    """Inputs of interfaces that carry nothing."""


class Binder:
    """Joins a map's signals to a block's ports, and refuses what does not fit in one line."""

    def __init__(
        self, file: MapFile, ports: Mapping[str, RtlPort], sources: Sequence[Path]
    ) -> None:
        self._file = file
        self._ports = ports
        self._sources = sources
        self._taken: dict[str, list[tuple[Bits, str]]] = {}

    def bind(self) -> Binding:
        """Return the binding; a UsageError names the first thing that is wrong."""
        binding = Binding()
        for port in self._ports.values():
            self._check_port(port)
        map_ = self._file.map
        for name, clock in map_.clocks.items():
            where = ("clocks", name)
            binding.clocks[name] = self._one_bit(where, clock.pin or name, "a clock")
            if clock.request:
                place = (*where, "request")
                binding.requests[name] = self._one_bit(
                    place, clock.request, "a request", FROM_BLOCK
                )
        for name, reset in map_.resets.items():
            where = ("resets", name)
            binding.resets[name] = self._one_bit(where, reset.pin or name, "a reset")
        for name, value in map_.constants.items():
            binding.constants[name] = self._value(("constants", name), name, value)
        for name, each in map_.inputs.items():
            where = ("inputs", name)
            bits = self._value(where, each.pin or name, each.value)
            if bits.width > 64:
                has = f"{self._at(bits.port)} has {bits.width} bits"
                self._file.refuse(where, f"{has}; a parameter has 64 at most")
            binding.inputs[name] = bits
        for name, interface in map_.interfaces.items():
            binding.interfaces[name] = self._interface(name, interface)
            if interface.kind == streams.KIND:
                binding.zeros += self._find_error_bit(name, binding.interfaces[name])
        for index, name in enumerate(map_.inouts):
            where = ("inouts", name)
            self._take(where, self._bits(where, name), FROM_BLOCK)
            binding.zeros += self._idle_drivers(where, index, name)
        for name in map_.open:
            bits = self._bits(("open",), name)
            self._take(("open",), bits, FROM_BLOCK)
        self._check_all_taken()
        return binding

    def _value(self, where: PathOf, pin: str, value: int) -> Bits:
        bits = self._bits(where, pin)
        if value < 0 or value >> bits.width:
            self._file.refuse(where, f"{value} does not fit {bits.width} bits")
        self._take(where, bits, TO_BLOCK)
        return bits

    def _check_port(self, port: RtlPort) -> None:
        if port.array:
            self._file.refuse(
                ("block", "top"),
                f"the port {self._at(port.name)} is an unpacked array; make it a packed one",
            )

    def _at(self, port: str) -> str:
        """Return a port's name with its declaration: for messages, as all sources are read."""
        place = declared_at(port, self._sources)
        if place is None:
            return port
        shown = place.source
        if shown.is_relative_to(self._file.folder):
            shown = shown.relative_to(self._file.folder)
        return f"{port} ({shown}:{place.line})"

    def _one_bit(self, where: PathOf, pin: str, what: str, direction: str = TO_BLOCK) -> Bits:
        bits = self._bits(where, pin)
        if bits.width != 1:
            self._file.refuse(where, f"{self._at(bits.port)} has {bits.width} bits; {what} has one")
        self._take(where, bits, direction)
        return bits

    def _bits(self, where: PathOf, text: str) -> Bits:
        match = _SLICE.fullmatch(text)
        if not match:
            self._file.refuse(where, f"{text!r} is no pin; write NAME, NAME[BIT] or NAME[MSB:LSB]")
        name, msb, lsb = match.groups()
        if name not in self._ports:
            self._no_port(where, name)
        width = self._ports[name].width
        if msb is None:
            return Bits(name, 0, width)
        high, low = int(msb), int(lsb if lsb is not None else msb)
        if not low <= high < width:
            self._file.refuse(where, f"{text}: {self._at(name)} has bits {width - 1} to 0")
        return Bits(name, low, high - low + 1)

    def _no_port(self, where: PathOf, name: str) -> Never:
        near = nearest(name, self._ports)
        place = declared_at(near, self._sources) if near else None
        more = f" ({place.source.name}:{place.line})" if place else ""
        hint = did_you_mean(name, self._ports)
        self._file.refuse(where, f"{self._file.map.block.top} has no port {name!r}{hint}{more}")

    def _take(self, where: PathOf, bits: Bits, direction: str) -> None:
        port = self._ports[bits.port]
        place = ".".join(str(part) for part in where)
        if port.direction != direction:
            self._file.refuse(
                where, f"{self._at(port.name)} is an {port.direction}; wants an {direction}"
            )
        for other, owner in self._taken.setdefault(bits.port, []):
            if bits.lsb < other.lsb + other.width and other.lsb < bits.lsb + bits.width:
                self._file.refuse(where, f"{self._at(port.name)} belongs to {owner} already")
        self._taken[bits.port].append((bits, place))

    def _interface(self, name: str, interface: Interface) -> dict[str, Bits]:
        kind = kind_of(self._file, name)
        here = ("interfaces", name)
        found: dict[str, Bits] = {}
        for signal in kind.signals_of(interface.role):
            where = (*here, "pins", signal.name) if signal.name in interface.pins else here
            bits = self._signal(where, interface, signal)
            if bits is None:
                continue
            if signal.direction == BOTH_WAYS:
                found |= self._tri_state(where, signal.name, bits)
            else:
                self._take(where, bits, signal.direction)
                found[signal.name] = bits
        widths = self._check_widths(here, kind, found)
        for width in widths if kind.rate else ():
            self._check_rate(here, kind, interface, width)
        board.check_pins(here, kind.name, found, self._file.refuse)
        for name in BYTES if kind.name == "gmii" else ():
            if name in found and found[name].lsb % 8:
                self._file.refuse(
                    here, f"{name} begins at bit {found[name].lsb}; wants whole bytes"
                )
        return found

    def _tri_state(self, where: PathOf, signal: str, bits: Bits) -> dict[str, Bits]:
        """Return the pins of the wrapper that are a tri-state signal: its level, and its driver."""
        inouts = list(self._file.map.inouts)
        if bits.port not in inouts:
            at = self._at(bits.port)
            self._file.refuse(where, f"{at} is none of [inouts]; {signal} is a tri-state port")
        level, drive = (
            Bits(name, bits.lsb, bits.width) for name in board.driver_ports(inouts.index(bits.port))
        )
        self._take(where, level, TO_BLOCK)
        self._take(where, drive, TO_BLOCK)
        return {f"{signal}_out": bits, f"{signal}_in": level, f"{signal}_drive": drive}

    def _idle_drivers(self, where: PathOf, index: int, name: str) -> list[Bits]:
        """Return the bits of an inout's drivers that no interface has."""
        idle: list[Bits] = []
        for port in board.driver_ports(index):
            for bit in range(self._ports[name].width):
                bits = Bits(port, bit, 1)
                if any(
                    other.lsb <= bit < other.lsb + other.width
                    for other, _ in self._taken.get(port, [])
                ):
                    continue
                self._take(where, bits, TO_BLOCK)
                idle.append(bits)
        return idle

    def _find_error_bit(self, name: str, found: dict[str, Bits]) -> list[Bits]:
        """Make TUSER the bit that marks bad frames; return the other bits of an input."""
        interface = self._file.map.interfaces[name]
        here = ("interfaces", name)
        if found["tdata"].width > 8 and "tkeep" not in found:
            self._file.refuse(here, "wants tkeep: frames have any number of bytes, beats have more")
        user = found.get("tuser")
        if user is None:
            if interface.error_bit:
                self._file.refuse((*here, "error_bit"), "the interface has no tuser")
            return []
        bit = user.lsb + interface.error_bit
        if interface.error_bit >= user.width:
            has = f"{self._at(user.port)} has {user.width} bits"
            self._file.refuse((*here, "error_bit"), f"{has}; there is no bit {interface.error_bit}")
        found["tuser"] = Bits(user.port, bit, 1)
        if self._ports[user.port].direction == FROM_BLOCK:
            return []
        ends = ((user.lsb, bit), (bit + 1, user.lsb + user.width))
        return [
            Bits(user.port, at, min(64, end - at))
            for begin, end in ends
            for at in range(begin, end, 64)
        ]

    def _signal(self, where: PathOf, interface: Interface, signal: Signal) -> Bits | None:
        given = interface.pins.get(signal.name)
        if given:
            return self._bits(where, given)
        if given is not None:
            if not signal.optional:
                self._file.refuse(where, f"{interface.kind} cannot do without {signal.name}")
            return None
        plain = interface.prefix + signal.name
        ending = {TO_BLOCK: "i", FROM_BLOCK: "o", BOTH_WAYS: "io"}[signal.direction]
        for name in (plain, interface.prefix + signal.name.upper(), f"{plain}_{ending}"):
            if name in self._ports and (
                signal.direction != BOTH_WAYS or name in self._file.map.inouts
            ):
                return self._bits(where, name)
        if signal.optional:
            return None
        self._no_port(where, plain)

    def _check_rate(self, here: PathOf, kind: Kind, interface: Interface, width: int) -> None:
        wanted = kind.rate // width
        for key in kind.clocks:
            name = getattr(interface, key)
            clock = self._file.map.clocks[name]
            if clock.hertz() != wanted:
                said = f"{name} has {clock.frequency}; {kind.name} of {width} bits"
                self._file.refuse((*here, key), f"{said} has {wanted / 1e6:g}MHz")

    def _check_widths(self, here: PathOf, kind: Kind, found: Mapping[str, Bits]) -> list[int]:
        """Return the widths that the kind leaves to the block."""
        widths: dict[str, tuple[int, str]] = {}
        for signal in kind.signals:
            bits = found.get(signal.name)
            if bits is None:
                continue
            if isinstance(signal.width, int):
                if bits.width != signal.width:
                    has = f"{self._at(bits.port)} has {bits.width} bits"
                    self._file.refuse(here, f"{has}; {signal.name} has {signal.width}")
                continue
            name, _, part = signal.width.partition("/")
            width = bits.width * int(part or 1)
            allowed = (kind.widths or {}).get(name, ())
            if part == "" and allowed and width not in allowed:
                texts = ", ".join(map(str, allowed)) if len(allowed) < 8 else f"up to {allowed[-1]}"
                has = f"{self._at(bits.port)} has {width} bits"
                self._file.refuse(here, f"{has}; {signal.name} has {texts}")
            known, first = widths.setdefault(name, (width, bits.port))
            if known != width:
                has = f"{self._at(bits.port)} has {bits.width} bits"
                fit = f"the {known} of {self._at(first)}"
                self._file.refuse(here, f"{has}, which does not fit {fit}")
        return [width for width, _ in widths.values()]

    def _check_all_taken(self) -> None:
        for port in self._ports.values():
            parts = self._taken.get(port.name, [])
            if sum(bits.width for bits, _ in parts) == port.width:
                continue
            some = "bits of it are" if parts else "it is"
            if port.direction == TO_BLOCK:
                self._file.refuse(
                    ("block", "top"),
                    f"the input {self._at(port.name)} is open: {some} in no interface, clock, "
                    "reset, constant or input; `constants` can give it a value",
                )
            if not parts:
                self._file.refuse(
                    ("block", "top"),
                    f"the output {self._at(port.name)} goes nowhere: name it in `open` if nobody "
                    "looks at it",
                )
