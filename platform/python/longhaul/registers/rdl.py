# SPDX-License-Identifier: Apache-2.0
"""From a SystemRDL file to a register map; needs systemrdl-compiler."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from systemrdl.compiler import RDLCompiler
from systemrdl.messages import MessagePrinter, RDLCompileError, Severity
from systemrdl.node import AddrmapNode, FieldNode, Node, RegfileNode, RegNode
from systemrdl.rdltypes.builtin_enums import OnReadType, OnWriteType
from systemrdl.source_ref import DetailedFileSourceRef, SourceRefBase

from longhaul.errors import LonghaulError
from longhaul.paths import ROOT
from longhaul.registers import adapter
from longhaul.registers.adapter import Adapter
from longhaul.registers.description import AccessRule, Block, Field, Register, RegisterMap

PROPERTIES = ROOT / "rtl" / "common" / "properties.rdl"
BOX = "box"  # the kind of the block that has the box's own registers
_RULES: dict[str, AccessRule] = {"rw": "RW", "r": "RO", "w": "WO"}


@dataclass(frozen=True)
class Choice:
    """A name for a value of a field, and what it stands for."""

    name: str
    value: int
    description: str


@dataclass(frozen=True)
class Compiled:
    """A map, and what only generated files need."""

    described: RegisterMap
    enums: dict[str, tuple[Choice, ...]]  # of fields, by the name of their type
    cpp_header: Path | None = None  # of a box
    cpp_namespace: str = ""
    adapter: Adapter | None = None

    def places(self, kind: str) -> tuple[list[int], int]:
        """Return the addresses of a kind's blocks, and how far they are apart."""
        bases = [each.address for each in self.described.blocks if each.kind == kind]
        stride = bases[1] - bases[0] if len(bases) > 1 else 0
        return bases, stride

    def resets(self, kind: str, register: Register) -> list[int]:
        """Return a register's reset value in each block of its kind; none if no reset sets it."""
        if register.reset is None:
            return []
        blocks = [each for each in self.described.blocks if each.kind == kind]
        return [each.resets.get(register.name, register.reset) for each in blocks]

    @property
    def offset_bits(self) -> int:
        """Return how many bits tell the registers of a block apart."""
        registers = [each for kind in self.described.kinds.values() for each in kind]
        return max(each.address for each in registers).bit_length()


class _Told(MessagePrinter):
    """Keeps what the compiler has to say."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def print_message(self, severity: Severity, text: str, src_ref: SourceRefBase | None) -> None:
        """Keep an error or warning with its place."""
        place = ""
        if isinstance(src_ref, DetailedFileSourceRef):
            place = f"{src_ref.path}:{src_ref.line}: "
        self.lines.append(f"{place}{text}")


def compile_file(path: Path) -> Compiled:
    """Compile one file; LonghaulError with the compiler's own words if it is wrong."""
    told = _Told()
    compiler = RDLCompiler(message_printer=told)
    try:
        compiler.compile_file(str(PROPERTIES))
        compiler.compile_file(str(path))
        top = compiler.elaborate().top  # pyright: ignore[reportUnknownMemberType]
    except RDLCompileError:
        raise LonghaulError(
            "\n".join([f"{path}: is refused by the compiler", *told.lines])
        ) from None
    try:
        compiled = _compiled(top)
        _check(compiled)
    except ValueError as wrong:
        raise LonghaulError(f"{path}: {wrong}") from None
    return compiled


