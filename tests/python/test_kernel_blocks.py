# SPDX-License-Identifier: Apache-2.0
"""A kernel's basic blocks, counted from what objdump prints."""

import struct
import subprocess
from itertools import groupby, pairwise
from pathlib import Path

import pytest
from longhaul.guest import kernel_blocks as blocks
from longhaul.guest.x86_operations import CLASSES
from longhaul.paths import ROOT

SITES = ROOT / "sw" / "linux" / "um" / "cost" / "longhaul_block.h"
SITE = "call __sanitizer_cov_trace_pc"
"""What the compiler writes; the header makes the assembler put a site there."""

ASSEMBLY = f"""
.text
f:
  push %rbp
  mov %rsp,%rbp
  {SITE}
  test %eax,%eax
  je 1f
  {SITE}
  mov (%rdi),%rax
  jmp 2f
1: {SITE}
  call memcpy
2: pop %rbp
  ret
  .p2align 4
g: {SITE}
  call never
  .p2align 4
memcpy:
  rep movsb
  .p2align 4
never:
  ret
  .p2align 4
.globl _start
_start:
  {SITE}
  mov $60,%eax
  mov $7,%edi
  syscall
longhaul_block_slow:
  ret
.data
longhaul_left: .long 0
longhaul_lines: .long 0
longhaul_uncounted: .fill 64, 8
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program whose blocks the kernel's own header counts; it ends with 7."""
    folder = tmp_path_factory.mktemp("program")
    source, out = folder / "program.c", folder / "program"
    text = "".join('"' + line.replace('"', '\\"') + '\\n"\n' for line in ASSEMBLY.splitlines())
    source.write_text(f"asm(\n{text});\n")
    command = ["gcc", "-O1", "-nostdlib", "-static", "-include", str(SITES)]
    subprocess.run([*command, "-o", str(out), str(source)], check=True)
    return out


def symbols(program: Path) -> dict[str, int]:
    listed = subprocess.run(["nm", str(program)], capture_output=True, text=True, check=True)
    rows = (line.split() for line in listed.stdout.splitlines())
    return {name: int(address, 16) for address, _, name in rows}


def blocks_of(program: Path) -> list[tuple[int, int, dict[str, int]]]:
    """Each block by address: from the first, where without sites, and what it consists of."""
    listing = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", str(program)],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    first = symbols(program)["f"]
    return [
        (
            address - first,
            place - first,
            {name: n for name, n in zip(CLASSES, block, strict=True) if n},
        )
        for address, place, block in blocks.Text(listing.splitlines()).blocks()
    ]


def test_first_block_has_the_functions_prologue(program: Path) -> None:
    address, place, counts = blocks_of(program)[0]
    assert (address, place) == (4, 0)
    assert counts == {"store": 1, "simple": 2, "branch": 1}


def test_block_goes_on_along_a_jump_to_code_without_a_site(program: Path) -> None:
    assert blocks_of(program)[1][2] == {"load": 3, "jump": 1, "call": 1}


def test_call_of_a_function_without_sites_is_opaque(program: Path) -> None:
    counts = blocks_of(program)[2][2]
    assert counts == {"call": 2, "store": 1, "load": 2, "opaque_call": 1}


def test_block_that_ends_in_a_call_that_does_not_return_ends_there(program: Path) -> None:
    assert blocks_of(program)[3][2] == {"call": 1, "store": 1, "opaque_call": 1}


def test_places_are_those_of_a_text_without_sites(tmp_path: Path, program: Path) -> None:
    plain = tmp_path / "plain.s"
    plain.write_text(ASSEMBLY.replace(SITE, ""))
    subprocess.run(["gcc", "-nostdlib", "-static", "-o", tmp_path / "plain", plain], check=True)
    there = symbols(tmp_path / "plain")
    in_f = [0, 8, 13]  # the whole prologue; behind test, je; behind mov, jmp
    others = [there[name] - there["f"] for name in ("g", "_start")]
    assert [place for _, place, _ in blocks_of(program)] == [*in_f, *others]


def test_sites_are_as_long_as_is_said(program: Path) -> None:
    text = blocks.Text(
        subprocess.run(
            ["objdump", "-d", "--no-show-raw-insn", str(program)],
            capture_output=True, text=True, check=True,
        ).stdout.splitlines()
    )  # fmt: skip
    for site in text.sites():
        follows = text.addresses[text.at[site] + 1]
        assert follows - site == blocks.SITE_BYTES


def test_program_with_sites_runs(program: Path) -> None:
    assert subprocess.run([program], check=False).returncode == 7


def test_file_has_header_and_a_record_per_block(tmp_path: Path, program: Path) -> None:
    out = tmp_path / "blocks.bin"
    assert blocks.write(program, out) == 5
    data = out.read_bytes()
    assert data[:8] == blocks.MAGIC
    first, end, count, classes, functions = struct.unpack("<QQIII", data[8:36])
    assert (first, count, classes) == (symbols(program)["f"], 5, len(CLASSES))
    assert first < symbols(program)["_start"] < end
    behind = 36 + 5 * (8 + len(CLASSES))
    assert len(data) == behind + functions * 16
    assert struct.unpack("<II", data[36:44]) == (4, 0)
    records = list(struct.iter_unpack("<4I", data[behind:]))
    assert [(place, count) for place, _, count, _ in records if count] == [(0, 3), (32, 1), (80, 1)]
    assert all(place + bytes <= after for (place, bytes, *_), (after, *_) in pairwise(records))


def listed(section: str, *names: str) -> list[str]:
    """Return a listing of functions of three bytes."""
    lines = [f"Disassembly of section {section}:"]
    for i, name in enumerate(names):
        lines += [f"{0x1000 + 16 * i:016x} <{name}>:", f"    {0x1000 + 16 * i:x}:\tret"]
    return lines


def test_functions_trade_places_within_a_stretch_only() -> None:
    text = listed(".text", "_stext", "a", "b", "a.cold", "panic", "b.cold", "schedule")
    lines = [*listed(".init.text", "start_kernel", "setup"), *text, *listed(".exit.text", "exit")]
    numbers = list(blocks.stretches(list(blocks.functions(lines))))
    alike = [len(list(group)) for _, group in groupby(numbers)]
    assert alike == [2, 3, 3, 1, 1]  # init; what runs, what hardly runs, what is behind it; exit
    assert numbers == sorted(numbers)


def test_what_stands_for_hardware_is_no_part_of_the_text() -> None:
    """The script of the linker lists it first, and at higher addresses."""
    apart = [*listed(".plt", "malloc@plt"), *listed(".um.text", "handle_syscall", "os_wait")]
    counted = listed(".text", "schedule", "kfree")
    with_it, without = blocks.Text([*apart, *counted]), blocks.Text(counted)
    assert list(with_it.starts.values()) == ["schedule", "kfree"]
    assert (with_it.addresses, with_it.extents) == (without.addresses, without.extents)


def test_silenced_program_counts_nothing_and_still_runs(tmp_path: Path, program: Path) -> None:
    silent = tmp_path / "silent"
    blocks.silence(program, silent)
    assert subprocess.run([silent], check=False).returncode == 7
    with pytest.raises(ValueError, match="built without the sites"):
        blocks.write(silent, tmp_path / "blocks.bin")
