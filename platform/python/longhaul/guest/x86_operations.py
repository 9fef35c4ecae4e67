# SPDX-License-Identifier: Apache-2.0
"""What one x86-64 instruction, as objdump prints it in AT&T form, is made of.

Instructions fall apart into operations of a few classes, which a modelled core knows the cost of
(`models/cpu/pipeline.h`): an addition to memory is a load, an operation and a store.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

CLASSES = (
    "simple",  # one integer operation between registers
    "load",
    "store",
    "branch",  # conditional
    "jump",  # direct
    "call",  # direct calls and returns
    "indirect",  # calls and jumps through a register or memory
    "shift_double",  # bit scans, double shifts, rotates through carry: microcoded on most cores
    "multiply",
    "divide",
    "locked",  # locked read-modify-write
    "serialising",  # cpuid, rdtsc, fences
    "string",  # rep movs, stos, scas
    "vector",  # SSE, x87
    "interrupt_flag",  # save, disable, restore of the interrupt flag: functions under UML
    "opaque_call",  # a function whose blocks are not counted (memcpy and the like)
)
INDEX = {name: i for i, name in enumerate(CLASSES)}
_TARGET = re.compile(r"^([0-9a-f]+) <([^+>]+)(?:\+0x[0-9a-f]+)?>")
_PREFIXES = {
    "lock",
    "rep",
    "repz",
    "repnz",
    "notrack",
    "bnd",
    "data16",
    "cs",
    "ds",
    "es",
    "xacquire",
}
_SERIALISING = {
    "cpuid",
    "rdtsc",
    "rdtscp",
    "mfence",
    "lfence",
    "sfence",
    "pause",
    "hlt",
    "in",
    "out",
}
_SHIFT_DOUBLE = re.compile(
    r"^(bsf|bsr|shld|shrd|rcl|rcr|bt[rsc]|tzcnt|lzcnt|popcnt|leave|enter|sahf|lahf)"
)
_VECTOR = re.compile(r"%[xyz]mm|%st\b|%mm[0-7]")
NO_OPERATION = re.compile(r"^(nop|endbr|data16|xchg +%ax,%ax)")
_MEMORY = re.compile(r"\(|%[gf]s:|^0x|,0x")
_COMPARE = re.compile(r"^(cmp|test|bt[lqw]?$)")


@dataclass(slots=True)
class Instruction:
    """One instruction: which classes it counts for, and where control goes."""

    classes: tuple[int, ...]
    target: int = -1
    """Address of a direct jump or call."""
    callee: str = ""
    kind: str = ""
    """"" (goes on), "call", "jump" (leaves for target), "branch" (may leave), "end" or "site"."""


def classify(mnemonic: str, operands: str) -> Instruction:
    """Return what an instruction, as objdump prints it in AT&T form, consists of."""
    prefix = ""
    while mnemonic in _PREFIXES and operands:
        prefix += mnemonic + " "
        mnemonic, _, operands = operands.partition(" ")
        operands = operands.strip()
    operands = operands.split("#")[0].strip()
    if mnemonic.startswith("call"):
        return _transfer(operands, "call")
    if mnemonic.startswith("jmp"):
        return _transfer(operands, "jump")
    if mnemonic.startswith("ret") or mnemonic == "iretq":
        return Instruction((INDEX["call"], INDEX["load"]), kind="end")
    if mnemonic in ("ud2", "ud2a", "ud1", "int3", "(bad)"):
        return Instruction((), kind="end")
    if mnemonic.startswith("j"):
        target = _TARGET.match(operands)
        at = int(target[1], 16) if target else -1
        return Instruction((INDEX["branch"],), target=at, kind="branch")
    if NO_OPERATION.match(mnemonic) or (mnemonic == "xchg" and operands == "%ax,%ax"):
        return Instruction(())
    return Instruction(tuple(INDEX[name] for name in _operations(prefix, mnemonic, operands)))


def _transfer(operands: str, kind: str) -> Instruction:
    target = _TARGET.match(operands)
    pushed = (INDEX["store"],) if kind == "call" else ()
    if not target:
        loads = (INDEX["load"],) if "(" in operands else ()
        end = "call" if kind == "call" else "end"
        return Instruction((INDEX["indirect"], *loads, *pushed), kind=end)
    own = INDEX["call"] if kind == "call" else INDEX["jump"]
    return Instruction((own, *pushed), target=int(target[1], 16), callee=target[2], kind=kind)


def _operations(prefix: str, mnemonic: str, operands: str) -> list[str]:
    """Return the micro-operations of an instruction that neither jumps nor calls."""
    if (
        "rep" in prefix
        or mnemonic.startswith(("movs", "stos", "scas", "cmps", "lods"))
        and "%es:" in operands
    ):
        return ["string"]
    if "lock" in prefix or (mnemonic.startswith("xchg") and "(" in operands):
        return ["locked"]
    if mnemonic in _SERIALISING:
        return ["serialising"]
    memory = _MEMORY.search(operands) is not None
    to_memory = memory and not operands.endswith(_REGISTERS)
    if mnemonic.startswith("lea") and mnemonic != "leave":
        return ["simple"]
    if mnemonic.startswith("push"):
        return ["store", "load"] if memory else ["store"]
    if mnemonic.startswith("pop") and not mnemonic.startswith("popcnt"):
        return ["load", "store"] if memory else ["load"]
    work = ["simple"]
    if mnemonic.startswith(("idiv", "div")) and not _VECTOR.search(operands):
        work = ["divide"]
    elif mnemonic.startswith(("imul", "mul")) and not _VECTOR.search(operands):
        work = ["multiply"]
    elif _SHIFT_DOUBLE.match(mnemonic):
        work = ["shift_double"]
    elif _VECTOR.search(operands):
        work = ["vector"]
    elif mnemonic.startswith(("mov", "cmov")) and memory:
        work = ["simple"] if mnemonic.startswith("cmov") else []
    if mnemonic == "leave":
        return [*work, "load"]
    if not memory:
        return work
    if _COMPARE.match(mnemonic) or not to_memory:
        return ["load", *work]
    if mnemonic.startswith(("mov", "set")):
        return ["store", *work]
    return ["load", *work, "store"]


def _register_names() -> tuple[str, ...]:
    wide = ("ax", "bx", "cx", "dx", "si", "di", "bp", "sp")
    names = [f"%{prefix}{name}" for name in wide for prefix in ("", "e", "r")]
    low = ("al", "bl", "cl", "dl", "ah", "bh", "ch", "dh", "sil", "dil", "bpl", "spl")
    names += [f"%{name}" for name in low]
    names += [f"%r{n}{size}" for n in range(8, 16) for size in ("", "d", "w", "b")]
    return tuple(names)


_REGISTERS = _register_names()
