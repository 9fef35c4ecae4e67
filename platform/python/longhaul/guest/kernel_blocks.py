# SPDX-License-Identifier: Apache-2.0
"""Reads the built kernel's disassembly and says what each basic block consists of.

Every basic block of the guest's kernel begins with a site: the instructions that count it
(`sw/linux/um/cost/longhaul_block.h`), which jump to code behind the function in the uncommon case.
The site's address names the block. The block's instructions are those from behind it to the next
site, along unconditional jumps. They are counted by class; what a class costs is the modelled
core's business (`models/cpu/pipeline.h`), so one file serves all cores.

A block's place is where it would begin if there were no sites. Each function is packed together,
and the functions follow each other at multiples of 16 bytes, as the linker has them. The
instruction cache that is modelled holds that text.

A linker may put functions in another order (`models/cpu/text_layout.h`), but only within a stretch:
a section, of which `.text` has three parts, the functions, those that are unlikely to run
(`.text.unlikely`: `NAME.cold` and `__cold` ones), and those between marks of the linker's script
behind these (scheduler, locks, entries).

File `blocks.bin`, little endian: the magic "LHBLOCK4", u64 first text address, u64 end of text, u32
number of blocks, u32 number of classes, u32 number of functions; for each block u32 offset of its
site and u32 offset of its place, both from the first text address, and a u8 count per class (255 at
most), in the order of `CLASSES`; for each function u32 offset of its place, u32 bytes, u32 number
of its blocks and u32 number of its stretch.
"""

from __future__ import annotations

import itertools
import re
import shutil
import struct
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from longhaul.guest import elf
from longhaul.guest.x86_operations import CLASSES, INDEX, NO_OPERATION, Instruction, classify

MAGIC = b"LHBLOCK4"
_COUNT = re.compile(r"<longhaul_uncounted(\+0x[0-9a-f]+)?>$")
"""What a site's first instruction counts in until the kernel has its table."""
SLOW = "longhaul_block_slow"
"""What the code behind a function calls."""
SITE_BYTES = 39
_SITE_INSTRUCTIONS = 5
_NOT_COUNTED = {".plt", ".plt.got", ".um.text"}
"""Sections of what stands for hardware, which lies apart (`sw/linux/um/longhaul.lds.S`)."""
_FUNCTION_ALIGNMENT = 16
_LONGEST_INSTRUCTION = 15  # bytes (Intel SDM volume 2, 2.3.11)
_NOP = bytes.fromhex("660f1f840000000000")  # of nine bytes (Intel SDM volume 2, NOP)
_NOPS = 4 * _NOP + bytes.fromhex("0f1f00")
_LONGEST_BLOCK = 400  # instructions; a straight stretch longer than that is cut

_LINE = re.compile(r"^ *([0-9a-f]+):\t(\S+)(?: +(.*))?$")
_SYMBOL = re.compile(r"^([0-9a-f]+) <(.+)>:$")
_SECTION = re.compile(r"^Disassembly of section (.+):$")
_COLD = ".cold"  # how gcc ends the name of what it takes out of a function
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


@dataclass
class Function:
    """A stretch of text from one symbol to the next, without what counts its blocks."""

    name: str
    section: str = ""
    addresses: list[int] = field(default_factory=list[int])
    instructions: list[Instruction] = field(default_factory=list[Instruction])
    places: list[int] = field(default_factory=list[int])
    """Of each instruction: bytes from the function's begin if there were no sites."""
    bytes: int = 0
    """Of the whole, without sites and padding."""


_SITE = Instruction((), kind="site")
_END = Instruction((), kind="end")


class _Listed:
    """A function as it is listed, instruction by instruction."""

    def __init__(self, name: str, section: str) -> None:
        self.name = name
        self.section = section
        self.lines: list[tuple[int, Instruction | None, bool]] = []
        """Address, instruction (None: belongs to what counts), whether it pads."""
        self._skip = 0

    def add(self, address: int, instruction: Instruction, pads: bool) -> None:
        kept: Instruction | None = instruction
        if self._skip:
            self._skip -= 1
            kept = None
        elif instruction is _SITE:
            self._skip = _SITE_INSTRUCTIONS - 1
        elif instruction.callee == SLOW and self.lines:
            # Behind the function. What runs into it would come from a call that does not return.
            self.lines[-1] = (self.lines[-1][0], _END, True)
            self._skip = 1
            kept = None
        self.lines.append((address, kept, pads))

    def function(self, end: int) -> Function:
        """Return it without what counts; `end` is the address where the next one begins."""
        found = Function(self.name, self.section)
        follows = [address for address, *_ in self.lines[1:]]
        follows.append(min(end, self.lines[-1][0] + _LONGEST_INSTRUCTION))
        place = 0
        for (address, instruction, pads), follow in zip(self.lines, follows, strict=True):
            if instruction is None:
                continue
            found.addresses.append(address)
            found.instructions.append(instruction)
            found.places.append(place)
            if instruction.kind != "site" and instruction is not _END:
                place += follow - address
                if not pads:
                    found.bytes = place
        return found


def functions(lines: Iterable[str]) -> Iterator[Function]:
    """Parse `objdump -d --no-show-raw-insn`."""
    known: dict[tuple[str, str], tuple[Instruction, bool]] = {}
    section = ""
    current = _Listed("", section)
    for line in lines:
        found = _LINE.match(line)
        if not found:
            heading = _SECTION.match(line)
            section = heading[1] if heading else section
            symbol = _SYMBOL.match(line)
            if symbol:
                if current.lines:
                    yield current.function(int(symbol[1], 16))
                current = _Listed(symbol[2], section)
            continue
        address, mnemonic, operands = found.groups()
        key = (mnemonic, operands or "")
        if key not in known:
            known[key] = _instruction(*key), bool(NO_OPERATION.match(mnemonic))
        current.add(int(address, 16), *known[key])
    if current.lines:
        yield current.function(current.lines[-1][0] + _LONGEST_INSTRUCTION)


