# SPDX-License-Identifier: Apache-2.0
"""The tree's own part of the guest kernel: its configuration, new files and edits, in sw/linux."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from collections.abc import Collection
from types import ModuleType

from longhaul.paths import ROOT

SW_LINUX = ROOT / "sw" / "linux"


def load() -> ModuleType:
    """Return sw/linux/edits as a module."""
    spec = importlib.util.spec_from_file_location(
        "longhaul_kernel_edits", SW_LINUX / "edits" / "__init__.py"
    )
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def checksum(options: Collection[str] = ()) -> str:
    """Return the sha256 of what sw/linux puts into a kernel; reasons of edits are not in it.

    `options` are names of those that the kernel has beside `kernel.config`.
    """
    edits = load()
    files = hashlib.sha256((SW_LINUX / "kernel.config").read_bytes())
    for new in edits.files(options):
        files.update(f"{new.target}\0".encode() + (SW_LINUX / new.source).read_bytes() + b"\0")
    for edit in edits.edits(options):
        files.update(f"{edit.target}\0{edit.old!r}\0{edit.new}\0".encode())
    return files.hexdigest()
