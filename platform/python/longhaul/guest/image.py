# SPDX-License-Identifier: Apache-2.0
"""The guests' disks: images of the root and of a run's files, the same bytes on every host.

EROFS, because Linux reads it without unpacking and erofs-utils makes it as any user. A guest sees
owners, times, order and numbers of files from the image, and nothing of the host's file system.

In the root's programs every `cpuid` and `rdtsc` is replaced by an invalid opcode of the same
length, for which the guest's kernel answers as the modelled processor would
(`sw/linux/um/programs/longhaul_cpu.c`). The dynamic loader finds libraries by a cache, as on a
Debian.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from longhaul.errors import LonghaulError
from longhaul.guest import elf
from longhaul.process import missing

# An instruction that tells of the host's processor: its bytes, and those that stand for it
# (UD0 and UD1: Intel SDM volume 2, UD; `sw/linux/um/programs/longhaul_cpu.c` has the same).
TRAPPED: Mapping[str, tuple[bytes, bytes]] = {
    "cpuid": (b"\x0f\xa2", b"\x0f\xff"),
    "rdtsc": (b"\x0f\x31", b"\x0f\xb9"),
}
_LISTED = re.compile(rf"^ *([0-9a-f]+):\t({'|'.join(TRAPPED)})\s*$", re.MULTILINE)
_UUID = "00000000-0000-0000-0000-000000000000"
_LDCONFIG = "/sbin/ldconfig"
_PACKAGES = {"mkfs.erofs": "erofs-utils", "objdump": "binutils", _LDCONFIG: "libc-bin"}


def tools() -> str:
    """Return what an image's bytes depend on beside its files: the programs that make it."""
    digest = hashlib.sha256()
    for name in _PACKAGES:
        program = shutil.which(name)
        if program is None:
            raise missing(name, _PACKAGES[name])
        digest.update(Path(program).read_bytes())
    return digest.hexdigest()


def of_folder(folder: Path, image: Path) -> None:
    """Make an image of a folder: all files root's, of one time, in the order of their names."""
    partial = image.with_name(f"{image.name}.{os.getpid()}")
    options = ["--quiet", "--all-root", "-T0", f"-U{_UUID}", "-x-1"]
    try:
        _run(["mkfs.erofs", *options, str(partial), str(folder)])
        partial.rename(image)
    finally:
        partial.unlink(missing_ok=True)


def of_root(root: Path, image: Path) -> None:
    """Make the image of a guest's root folder; takes ten seconds."""
    with tempfile.TemporaryDirectory(prefix="guest-image-", dir=image.parent) as scratch:
        copy = Path(scratch) / "root"
        shutil.copytree(root, copy, symlinks=True)
        _cache_libraries(copy)
        for path in sorted(copy.rglob("*")):
            if path.is_symlink():
                continue
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
            if path.is_file() and elf.is_elf(path):
                trap(path)
        of_folder(copy, image)


def trap(program: Path) -> int:
    """Replace each instruction of TRAPPED in an ELF file; return how many there were."""
    listing = _run(["objdump", "-d", "--no-show-raw-insn", str(program)])
    found = {int(address, 16): TRAPPED[name] for address, name in _LISTED.findall(listing)}
    if found:
        old, new = ({at: pair[i] for at, pair in found.items()} for i in (0, 1))
        elf.patch(program, new, before=old)
    return len(found)


def _cache_libraries(root: Path) -> None:
    """Make etc/ld.so.cache; without it the loader looks through folders, one after another."""
    _run([_LDCONFIG, "-X", "-i", "-r", str(root)])
    shutil.rmtree(root / "var" / "cache", ignore_errors=True)  # ldconfig's own notes
    if not (root / "etc" / "ld.so.cache").is_file():
        raise LonghaulError(f"{_LDCONFIG} made no etc/ld.so.cache in the guests' root")


def _run(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise missing(command[0], _PACKAGES[command[0]]) from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise LonghaulError(f"'{' '.join(command)}' failed: {said[-1] if said else 'silently'}")
    return done.stdout
