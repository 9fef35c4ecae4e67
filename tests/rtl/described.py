# SPDX-License-Identifier: Apache-2.0
"""What gnet1.rdl says of each register, as the compiler of SystemRDL has it.

Nothing here shares code with what makes the constants that the box is built from.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from systemrdl.compiler import RDLCompiler
from systemrdl.node import FieldNode, RegNode
from systemrdl.rdltypes import OnWriteType

RTL = Path(__file__).resolve().parents[2] / "rtl"
DEPTH_LOG2 = 6  # of the sampler in the test benches
SIZE = 0x1000  # of the bus, which has 12 bits of address
ONES = 0xFFFF_FFFF
ARM, CANCEL = 1, 2  # of DISCARD_CTRL


@dataclass(frozen=True)
class Described:
    """A register: bits that can be read, that hold a write, that hardware sets; its reset value."""

    name: str
    address: int
    fields: int
    shown: int
    kept: int
    made: int
    reset: int | None
    most: int

    @property
    def kind(self) -> str:
        """Return the name without the port."""
        return self.name.rpartition(".")[2]

    def after(self, word: int, before: int) -> int:
        """Return what is read once `word` has been written."""
        kept = min(word & self.kept, self.most)
        if self.kind == "DISCARD_CTRL" and word & (ARM | CANCEL):
            return kept | bool(word & ARM)
        return kept | before & self.shown & ~self.kept


def _bits(fields: list[FieldNode]) -> int:
    return sum({((1 << each.width) - 1) << each.low for each in fields})


def _reset(fields: list[FieldNode]) -> int | None:
    values = [(each.get_property("reset"), each.low) for each in fields if each.is_sw_readable]
    if any(value is None for value, _ in values):
        return None
    return sum(value << low for value, low in values)


def described() -> dict[int, Described]:
    """Return all registers by address."""
    compiler = RDLCompiler()
    compiler.compile_file(str(RTL / "common" / "properties.rdl"))
    compiler.compile_file(str(RTL / "gnet1" / "gnet1.rdl"))
    top = compiler.elaborate(parameters={"SAMPLE_DEPTH_LOG2": DEPTH_LOG2}).top
    found: dict[int, Described] = {}
    for node in top.descendants(unroll=True):
        if not isinstance(node, RegNode):
            continue
        fields = list(node.fields())
        held = [
            each
            for each in fields
            if each.is_sw_readable
            and each.is_sw_writable
            and each.get_property("onwrite") is not OnWriteType.wclr
        ]
        found[node.absolute_address] = Described(
            name=node.get_rel_path(top),
            address=node.absolute_address,
            fields=len(fields),
            shown=_bits([each for each in fields if each.is_sw_readable]),
            kept=_bits(held),
            made=_bits([each for each in fields if each.is_sw_readable and each.is_hw_writable]),
            reset=_reset(fields),
            most=node.get_property("most", default=ONES),
        )
    return found
