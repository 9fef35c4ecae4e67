# SPDX-License-Identifier: Apache-2.0
"""The keys beside the map in a description of an adapter's registers, for its TLM model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from systemrdl.node import AddrmapNode, FieldNode, RegNode

from longhaul.paths import ROOT
from longhaul.registers.names import camel, plain


@dataclass(frozen=True)
class ModelField:
    """A field as the model has it; `shared` with the maker's other adapters.

    `title` is its name for people, `name` that of the description.
    """

    title: str
    name: str
    lsb: int
    width: int
    meaning: str
    shared: bool
    without_effect: bool


@dataclass(frozen=True)
class FieldSet:
    """The fields of a register, or of several with the same ones.

    `shared_name` is the set of those that are shared. Sets are named RingLength, Ctrl0.
    """

    name: str
    shared_name: str
    fields: tuple[ModelField, ...]

    @property
    def shared(self) -> tuple[ModelField, ...]:
        """Return the fields that are shared."""
        return tuple(each for each in self.fields if each.shared)

    @property
    def own(self) -> tuple[ModelField, ...]:
        """Return the fields that are not."""
        return tuple(each for each in self.fields if not each.shared)


@dataclass(frozen=True)
class ModelRegister:
    """A register as the model has it. `set_name` is empty for a register that is one number."""

    set_name: str
    action: bool
    only_fields: bool


@dataclass(frozen=True)
class Adapter:
    """Where the model's files go, and what they hold by name of set and of register."""

    header: Path
    namespace: str
    shared_header: Path
    shared_namespace: str
    sets: Mapping[str, FieldSet]
    registers: Mapping[str, ModelRegister]

    def without_effect(self, register: str) -> set[str]:
        """Return the fields of a register that have no effect in the model."""
        found = self.sets.get(self.registers[register].set_name)
        fields = () if found is None else found.fields
        return {each.name for each in fields if each.without_effect}


def of(top: AddrmapNode) -> Adapter:
    """Return what a description says of the model; ValueError if two registers disagree."""
    sets: dict[str, FieldSet] = {}
    registers: dict[str, ModelRegister] = {}
    for node in top.descendants():
        if not isinstance(node, RegNode):
            continue
        found = _set(node)
        if found is not None and sets.setdefault(found.name, found) != found:
            raise ValueError(f"{node.inst_name}: its fields are not those of {found.name}")
        registers[node.inst_name] = ModelRegister(
            "" if found is None else found.name,
            bool(node.get_property("action", default=False)),
            bool(node.get_property("only_fields", default=False)),
        )
    return Adapter(
        ROOT / str(top.get_property("model_header")),
        str(top.get_property("model_namespace")),
        ROOT / str(top.get_property("shared_header")),
        str(top.get_property("shared_namespace")),
        sets,
        registers,
    )


def _set(node: RegNode) -> FieldSet | None:
    fields = tuple(_field(each) for each in node.fields())
    if plain([each.name for each in fields]):
        return None
    name = node.get_property("field_set", default=None) or camel(node.inst_name)
    return FieldSet(str(name), str(node.get_property("shared_set", default=None) or name), fields)


def _field(node: FieldNode) -> ModelField:
    return ModelField(
        str(node.get_property("name")),
        node.inst_name,
        node.lsb,
        node.width,
        " ".join(str(node.get_property("desc", default="") or "").split()),
        bool(node.get_property("is_shared", default=False)),
        bool(node.get_property("without_effect", default=False)),
    )
