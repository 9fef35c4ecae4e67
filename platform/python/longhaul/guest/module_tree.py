# SPDX-License-Identifier: Apache-2.0
"""What modules are built with, out of the tree that the guest's kernel was built in."""

from __future__ import annotations

import shutil
from pathlib import Path

SYMBOLS = "Module.symvers"
BESIDE_SOURCES = (
    *("Makefile", "Kbuild", ".config", "scripts", "arch/x86/include", "arch/x86/Makefile.um"),
)
"""What the kept sources (`kernel.UNTOUCHED`, `kernel.EDITED`) lack for it."""


def keep(tree: Path, source: Path) -> None:
    """Copy it from a tree in which the kernel and `modules_prepare` have been made."""
    for name in BESIDE_SOURCES:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (tree / name).is_dir() else shutil.copy2
        copy(tree / name, source / name)
    shutil.copy2(tree / "vmlinux.symvers", source / SYMBOLS)


def is_kept(source: Path) -> bool:
    """Tell whether modules can be built there."""
    return (source / SYMBOLS).is_file()