def _instruction(mnemonic: str, operands: str) -> Instruction:
    if mnemonic == "incq" and _COUNT.search(operands):
        return _SITE
    return classify(mnemonic, operands)


@dataclass(frozen=True)
class Extent:
    """Where a function would lie without sites, how many blocks are its, and its stretch."""

    place: int
    bytes: int
    blocks: int
    stretch: int


def stretches(listed: Sequence[Function]) -> Iterator[int]:
    """Yield the number of each function's stretch: functions trade places only within one."""
    number = 0
    for _, group in itertools.groupby(listed, key=lambda function: function.section):
        names = [function.name for function in group]
        cold = [i for i, name in enumerate(names) if name.endswith(_COLD)]
        edges = (cold[0], cold[-1] + 1) if cold else (len(names), len(names))
        yield from (number + sum(i >= edge for edge in edges) for i in range(len(names)))
        number += 3


class Text:
    """The kernel's or a module's text: all instructions in order of address.

    Each section of a module keeps its place: its kernel loads it where it likes. The functions
    `counted_elsewhere` have blocks that count, too.
    """

    def __init__(
        self, listing: Iterable[str], *, module: bool = False, counted_elsewhere: Iterable[str] = ()
    ) -> None:
        self.addresses: list[int] = []
        self.instructions: list[Instruction] = []
        self.places: list[int] = []
        self.starts: dict[int, str] = {}
        self.extents: list[Extent] = []
        counted = set(counted_elsewhere)
        place = 0
        section = ""
        listed = [each for each in functions(listing) if each.section not in _NOT_COUNTED]
        for function, stretch in zip(listed, stretches(listed), strict=True):
            place = -(-(place or function.addresses[0]) // _FUNCTION_ALIGNMENT)
            place *= _FUNCTION_ALIGNMENT
            if module and function.section != section:
                place = function.addresses[0]
            section = function.section
            self.starts[function.addresses[0]] = function.name
            self.addresses += function.addresses
            self.instructions += function.instructions
            self.places += [place + offset for offset in function.places]
            sites = sum(i.kind == "site" for i in function.instructions)
            self.extents.append(Extent(place, function.bytes, sites, stretch))
            place += function.bytes
            if sites:
                counted.add(function.name)
        self.counted = counted
        self.at = {address: i for i, address in enumerate(self.addresses)}

    def sites(self) -> list[int]:
        """Return the addresses of the blocks' sites."""
        pairs = zip(self.addresses, self.instructions, strict=True)
        return [address for address, instruction in pairs if instruction.kind == "site"]

    def blocks(self) -> Iterator[tuple[int, int, list[int]]]:
        """Yield each block's name (its site's address), its place and its counts by class."""
        prologue: list[int] = [0] * len(CLASSES)
        straight = False
        start = 0
        for i, instruction in enumerate(self.instructions):
            if self.addresses[i] in self.starts:
                prologue = [0] * len(CLASSES)
                straight = True
                start = i
            if instruction.kind == "site":
                counts = self._count(i + 1)
                place = self.places[i]
                if straight:  # what a function does before its first site
                    counts = [a + b for a, b in zip(counts, prologue, strict=True)]
                    place = self.places[start]
                    straight = False
                yield self.addresses[i], place, [min(n, 255) for n in counts]
            elif straight:
                self._add(prologue, instruction)
                straight = not instruction.kind

    def _add(self, counts: list[int], instruction: Instruction) -> None:
        if instruction.callee in _IRQ_FLAG:
            counts[INDEX["interrupt_flag"]] += 1
            return
        for index in instruction.classes:
            counts[index] += 1
        if (
            instruction.kind == "call"
            and instruction.callee
            and instruction.callee not in self.counted
        ):
            counts[INDEX["opaque_call"]] += 1

    def _count(self, i: int) -> list[int]:
        """Count from instruction `i` to the next site, along direct jumps inside a function."""
        counts = [0] * len(CLASSES)
        for _ in range(_LONGEST_BLOCK):
            if i >= len(self.instructions):
                break
            instruction = self.instructions[i]
            if instruction.kind == "site":
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
    if not text.counted:
        raise ValueError(f"{kernel}: no basic block is counted: it was built without the sites")
    return text


def silence(kernel: Path, out: Path) -> None:
    """Make a copy of `kernel` that counts nothing; for telling what counting costs."""
    shutil.copy2(kernel, out)
    elf.patch(out, dict.fromkeys(_disassembled(kernel).sites(), _NOPS))


def write(kernel: Path, out: Path) -> int:
    """Disassemble `kernel` and write `out`; return the number of blocks. Takes ten seconds."""
    text = _disassembled(kernel)
    blocks = sorted(text.blocks())
    first, end = text.addresses[0], text.addresses[-1] + _LONGEST_INSTRUCTION
    with out.open("wb") as file:
        counts = (len(blocks), len(CLASSES), len(text.extents))
        file.write(MAGIC + struct.pack("<QQIII", first, end, *counts))
        for address, place, operations in blocks:
            file.write(struct.pack("<II", address - first, place - first) + bytes(operations))
        for each in text.extents:
            file.write(
                struct.pack("<4I", each.place - first, each.bytes, each.blocks, each.stretch)
            )
    return len(blocks)
