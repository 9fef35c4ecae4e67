# SPDX-License-Identifier: Apache-2.0
"""Port maps in words: which pin is what, and what a map may say."""

from __future__ import annotations

import json
import textwrap
import types
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from longhaul.portmap.kinds import KINDS, Kind, Signal
from longhaul.portmap.schema import PortMap, fields_of, table_of


def pins(bound: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each clock, reset, constant and interface, and one for each pin of these."""
    for clock in bound["clocks"]:
        yield f"clock {clock['name']}: {_bits(clock['pin'])}, {clock['hertz']} Hz"
    for reset in bound["resets"]:
        level = "high" if reset["active_high"] else "low"
        yield f"reset: {_bits(reset['pin'])}, active {level} for {reset['clocks']} clocks"
    for constant in bound["constants"]:
        yield f"constant: {_bits(constant['pin'])} = {constant['value']:#x}"
    for each in bound["compiled"]:
        yield f"parameter {each['name']}: {each['value']}, one of {', '.join(each['values'])}"
    for each in bound["inputs"]:
        yield f"parameter {each['name']}: {_bits(each['pin'])} = {each['value']:#x}"
    for interface in bound["interfaces"]:
        role = f", the block is the {interface['role']}" if interface["role"] else ""
        yield f"interface {interface['name']}: {KINDS[interface['kind']].title}{role}"
        for signal, place in interface["pins"].items():
            yield f"  {signal:<10} {_bits(place)}"
        for device in interface.get("devices", ()):
            place = f"at address {device['address']}, with the carrier of {device['port']}"
            yield f"  device {device['name']}: {device['type']} {place}"
    for name, stream in bound["streams"].items():
        fcs = "with" if stream["fcs"] else "without"
        yield (
            f"port {name}: out {stream['transmit']}, in {stream['receive']}, "
            f"{stream['bits_per_s'] / 1e9:g} Gb/s, {fcs} FCS"
        )


def _bits(place: list[Any]) -> str:
    port, lsb, width = place
    if width == 1:
        return f"{port}[{lsb}]" if lsb else str(port)
    return f"{port}[{lsb + width - 1}:{lsb}]"


def schema() -> str:
    """Return the JSON schema of port maps, for editors."""
    return json.dumps(PortMap.model_json_schema(), indent=1)


def reference() -> str:
    """Return all tables of port maps with their keys, and all kinds of interfaces, as Markdown."""
    lines: list[str] = []
    for name, field in fields_of(PortMap).items():
        lines += _table(name, field)
    lines += _kinds()
    for kind in KINDS.values():
        roles = f"; the block is the {_roles(kind)}" if _roles(kind) else ""
        said = f"{kind.title}{roles}. Clocks: {_clocks(kind) or 'none'}."
        lines += [f"### {kind.name}", "", *textwrap.wrap(said, 100)]
        side = f", as a {kind.roles[0]}" if kind.roles != ("",) else ""
        lines += ["", f"| pins of the block{side} | |", "| --- | --- |"]
        for direction in ("input", "output", "inout"):
            if listed := ", ".join(map(_signal, _of(kind.signals, direction))):
                lines.append(f"| {direction}s | {listed} |")
        lines.append("")
    return "\n".join(lines).rstrip()


_NOTATION = """\
Below is a table of signals for each kind. A number in brackets is a signal's width in bits; without
one it has a single bit. A name in brackets, as in `wdata` (data), stands for the width that the RTL
has. Signals with the same name there have the same width, and (data/8) is an eighth of it. The
column of widths says which of them are taken. A question mark is at each optional signal: the block
may lack it."""


def _kinds() -> list[str]:
    """Return the list of all kinds with roles, widths and clocks, and how to read the rest."""
    lines = ["### Kinds of interfaces", "", "| kind | is | the block is the | widths | clocks |"]
    lines.append("| --- | --- | --- | --- | --- |")
    for kind in KINDS.values():
        widths = "; ".join(f"{name}: {_bits_of(of)}" for name, of in (kind.widths or {}).items())
        cells = (f"[{kind.name}](#{kind.name})", kind.title, _roles(kind), widths)
        lines.append(f"| {' | '.join((*cells, _clocks(kind)))} |")
    return [*lines, "", *_NOTATION.splitlines(), ""]


def _clocks(kind: Kind) -> str:
    return ", ".join(kind.clocks) + (f" of {kind.frequencies()}" if kind.hertz else "")


def _roles(kind: Kind) -> str:
    return " or the ".join(filter(None, kind.roles))


def _bits_of(widths: tuple[int, ...]) -> str:
    """Return the widths in words: a range, or each of them."""
    if len(widths) > 2 and widths == tuple(range(widths[0], widths[-1] + 1)):
        return f"{widths[0]} to {widths[-1]}"
    *most, last = map(str, widths)
    return f"{', '.join(most)} or {last}" if most else last


_MANY = {"pci.bars": "NUMBER"}
"""By table: what its tables are called by, if not by names."""


def _table(name: str, field: FieldInfo) -> list[str]:
    """Return a table with its keys, and those that stand in it."""
    model = table_of(field.annotation)
    if model is None:
        return [f"`{name}`: {field.description}", ""]
    many = f".{_MANY.get(name, 'NAME')}" if get_origin(field.annotation) is dict else ""
    lines = [f"### [{name}{many}]", "", "| key | takes | default | |"]
    lines += ["| --- | --- | --- | --- |"]
    for key, each in fields_of(model).items():
        default = "needed" if each.is_required() else f"`{_shown(each.default)}`"
        lines.append(f"| `{key}` | {_takes(each)} | {default} | {each.description} |")
    lines.append("")
    for key, each in fields_of(model).items():
        lines += _table(f"{name}{many}.{key}", each) if table_of(each.annotation) else []
    return lines


def _of(signals: tuple[Signal, ...], direction: str) -> list[Signal]:
    return [each for each in signals if each.direction == direction]


def _signal(signal: Signal) -> str:
    width = "" if signal.width == 1 else f" ({signal.width})"
    return f"`{signal.name}`{width}{'?' if signal.optional else ''}"


def _takes(field: FieldInfo) -> str:
    annotation: Any = field.annotation
    if get_origin(annotation) is Literal:
        return ", ".join(str(each) for each in get_args(annotation) if each != "")
    limits = {type(each).__name__: each for each in field.metadata}
    least = getattr(limits.get("Ge"), "ge", None)
    most = getattr(limits.get("Le"), "le", None)
    name = _type_name(annotation)
    return f"{name}, {least} to {most}" if least is not None and most is not None else name


def _type_name(annotation: Any) -> str:
    origin = get_origin(annotation)
    if origin is tuple:
        of = _type_name(get_args(annotation)[0])
        return f"list of {of.replace(' or ', 's or ')}s"
    if origin is dict:
        return "table"
    if origin is Annotated:
        return _type_name(get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        given = (each for each in get_args(annotation) if each is not types.NoneType)
        return " or ".join(_type_name(each) for each in given)
    if table_of(annotation):
        return "table"
    return {str: "text", int: "number", float: "number", bool: "true or false"}.get(
        annotation, str(annotation)
    )


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if value is None or value in ((), {}):
        return "none"
    return str(value) if value != "" else "none"
