# SPDX-License-Identifier: Apache-2.0
"""A kernel's basic blocks, counted from what objdump prints."""

import struct
import subprocess
from pathlib import Path

import pytest
from longhaul import kernel_blocks as blocks
from longhaul.kernel_blocks import CLASSES, HOOK


def counts(mnemonic: str, operands: str = "") -> list[str]:
    return sorted(CLASSES[i] for i in blocks.classify(mnemonic, operands).classes)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add    %rax,%rbx", ["simple"]),
        ("mov    %rsp,%rbp", ["simple"]),
        ("mov    0x584(%r13),%esi", ["load"]),
        ("movzbl 0x3(%rax),%edx", ["load"]),
        ("mov    %edx,-0xc4(%rbp)", ["store"]),
        ("movl   $0x1,0x10(%rax)", ["store"]),
        ("add    0x8(%rdi),%rax", ["load", "simple"]),
        ("addl   $0x1,0x8(%rdi)", ["load", "simple", "store"]),
        ("cmpb   $0x0,0x60602000", ["load", "simple"]),
        ("test   %eax,%eax", ["simple"]),
        ("lea    0x8(%rax,%rbx,4),%rcx", ["simple"]),
        ("push   %r15", ["store"]),
        ("pop    %r15", ["load"]),
        ("imul   $0x38,%rax,%rax", ["multiply"]),
        ("div    %rcx", ["divide"]),
        ("lock cmpxchg %ecx,(%rdx)", ["locked"]),
        ("xchg   %al,(%rdx)", ["locked"]),
        ("rep stos %rax,%es:(%rdi)", ["string"]),
        ("bsf    %rax,%rdx", ["shift_double"]),
        ("rdtsc", ["serialising"]),
        ("movaps %xmm0,%xmm1", ["vector"]),
        ("nopw   0x0(%rax,%rax,1)", []),
        ("je     60001035 <f+0x35>", ["branch"]),
        ("jmp    60001035 <f+0x35>", ["jump"]),
        ("jmp    *%rax", ["indirect"]),
        ("call   *0x8(%rax)", ["indirect", "load", "store"]),
        ("ret", ["call", "load"]),
    ],
)
def test_instruction_is_counted_by_its_operations(text: str, expected: list[str]) -> None:
    mnemonic, _, operands = text.partition(" ")
    assert counts(mnemonic, operands.strip()) == expected


LISTING = f"""
linux:     file format elf64-x86-64

0000000060001000 <f>:
    60001000:\tpush   %rbp
    60001001:\tmov    %rsp,%rbp
    60001004:\tcall   60009000 <{HOOK}>
    60001009:\ttest   %eax,%eax
    6000100b:\tje     60001020 <f+0x20>
    6000100d:\tcall   60009000 <{HOOK}>
    60001012:\tmov    (%rdi),%rax
    60001015:\tjmp    60001030 <f+0x30>
    60001020:\tcall   60009000 <{HOOK}>
    60001025:\tcall   60008000 <memcpy>
    60001030:\tpop    %rbp
    60001031:\tret
0000000060008000 <memcpy>:
    60008000:\trep movsb %ds:(%rsi),%es:(%rdi)
    60008002:\tret
0000000060009000 <{HOOK}>:
    60009000:\tret
"""


def table() -> dict[int, dict[str, int]]:
    return {
        address: {name: n for name, n in zip(CLASSES, block, strict=True) if n}
        for address, block in blocks.Text(iter(LISTING.splitlines())).blocks()
    }


def test_first_block_has_the_functions_prologue() -> None:
    assert table()[0x60001009] == {"store": 1, "simple": 2, "branch": 1}


def test_block_goes_on_along_a_jump_to_code_without_a_hook() -> None:
    assert table()[0x60001012] == {"load": 3, "jump": 1, "call": 1}


def test_call_of_a_function_without_hooks_is_opaque() -> None:
    assert table()[0x60001025] == {"call": 2, "store": 1, "load": 2, "opaque_call": 1}


def test_file_has_header_and_a_record_per_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "objdump"
    tool.write_text(f"#!/bin/sh\ncat <<'END'\n{LISTING}END\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    out = tmp_path / "blocks.bin"
    assert blocks.write(Path("/any/linux"), out) == 3
    data = out.read_bytes()
    assert data[:8] == blocks.MAGIC
    first, end, count, classes = struct.unpack("<QQII", data[8:32])
    assert (first, end, count, classes) == (0x60001000, 0x60009010, 3, len(CLASSES))
    assert len(data) == 32 + 3 * (5 + len(CLASSES))
    assert struct.unpack("<IB", data[32:37]) == (9, 0)


ASSEMBLY = """
.globl _start
_start: {calls}
  ret
{hooks}
""".replace("{hooks}", "".join(f"{name}: ret\n" for name in blocks.HOOKS))


def linked(tmp_path: Path, calls: int, listing: str = ASSEMBLY) -> Path:
    """Link a program whose entry calls the hook again and again, five bytes each time."""
    source, program = tmp_path / "program.s", tmp_path / "program"
    source.write_text(listing.replace("{calls}", f"call {HOOK}\n" * calls))
    command = ["gcc", "-nostdlib", "-static", "-o", str(program), str(source)]
    subprocess.run(command, check=True)
    return program


def test_blocks_of_one_cell_come_to_call_hooks_of_different_planes(tmp_path: Path) -> None:
    program = linked(tmp_path, 20)
    assert blocks.spread(program) > 0
    listing = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", str(program)],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    hooks = list(blocks.Text(iter(listing.splitlines())).hooks())
    assert len(hooks) == 20
    places = [(name // blocks.CELL_BYTES, plane) for name, plane in hooks]
    assert len(set(places)) == 20
    assert {plane for _, plane in places} == {0, 1, 2, 3}


def test_program_whose_blocks_are_spread_still_runs(tmp_path: Path) -> None:
    ends = ASSEMBLY.replace("  ret\n", "  mov $60, %eax\n  mov $7, %edi\n  syscall\n", 1)
    program = linked(tmp_path, 20, ends)
    blocks.spread(program)
    assert subprocess.run([program], check=False).returncode == 7


def test_silenced_program_calls_no_hook_and_still_runs(tmp_path: Path) -> None:
    ends = ASSEMBLY.replace("  ret\n", "  mov $60, %eax\n  mov $7, %edi\n  syscall\n", 1)
    program, silent = linked(tmp_path, 3, ends), tmp_path / "silent"
    blocks.silence(program, silent)
    assert subprocess.run([silent], check=False).returncode == 7
    with pytest.raises(ValueError, match="built without the hook"):
        blocks.spread(silent)


def test_kernel_without_the_hooks_of_all_planes_is_refused(tmp_path: Path) -> None:
    program = linked(tmp_path, 1, ASSEMBLY.replace("longhaul_trace_pc_2", "other"))
    with pytest.raises(ValueError, match="has no longhaul_trace_pc_2"):
        blocks.spread(program)


def test_kernel_without_hooks_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "objdump"
    tool.write_text("#!/bin/sh\nprintf '0000000060001000 <f>:\\n    60001000:\\tret\\n'\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(ValueError, match="built without the hook"):
        blocks.write(Path("/any/linux"), tmp_path / "blocks.bin")
