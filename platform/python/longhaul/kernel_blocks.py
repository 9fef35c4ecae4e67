# SPDX-License-Identifier: Apache-2.0
"""Reads the built kernel's disassembly and says what each basic block consists of.

Every basic block of the guest's kernel begins with a call of the coverage hook; the call's return
address names the block. The block's instructions are those from there to the next hook, along
unconditional jumps. They are counted by class; what a class costs is the modelled core's business
(`models/cpu/pipeline.h`), so one file serves all cores.

The hook counts a block in the entry of its cell of `CELL_BYTES` of text, so that what is executed
together lies in few cache lines. Blocks of one cell are told apart by their planes: `spread` makes
the second block of a cell call a hook that counts in the second plane, and so on.

File `blocks.bin`, little endian: the magic "LHBLOCK2", u64 first text address, u64 end of text, u32
number of blocks, u32 number of classes, then for each block u32 offset of its return address from
the first text address, u8 plane, and a u8 count per class (255 at most), in the order of `CLASSES`.
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from longhaul import elf

MAGIC = b"LHBLOCK2"
HOOK = "__sanitizer_cov_trace_pc"
"""What the compiler calls: the hook of the first plane."""
HOOKS = (HOOK, "longhaul_trace_pc_1", "longhaul_trace_pc_2", "longhaul_trace_pc_3")
"""The hooks by plane (`sw/linux/um/longhaul_blocks.c`)."""
CELL_BYTES = 16
_CALL_BYTES = 5  # opcode 0xe8, distance: four hooks at most return into a cell
_NOP = bytes.fromhex("0f1f440000")  # as long (Intel SDM volume 2, NOP)
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
    "opaque_call",  # a function without hooks (memcpy and the like)
)
_INDEX = {name: i for i, name in enumerate(CLASSES)}
_LONGEST_BLOCK = 400  # instructions; a straight stretch longer than that is cut

_LINE = re.compile(r"^ *([0-9a-f]+):\t(\S+)(?: +(.*))?$")
_SYMBOL = re.compile(r"^([0-9a-f]+) <(.+)>:$")
_TARGET = re.compile(r"^([0-9a-f]+) <([^+>]+)(?:\+0x[0-9a-f]+)?>")
_IRQ_FLAG = {
    "get_signals",
    "set_signals",
    "set_signals_trace",
    "block_signals",
    "unblock_signals",
    "block_signals_trace",
    "unblock_signals_trace",
    "um_set_signals",
    "um_set_signals_trace",
}
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
_NO_OPERATION = re.compile(r"^(nop|endbr|data16|xchg +%ax,%ax)")
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
    """"" (goes on), "call", "jump" (leaves for target), "branch" (may leave) or "end"."""


@dataclass
class Function:
    """A stretch of text from one symbol to the next."""

    name: str
    addresses: list[int] = field(default_factory=list[int])
    instructions: list[Instruction] = field(default_factory=list[Instruction])


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
        return Instruction((_INDEX["call"], _INDEX["load"]), kind="end")
    if mnemonic in ("ud2", "ud2a", "ud1", "int3", "(bad)"):
        return Instruction((), kind="end")
    if mnemonic.startswith("j"):
        target = _TARGET.match(operands)
        at = int(target[1], 16) if target else -1
        return Instruction((_INDEX["branch"],), target=at, kind="branch")
    if _NO_OPERATION.match(mnemonic) or (mnemonic == "xchg" and operands == "%ax,%ax"):
        return Instruction(())
    return Instruction(tuple(_INDEX[name] for name in _operations(prefix, mnemonic, operands)))


def _transfer(operands: str, kind: str) -> Instruction:
    target = _TARGET.match(operands)
    pushed = (_INDEX["store"],) if kind == "call" else ()
    if not target:
        loads = (_INDEX["load"],) if "(" in operands else ()
        end = "call" if kind == "call" else "end"
        return Instruction((_INDEX["indirect"], *loads, *pushed), kind=end)
    own = _INDEX["call"] if kind == "call" else _INDEX["jump"]
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


def functions(lines: Iterator[str]) -> Iterator[Function]:
    """Parse `objdump -d --no-show-raw-insn`."""
    known: dict[tuple[str, str], Instruction] = {}
    current = Function("")
    for line in lines:
        found = _LINE.match(line)
        if not found:
            symbol = _SYMBOL.match(line)
            if symbol:
                if current.addresses:
                    yield current
                current = Function(symbol[2])
            continue
        address, mnemonic, operands = found.groups()
        key = (mnemonic, operands or "")
        instruction = known.get(key)
        if instruction is None:
            instruction = known[key] = classify(*key)
        current.addresses.append(int(address, 16))
        current.instructions.append(instruction)
    if current.addresses:
        yield current


class Text:
    """The kernel's text: all instructions in order of address."""

    def __init__(self, listing: Iterator[str]) -> None:
        self.addresses: list[int] = []
        self.instructions: list[Instruction] = []
        self.starts: dict[int, str] = {}
        hooked: set[str] = set()
        for function in functions(listing):
            self.starts[function.addresses[0]] = function.name
            self.addresses += function.addresses
            self.instructions += function.instructions
            if any(i.callee in HOOKS for i in function.instructions):
                hooked.add(function.name)
        self.hooked = hooked
        self.at = {address: i for i, address in enumerate(self.addresses)}

    def hooks(self) -> Iterator[tuple[int, int]]:
        """Yield each block's name (its hook's return address) and its plane, by address."""
        for i, instruction in enumerate(self.instructions[:-1]):
            if instruction.callee in HOOKS and instruction.kind == "call":
                yield self.addresses[i + 1], HOOKS.index(instruction.callee)

    def blocks(self) -> Iterator[tuple[int, list[int]]]:
        """Yield each block's name and its counts by class."""
        prologue: list[int] = [0] * len(CLASSES)
        straight = False
        for i, instruction in enumerate(self.instructions):
            if self.addresses[i] in self.starts:
                prologue = [0] * len(CLASSES)
                straight = True
            if instruction.callee in HOOKS and instruction.kind == "call":
                counts = self._count(i + 1)
                if straight:  # what a function does before its first hook
                    counts = [a + b for a, b in zip(counts, prologue, strict=True)]
                    straight = False
                if i + 1 < len(self.addresses):
                    yield self.addresses[i + 1], [min(n, 255) for n in counts]
            elif straight:
                self._add(prologue, instruction)
                straight = not instruction.kind

    def _add(self, counts: list[int], instruction: Instruction) -> None:
        if instruction.callee in _IRQ_FLAG:
            counts[_INDEX["interrupt_flag"]] += 1
            return
        for index in instruction.classes:
            counts[index] += 1
        if (
            instruction.kind == "call"
            and instruction.callee
            and instruction.callee not in self.hooked
        ):
            counts[_INDEX["opaque_call"]] += 1

    def _count(self, i: int) -> list[int]:
        """Count from instruction `i` to the next hook, along direct jumps inside a function."""
        counts = [0] * len(CLASSES)
        for _ in range(_LONGEST_BLOCK):
            if i >= len(self.instructions):
                break
            instruction = self.instructions[i]
            if instruction.callee in HOOKS:
                break
            self._add(counts, instruction)
            if instruction.kind == "end":
                break
            if instruction.kind == "jump":
                # A tail call goes on with the other function's own first block.
                if instruction.target in self.starts or instruction.target not in self.at:
                    break
                i = self.at[instruction.target]
            else:
                i += 1
                if i < len(self.addresses) and self.addresses[i] in self.starts:
                    break
        return counts


