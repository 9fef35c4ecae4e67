# SPDX-License-Identifier: Apache-2.0
"""Files of a guest's root: taken from packages, linked, and checked for missing libraries."""

from __future__ import annotations

import fnmatch
import os
import subprocess
import tarfile
from pathlib import Path, PurePosixPath

from longhaul.errors import LonghaulError
from longhaul.guest import elf

# Debian 12 keeps these in /usr, with links at the old places.
MERGED = ("bin", "sbin", "lib", "lib64")
LIBRARY_FOLDERS = ("usr/lib/x86_64-linux-gnu", "usr/lib64")
MOUNT_POINTS = ("dev", "proc", "sys", "tmp", "run", "var", "root")
TEXTS = {
    "etc/passwd": "root:x:0:0:root:/tmp:/bin/sh\n",
    "etc/group": "root:x:0:\n",
    "etc/hosts": "127.0.0.1 localhost\n::1 localhost\n",
    "etc/nsswitch.conf": "hosts: files\n",
}


def make_skeleton(root: Path) -> None:
    """Make the folders, links and texts that come from no package."""
    for folder in (*MOUNT_POINTS, "etc", *(f"usr/{name}" for name in MERGED)):
        (root / folder).mkdir(parents=True)
    for name in MERGED:
        (root / name).symlink_to(f"usr/{name}")
    for name, text in TEXTS.items():
        (root / name).write_text(text)


def take(deb: Path, patterns: tuple[str, ...], root: Path) -> None:
    """Unpack a package's files that match; a pattern that matches nothing is an error."""
    unused = set(patterns)
    with subprocess.Popen(
        ["dpkg-deb", "--fsys-tarfile", str(deb)], stdout=subprocess.PIPE
    ) as unpacking:
        with tarfile.open(fileobj=unpacking.stdout, mode="r|") as archive:
            for member in archive:
                name = str(PurePosixPath(member.name))
                matching = {p for p in patterns if fnmatch.fnmatchcase(name, p)}
                if matching and (member.isreg() or member.issym()):
                    unused -= matching
                    _unpack(archive, member, root / _merged(name))
    if unpacking.returncode != 0:
        raise LonghaulError(f"{deb.name}: dpkg-deb cannot unpack it")
    if unused:
        raise LonghaulError(f"{deb.name} has no {sorted(unused)[0]}: see sw/guest/packages.txt")


def _merged(name: str) -> str:
    return f"usr/{name}" if name.split("/")[0] in MERGED else name


def _unpack(archive: tarfile.TarFile, member: tarfile.TarInfo, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if member.issym():
        # A link from /lib64 to /lib stands one folder deeper now; an absolute one does not mind.
        link = member.linkname
        target.symlink_to(f"/{_merged(link.lstrip('/'))}" if link.startswith("/") else link)
        return
    source = archive.extractfile(member)
    assert source is not None
    target.write_bytes(source.read())
    target.chmod(0o755 if member.mode & 0o111 else 0o644)


def link_applets(root: Path) -> None:
    """Link every applet of busybox that no program of its own stands for."""
    busybox = root / "usr/bin/busybox"
    listing = subprocess.run([busybox, "--list-full"], capture_output=True, text=True, check=True)
    for applet in listing.stdout.split():
        place = root / _merged(applet)
        if place.parent.name not in ("bin", "sbin"):
            place = root / "usr/bin" / place.name
        if any((root / "usr" / folder / place.name).exists() for folder in ("bin", "sbin")):
            continue
        place.symlink_to(os.path.relpath(busybox, place.parent))


def check_libraries(root: Path) -> None:
    """Refuse a root in which a program or library needs a library that is not there."""
    files = [p for p in (root / "usr").rglob("*") if p.is_file() and not p.is_symlink()]
    for path in sorted(files):
        for library in elf.needed(path):
            if not any((root / folder / library).exists() for folder in LIBRARY_FOLDERS):
                raise LonghaulError(
                    f"the guests' root: {path.relative_to(root)} needs {library},"
                    " which no package of sw/guest/packages.txt gives"
                )
