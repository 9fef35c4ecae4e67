# SPDX-License-Identifier: Apache-2.0
"""What Longhaul changes in the kernel's arch/um, and why.

Nothing outside arch/um and arch/x86/um is touched; `longhaul kernel --verify` proves it. Each edit
replaces one exact piece of text that must occur exactly once, so that a new kernel package that
moved on fails loudly here. A module of this folder has the files and edits of one purpose.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from types import ModuleType

from . import (
    accounting,
    boundary,
    coupling,
    faults,
    fp,
    host,
    modules,
    placement,
    platform,
    seccomp,
)
from .kinds import Edit, NewFile

SOURCES = Path(__file__).parent.parent
"""sw/linux."""

PURPOSES = (coupling, host, boundary, accounting, modules, placement, fp, faults, seccomp)
FOR_OPTION = {"OF": (platform,)}
"""What only a kernel with an option beside `kernel.config` has."""


def files(options: Collection[str] = ()) -> list[NewFile]:
    """Every new file of a kernel with these options beside those of `kernel.config`."""
    return [new for purpose in _purposes(options) for new in purpose.FILES]


def edits(options: Collection[str] = ()) -> list[Edit]:
    """Every edit, likewise."""
    return [edit for purpose in _purposes(options) for edit in purpose.EDITS]


def _purposes(options: Collection[str]) -> list[ModuleType]:
    more = [each for name, each in FOR_OPTION.items() if name in options]
    return [*PURPOSES, *(purpose for purposes in more for purpose in purposes)]


def apply(tree: Path, options: Collection[str] = ()) -> None:
    """Apply everything to an unpacked kernel tree.

    A piece of text that is not there exactly once is a ValueError.
    """
    for new in files(options):
        (tree / new.target).write_bytes((SOURCES / new.source).read_bytes())
    for edit in edits(options):
        if not edit.target.startswith(("arch/um/", "arch/x86/um/")):
            raise ValueError(f"{edit.target}: only arch/um and arch/x86/um may be edited")
        path = tree / edit.target
        text = path.read_text()
        forms = (edit.old,) if isinstance(edit.old, str) else edit.old
        found = sum(text.count(form) for form in forms)
        if found != 1:
            raise ValueError(
                f"{edit.target}: the text to edit occurs {found} times, not once ({edit.reason})"
            )
        for form in forms:
            text = text.replace(form, edit.new)
        path.write_text(text)