def _disassembled(kernel: Path) -> Text:
    command = ["objdump", "-d", "--no-show-raw-insn", str(kernel)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as objdump:
        assert objdump.stdout
        text = Text(objdump.stdout)
    if objdump.returncode:
        raise OSError(f"'{' '.join(command)}' failed ({objdump.returncode})")
    if not any(text.hooks()):
        raise ValueError(f"{kernel}: no basic block calls {HOOK}: it was built without the hook")
    return text


def spread(kernel: Path) -> int:
    """Make blocks of one cell call the hooks of different planes; return how many were changed."""
    text = _disassembled(kernel)
    entries = {name: address for address, name in text.starts.items()}
    missing = [name for name in HOOKS if name not in entries]
    if missing:
        raise ValueError(f"{kernel}: has no {', '.join(missing)}")
    calls: dict[int, bytes] = {}
    for _, cell in groupby((name for name, _ in text.hooks()), lambda name: name // CELL_BYTES):
        for plane, name in enumerate(cell):
            if plane:
                distance = entries[HOOKS[plane]] - name
                calls[name - _CALL_BYTES] = struct.pack("<Bi", 0xE8, distance)
    elf.patch(kernel, calls)
    return len(calls)


def silence(kernel: Path, out: Path) -> None:
    """Make a copy of `kernel` whose blocks call nothing; for telling what the calls cost."""
    shutil.copy2(kernel, out)
    hooks = _disassembled(kernel).hooks()
    elf.patch(out, {name - _CALL_BYTES: _NOP for name, _ in hooks})


def write(kernel: Path, out: Path) -> int:
    """Disassemble `kernel` and write `out`; return the number of blocks. Takes ten seconds."""
    text = _disassembled(kernel)
    planes = dict(text.hooks())
    blocks = sorted(text.blocks())
    first, end = text.addresses[0] // CELL_BYTES * CELL_BYTES, text.addresses[-1] + 16
    with out.open("wb") as file:
        file.write(MAGIC + struct.pack("<QQII", first, end, len(blocks), len(CLASSES)))
        for address, counts in blocks:
            file.write(struct.pack("<IB", address - first, planes[address]) + bytes(counts))
    return len(blocks)