def _compiled(top: AddrmapNode) -> Compiled:
    kinds = {BOX: tuple(_register(node) for node in top.registers())}
    blocks = [Block("", BOX, 0)]
    for node in top.children(unroll=True):
        if not isinstance(node, RegfileNode):
            continue
        registers = tuple(_register(each) for each in node.registers())
        kind = node.orig_type_name or node.inst_name
        first = kinds.setdefault(kind, registers)
        resets = {
            here.name: here.reset
            for here, there in zip(registers, first, strict=True)
            if here.reset is not None and here.reset != there.reset
        }
        name = node.get_path_segment(array_suffix="{index:d}")
        blocks.append(Block(name, kind, node.absolute_address, resets))
    described = RegisterMap(
        name=top.inst_name,
        title=_text(top, "name"),
        size=top.get_property("map_bytes"),
        blocks=tuple(blocks),
        kinds=kinds,
    )
    if top.get_property("model_header", default=None) is not None:
        return Compiled(described, _enums(top), adapter=adapter.of(top))
    header = ROOT / _text(top, "cpp_header")
    return Compiled(described, _enums(top), header, _text(top, "cpp_namespace"))


def _register(node: RegNode) -> Register:
    fields = tuple(_field(each) for each in node.fields())
    return Register(
        name=node.inst_name,
        address=node.address_offset,
        access=_access(node, fields),
        description=_text(node, "desc"),
        fields=fields,
        reset=_reset(node),
        least=node.get_property("least", default=0),
        most_given=node.get_property("most", default=None),
        reset_text=_text(node, "reset_text"),
        counter=bool(node.get_property("is_counter", default=False)),
        since_read=[each.get_property("onread") for each in node.fields()] == [OnReadType.rclr],
    )


def _field(node: FieldNode) -> Field:
    choices = node.get_property("encode")
    return Field(
        name=node.inst_name,
        lsb=node.lsb,
        width=node.width,
        access=node.get_property("sw").name,
        description=_text(node, "desc"),
        unit=_text(node, "unit"),
        values={} if choices is None else {each.name: each.value for each in choices},
    )


def _access(node: RegNode, fields: Sequence[Field]) -> AccessRule:
    if any(each.get_property("onwrite") is OnWriteType.wclr for each in node.fields()):
        return "RC"
    both = "".join(letter for letter in "rw" if any(letter in each.access for each in fields))
    return _RULES[both]


def _reset(node: RegNode) -> int | None:
    """Return the word that reads after reset, if a reset sets all that can be read."""
    word = 0
    for each in node.fields():
        if each.is_sw_readable:
            value = each.get_property("reset")
            if not isinstance(value, int):
                return None
            word |= value << each.lsb
    return word


def _enums(top: AddrmapNode) -> dict[str, tuple[Choice, ...]]:
    found: dict[str, tuple[Choice, ...]] = {}
    for node in top.descendants(unroll=True):
        choices = node.get_property("encode") if isinstance(node, FieldNode) else None
        if choices is not None:
            found[choices.type_name] = tuple(
                Choice(each.name, each.value, " ".join((each.rdl_desc or "").split()))
                for each in choices
            )
    return found


def _text(node: Node, name: str) -> str:
    """Return a text without its line breaks; empty if there is none."""
    return " ".join(str(node.get_property(name, default="") or "").split())


def _check(compiled: Compiled) -> None:
    """Refuse what generated files could not say."""
    described = compiled.described
    names = [each.name for registers in described.kinds.values() for each in registers]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two kinds of blocks have a register {name}; names must differ")
    for kind, registers in described.kinds.items():
        bases = [each.address for each in described.blocks if each.kind == kind]
        if len({there - here for here, there in pairwise(bases)}) > 1:
            raise ValueError(f"the blocks of a {kind} do not lie at equal distances")
        for each in registers:
            if not each.description:
                raise ValueError(f"{each.name} has no desc")
            several = len(each.fields) > 1 and each.unit != "time"
            silent = compiled.adapter.without_effect(each.name) if compiled.adapter else ()
            for part in each.fields:
                if several and not part.description and part.name not in silent:
                    raise ValueError(f"{each.name}.{part.name} has no desc")
        places = [each.address for each in registers if each.counter]
        if places != list(range(places[0], places[0] + 4 * len(places), 4) if places else []):
            raise ValueError("counters are not in consecutive registers")
