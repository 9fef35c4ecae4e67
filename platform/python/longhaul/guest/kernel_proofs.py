# SPDX-License-Identifier: Apache-2.0
"""Proofs of what the guests' kernel was built from, and that its build is always the same bytes."""

from __future__ import annotations

import hashlib
import shutil
import tarfile
from dataclasses import dataclass
from pathlib import Path

from longhaul.guest import kernel, kernel_edits, kernel_options


@dataclass(frozen=True)
class Verification:
    """What `verify` found."""

    info: kernel.KernelInfo
    files: int
    """Files under drivers/net, net and include that were compared with the package."""
    differing: list[str]
    """Those that differ from the package or are not in it; empty when all is well."""
    edited: dict[str, str]
    """Edited or added files under arch/um and arch/x86/um, with the reasons."""


def again(
    folder: Path, progress: kernel.Progress = print, own: kernel_options.Options | None = None
) -> tuple[str, str]:
    """Build the kernel once more in `folder`, which is removed; return both builds' sha256.

    No compiler's cache is asked. Takes about 3 minutes on two cores.
    """
    info = kernel.ensure(progress, own)
    work = folder / f"longhaul-kernel-{info.key}"
    try:
        log, tree = kernel.unpack(work, own or {}, progress)
        progress(f"guest kernel: compiling in {tree} (about 3 minutes on two cores)")
        kernel.compile_kernel(tree, log, cached=False)
        kernel.strip(tree, work / "linux")
        builds = (info.path, work / "linux")
        first, second = (hashlib.sha256(path.read_bytes()).hexdigest() for path in builds)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return first, second


# Made by the build in include/, not part of the package.
_GENERATED = ("include/generated/", "include/config/")


def verify(
    progress: kernel.Progress = print, own: kernel_options.Options | None = None
) -> Verification:
    """Compares the sources that the kernel was built from with the package, file by file."""
    info = kernel.ensure(progress, own)
    source = info.path.parent / "source"
    progress(f"comparing with {kernel.TARBALL} (about 20 s)")
    differing: list[str] = []
    seen: set[str] = set()
    prefixes = tuple(folder + "/" for folder in kernel.UNTOUCHED)
    with tarfile.open(kernel.TARBALL, "r|xz") as package:
        for member in package:
            name = member.name.split("/", 1)[-1]
            if not member.isfile() or not name.startswith(prefixes):
                continue
            seen.add(name)
            content = package.extractfile(member)
            ours = source / name
            if not content or not ours.is_file() or ours.read_bytes() != content.read():
                differing.append(name)
    for folder in kernel.UNTOUCHED:
        for path in (source / folder).rglob("*"):
            name = str(path.relative_to(source))
            if (
                path.is_file()
                and not path.is_symlink()
                and name not in seen
                and not name.startswith(_GENERATED)
            ):
                differing.append(name)
    edits = kernel_edits.load()
    edited: dict[str, list[str]] = {}
    for item in [*edits.files(own or {}), *edits.edits(own or {})]:
        edited.setdefault(item.target, []).append(item.reason)
    reasons = {target: "; ".join(dict.fromkeys(why)) for target, why in edited.items()}
    return Verification(info, len(seen), sorted(differing), reasons)
