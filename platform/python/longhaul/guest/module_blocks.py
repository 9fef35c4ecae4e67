# SPDX-License-Identifier: Apache-2.0
"""Builds modules for the guest's kernel and gives each the table of its basic blocks.

A module's blocks begin with the same sites as the kernel's own (`longhaul.guest.kernel_blocks`).
To read it in the same way, the module is linked to the kernel's symbols, in a file that is thrown
away. The table becomes the section `.longhaul.blocks` of the module's file, from where the guest's
kernel hands it to the simulator when it loads the module
(`sw/linux/um/accounting/longhaul_module.c`).

The section, little endian: the magic "LHMODBL1", u32 number of sections, u32 number of blocks; for
each section of text its name in 56 bytes; for each block u32 index of its section, u32 offset of
its site there, u32 offset of its place (where it would begin if there were no sites), and a u8
count per class.
"""

from __future__ import annotations

import bisect
import re
import struct
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from longhaul.errors import LonghaulError, UsageError
from longhaul.guest import kernel, kernel_blocks, module_tree

MAGIC = b"LHMODBL1"
SECTION = ".longhaul.blocks"
_NAME_BYTES = 56
_HEADING = re.compile(r"^ *\d+ (\S+) +([0-9a-f]+) +([0-9a-f]+) ", re.MULTILINE)
# Each section at an address of its own, in the file's order, where the guest's kernel has modules.
_LINKED = "SECTIONS { . = 0x50000000; }\n"
_COUNTS_IN = re.compile(r" R_X86_64_PC32 +longhaul_uncounted\b")  # a site's first instruction


def build(info: kernel.KernelInfo, folder: Path, options: Iterable[str] = ()) -> list[Path]:
    """Build the modules of a folder with a Kbuild makefile; return their files.

    `options` of the makefile (`CONFIG_NS83820`) are set to build modules. A folder within the
    kernel's sources is named to the compiler without the path to these.
    """
    if not any((folder / name).is_file() for name in ("Kbuild", "Makefile")):
        raise UsageError(f"--module {folder}: has no Makefile; wants one with 'obj-m += NAME.o'")
    make(info, folder, options)
    modules = listed(info, folder)
    if not modules:
        raise UsageError(
            f"--module {folder}: its Makefile names no module; wants 'obj-m += NAME.o'"
        )
    for module in modules:
        add_table(module, info.path, kernel.blocks(info))
    return modules


def make(info: kernel.KernelInfo, folder: Path, options: Iterable[str] = ()) -> str:
    """Let Kbuild make the modules of a folder, and return what was said.

    Raises kernel.CommandFailed.
    """
    tree = info.path.parent / "source"
    if not module_tree.is_kept(tree):
        raise LonghaulError(
            f"{tree}: the kernel's build files are missing; remove {tree.parent} and start "
            "longhaul kernel"
        )
    here = folder.resolve()
    place = here.relative_to(tree.resolve()) if here.is_relative_to(tree.resolve()) else here
    chosen = [f"{option}=m" for option in options]
    return kernel.run(["make", "-C", str(tree), "ARCH=um", f"M={place}", *chosen, "modules"])


def listed(info: kernel.KernelInfo, folder: Path) -> list[Path]:
    """Return the modules that Kbuild has made of a folder."""
    order = folder / "modules.order"
    names = order.read_text().split() if order.exists() else []
    return [info.path.parent / "source" / name for name in names]


