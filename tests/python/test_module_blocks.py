# SPDX-License-Identifier: Apache-2.0
"""A module's table of blocks, from an object that the kernel's own header counts."""

import struct
import subprocess
from pathlib import Path

import pytest
from longhaul.cli import main
from longhaul.errors import LonghaulError, UsageError
from longhaul.guest import kernel_blocks, module_blocks
from longhaul.guest.kernel import KernelInfo
from longhaul.guest.x86_operations import CLASSES, INDEX
from longhaul.paths import ROOT

SITES = ROOT / "sw" / "linux" / "um" / "cost" / "longhaul_block.h"
SITE = "call __sanitizer_cov_trace_pc"

KERNEL = f"""
.text
.globl _start, counted, opaque, longhaul_block_slow, longhaul_left, longhaul_lines
.globl longhaul_uncounted
_start:
counted: {SITE}
  ret
  .p2align 4
opaque:
  rep movsb
  ret
longhaul_block_slow:
  ret
.data
longhaul_left: .long 0
longhaul_lines: .long 0
longhaul_uncounted: .fill 64, 8
"""
MODULE = f"""
.text
work:
  push %rbp
  {SITE}
  imul %rdi,%rax
  call counted
  {SITE}
  call opaque
  pop %rbp
  ret
.section .init.text, "ax"
.globl init_module
init_module: {SITE}
  call work
  ret
"""


def compiled(folder: Path, name: str, text: str, *options: str) -> Path:
    source, out = folder / f"{name}.c", folder / name
    lines = ['"' + line.replace('"', '\\"') + '\\n"' for line in text.splitlines()]
    source.write_text("asm(\n" + "\n".join(lines) + ");\n")
    command = ["gcc", "-O1", "-nostdlib", "-fcf-protection=none", "-include", str(SITES)]
    subprocess.run([*command, *options, "-o", str(out), str(source)], check=True)
    return out


@pytest.fixture
def linux(tmp_path: Path) -> Path:
    """Return a kernel that is linked as the guests' is: with dynamic libraries' symbols, too."""
    return compiled(tmp_path, "linux", KERNEL, "-no-pie", "-Wl,--no-as-needed", "-lc")


@pytest.fixture
def blocks(tmp_path: Path, linux: Path) -> Path:
    out = tmp_path / "blocks.bin"
    assert kernel_blocks.write(linux, out) == 1
    return out


@pytest.fixture
def module(tmp_path: Path) -> Path:
    return compiled(tmp_path, "work.ko", MODULE, "-c")


def table(module: Path) -> bytes:
    out = module.with_suffix(".table")
    section = module_blocks.SECTION
    subprocess.run(
        ["objcopy", "-O", "binary", f"--only-section={section}",
         f"--set-section-flags={section}=alloc", module, out],
        check=True,
    )  # fmt: skip
    return out.read_bytes()


def rows(data: bytes) -> list[tuple[str, int, int, dict[str, int]]]:
    """Each block: section, offset of its site, of its place, and its operations."""
    sections, count = struct.unpack_from("<II", data, 8)
    names = [data[16 + 56 * i : 72 + 56 * i].rstrip(b"\0").decode() for i in range(sections)]
    size = 12 + len(CLASSES)
    records = [data[16 + 56 * sections + size * i :][:size] for i in range(count)]
    assert len(data) == 16 + 56 * sections + size * count
    return [
        (names[section], site, place, {CLASSES[i]: n for i, n in enumerate(record[12:]) if n})
        for record in records
        for section, site, place in [struct.unpack_from("<III", record)]
    ]


def test_each_block_has_its_section_place_and_operations(
    module: Path, linux: Path, blocks: Path
) -> None:
    assert module_blocks.add_table(module, linux, blocks) == 3
    data = table(module)
    assert data[:8] == module_blocks.MAGIC
    first, second, third = rows(data)
    assert first == (".text", 1, 0, {"store": 2, "multiply": 1, "call": 1})
    # Behind push, imul (4 bytes) and a call (5): where it would be without the first site.
    assert second[:3] == (".text", 1 + kernel_blocks.SITE_BYTES + 4 + 5, 1 + 4 + 5)
    assert third == (".init.text", 0, 0, {"store": 1, "load": 1, "call": 2})


def test_only_functions_that_do_not_count_in_the_kernel_are_opaque(
    module: Path, linux: Path, blocks: Path
) -> None:
    module_blocks.add_table(module, linux, blocks)
    first, second, third = (operations for *_, operations in rows(table(module)))
    assert "opaque_call" not in first | third
    assert second["opaque_call"] == 1


def test_a_table_is_made_anew(module: Path, linux: Path, blocks: Path) -> None:
    module_blocks.add_table(module, linux, blocks)
    before = table(module)
    module_blocks.add_table(module, linux, blocks)
    assert table(module) == before


def test_the_classes_are_as_many_as_the_kernel_hands_over() -> None:
    header = (ROOT / "sw" / "linux" / "longhaul_abi.h").read_text()
    assert f"#define LH_OP_CLASSES {len(CLASSES)}u" in header
    assert max(INDEX.values()) + 1 == len(CLASSES)


def test_what_is_no_module_is_told_with_the_programs_words(
    tmp_path: Path, linux: Path, blocks: Path
) -> None:
    text = tmp_path / "text.ko"
    text.write_text("no module")
    with pytest.raises(LonghaulError, match="'nm .* failed: .*text.ko"):
        module_blocks.add_table(text, linux, blocks)


def test_a_folder_without_a_makefile_is_refused(tmp_path: Path, linux: Path) -> None:
    info = KernelInfo(linux, "key", "6.1", "6.1-1", {})
    with pytest.raises(UsageError, match=r"has no Makefile; wants one with 'obj-m \+= NAME.o'"):
        module_blocks.build(info, tmp_path / "empty")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("--module none", "--module none: there is no such folder"),
        ("--again . --module .", "--again and --module are two commands; give one of them"),
    ],
)
def test_a_check_refuses_what_a_build_of_modules_would(
    words: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--check-only", "kernel", *words.split()]) == 2
    assert capsys.readouterr().err == f"longhaul: {line}\n"
