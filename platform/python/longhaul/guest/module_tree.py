# SPDX-License-Identifier: Apache-2.0
"""The files that modules are built with, from the tree in which the guest's kernel was built."""

from __future__ import annotations

import shutil
from pathlib import Path

from longhaul.errors import LonghaulError, UsageError

SYMBOLS = "Module.symvers"
BESIDE_SOURCES = (
    *("Makefile", "Kbuild", ".config", "scripts", "arch/x86/include", "arch/x86/Makefile.um"),
)
"""What the kept sources (`kernel.UNTOUCHED`, `kernel.EDITED`) lack for it."""


_FOR_UML = """\
# Written by longhaul kernel --headers: make reads it ahead of Makefile.
export ARCH := um
include Makefile
"""
ABOUT = (
    "Modules that are made so show what the compiler says. For a guest that loads them use "
    "longhaul run --module HOST=FOLDER, or longhaul kernel --module FOLDER: these also count the "
    "modules' blocks, and a guest loads no others."
)


def keep(tree: Path, source: Path) -> None:
    """Copy it from a tree in which the kernel and `modules_prepare` have been made."""
    for name in BESIDE_SOURCES:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (tree / name).is_dir() else shutil.copy2
        copy(tree / name, source / name)
    shutil.copy2(tree / "vmlinux.symvers", source / SYMBOLS)


def check_place(folder: Path) -> None:
    """Refuse a folder that has something in it."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"--headers {folder}: is there already; name a new folder")


def write(source: Path, folder: Path) -> None:
    """Write a tree for a user's own make, some 250 MB: it needs no ARCH=um."""
    if not is_kept(source):
        raise LonghaulError(
            f"{source}: the kernel's build files are missing; remove {source.parent} and start "
            "longhaul kernel"
        )
    check_place(folder)
    shutil.copytree(source, folder, symlinks=True, dirs_exist_ok=True)
    (folder / "GNUmakefile").write_text(_FOR_UML)


def is_kept(source: Path) -> bool:
    """Tell whether modules can be built there."""
    return (source / SYMBOLS).is_file()