def add_table(module: Path, linux: Path, blocks: Path) -> int:
    """Give a module's file its table; return the number of its blocks."""
    with tempfile.TemporaryDirectory(prefix="longhaul-module-") as scratch:
        linked, script, table = (Path(scratch) / name for name in ("linked", "script", "table"))
        named = _functions_and_data(linux)
        script.write_text(_LINKED + _assignments(module, named))
        # What another module exports stays unresolved: its blocks count where it is called.
        _run(["ld", "-T", str(script), "-e", "0", "--no-warn-rwx-segments",
              "--unresolved-symbols=ignore-all", "-o", str(linked), str(module)])  # fmt: skip
        found = _sections(linked)
        listing = _run(["objdump", "-d", "--no-show-raw-insn", str(linked)])
        text = kernel_blocks.Text(
            listing.splitlines(),
            module=True,
            counted_elsewhere=counted_functions(named, blocks),
        )
        rows = list(text.blocks())
        sites = len(_COUNTS_IN.findall(_run(["objdump", "-r", str(module)])))
        if len(rows) != sites:
            raise LonghaulError(
                f"{module}: {len(rows)} of its {sites} basic blocks were understood"
            )
        table.write_bytes(_table(module, found, rows))
        _run(["objcopy", "--remove-section", SECTION, str(module)])
        _run(["objcopy", "--add-section", f"{SECTION}={table}",
              f"--set-section-flags={SECTION}=readonly", str(module)])  # fmt: skip
    return len(rows)


def _table(
    module: Path, sections: list[tuple[str, int, int]], rows: list[tuple[int, int, list[int]]]
) -> bytes:
    starts = [address for _, address, _ in sections]
    names: list[str] = []
    records: list[bytes] = []
    for address, place, operations in rows:
        name, start, _ = sections[bisect.bisect_right(starts, address) - 1]
        if name not in names:
            names.append(name)
        offsets = (names.index(name), address - start, place - start)
        records.append(struct.pack("<III", *offsets) + bytes(operations))
    for name in names:
        if len(name) >= _NAME_BYTES:
            raise LonghaulError(f"{module}: the name of its section {name} is too long")
    head = MAGIC + struct.pack("<II", len(names), len(records))
    return head + b"".join(n.encode().ljust(_NAME_BYTES, b"\0") for n in names) + b"".join(records)


def _sections(linked: Path) -> list[tuple[str, int, int]]:
    """Return name, address and bytes of each section, in the order of the addresses."""
    listing = _run(["objdump", "-h", str(linked)])
    found = [(n, int(vma, 16), int(size, 16)) for n, size, vma in _HEADING.findall(listing)]
    return sorted((item for item in found if item[1]), key=lambda item: item[1:])


def _functions_and_data(linux: Path) -> dict[str, tuple[int, bool]]:
    """Return the kernel's symbols: address, and whether it is of text."""
    rows = (line.split() for line in _run(["nm", str(linux)]).splitlines())
    defined = (row for row in rows if len(row) == 3)
    return {name: (int(address, 16), kind in "tTwW") for address, kind, name in defined}


def _assignments(module: Path, named: dict[str, tuple[int, bool]]) -> str:
    """Return, for a linker's script, the addresses of the kernel's symbols that a module uses."""
    used = [line.split()[-1] for line in _run(["nm", "-u", str(module)]).splitlines()]
    return "".join(f"{name} = {named[name][0]:#x};\n" for name in used if name in named)


def counted_functions(named: dict[str, tuple[int, bool]], blocks: Path) -> set[str]:
    """Return the names of the kernel's functions whose blocks count, by its table of blocks."""
    data = blocks.read_bytes()
    first, _, count, classes, _ = struct.unpack_from("<QQIII", data, 8)
    records = range(36, 36 + count * (8 + classes), 8 + classes)
    sites = [first + struct.unpack_from("<I", data, at)[0] for at in records]
    functions: dict[int, list[str]] = {}
    for name, (address, is_text) in named.items():
        if is_text:
            functions.setdefault(address, []).append(name)
    starts = sorted(functions)
    counted = {bisect.bisect_right(starts, site) - 1 for site in sites}
    return {name for i in counted for name in functions[starts[i]]}


def _run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LonghaulError(f"'{' '.join(command)}' failed: {done.stderr.strip()[-500:]}")
    return done.stdout
