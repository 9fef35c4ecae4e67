# SPDX-License-Identifier: Apache-2.0
"""What nic.rdl says of each register, as the compiler of SystemRDL has it.

Nothing here shares code with what makes the constants that the RTL is built from.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from systemrdl.compiler import RDLCompiler
from systemrdl.node import FieldNode, RegNode

RTL = Path(__file__).resolve().parents[3] / "rtl"
ONES = 0xFFFF_FFFF


@dataclass(frozen=True)
class Described:
    """A register: bits that hold a write, that hardware sets; masks of its fields, and reset."""

    name: str
    address: int
    kept: int
    made: int
    reset: int
    action: bool
    fields: dict[str, int]

    def bits(self, name: str, word: int) -> int:
        """Return a field's value in a word."""
        mask = self.fields[name]
        return (word & mask) // (mask & -mask)


def _mask(field: FieldNode) -> int:
    return ((1 << field.width) - 1) << field.low


def _described(node: RegNode) -> Described:
    fields = list(node.fields())
    action = bool(node.get_property("action", default=False))
    written = any(each.is_sw_writable for each in fields)
    beyond = ONES & ~sum(_mask(each) for each in fields)
    kept = sum(
        _mask(each)
        for each in fields
        if each.is_sw_writable and each.is_sw_readable and not each.is_hw_writable
    )
    if written and not node.get_property("only_fields", default=False):
        kept |= beyond
    return Described(
        name=node.inst_name,
        address=node.absolute_address,
        kept=0 if action else kept,
        made=sum(_mask(each) for each in fields if each.is_hw_writable),
        reset=sum((each.get_property("reset") or 0) << each.low for each in fields),
        action=action,
        fields={each.inst_name: _mask(each) for each in fields},
    )


def described() -> dict[int, Described]:
    """Return all registers by address."""
    compiler = RDLCompiler()
    compiler.compile_file(str(RTL / "common" / "properties.rdl"))
    compiler.compile_file(str(RTL / "nic" / "nic.rdl"))
    top = compiler.elaborate().top
    nodes = (node for node in top.descendants(unroll=True) if isinstance(node, RegNode))
    return {each.address: each for each in map(_described, nodes)}


BY_ADDRESS = described()
BY_NAME = {each.name: each for each in reversed(BY_ADDRESS.values())}  # the first of a table
