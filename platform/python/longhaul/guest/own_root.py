# SPDX-License-Identifier: Apache-2.0
"""The root of one guest: that of all, with whole Debian packages and the user's files over it.

Packages come with all that they depend on. What is made of them is kept as a folder under the
packages' names and versions; the image has the user's files, too, and is kept by their content.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from longhaul import file_lock, json_file
from longhaul.answers import sha256
from longhaul.errors import LonghaulError, UsageError
from longhaul.guest import elf, package_scripts, root_files
from longhaul.guest import image as guest_image
from longhaul.guest.apt import Apt, Download, Progress
from longhaul.guest.root import APT_LISTS
from longhaul.paths import cache_dir

ALWAYS = ("base-passwd",)  # has the users and groups that every Debian has, such as www-data
# What the root of all guests has no need of, and programs and users look for.
FOLDERS = ("home", "media", "mnt", "opt", "srv", "usr/local/bin", "usr/local/sbin", "usr/local/lib")
NAME = re.compile(r"[a-z0-9][a-z0-9+.-]+")  # Debian policy 5.6.7
NOTES = "longhaul/own_packages.json"
MOST_BYTES = 1 << 30  # of a user's files
UNUSED_S = 14 * 24 * 3600.0

_RUN_TIME = "/sbin/ldconfig"
_SOURCES = (__file__, package_scripts.__file__, root_files.__file__, guest_image.__file__)


@dataclass(frozen=True)
class OwnRoot:
    """A guest's root: its image, its packages' versions, and whose scripts do more than was done.

    `files` are SHA-256 by place in the guest.
    """

    image: Path
    packages: Mapping[str, str] = field(default_factory=dict[str, str])
    not_done: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict[str, str])


def check(packages: Sequence[str], files: Mapping[str, Path]) -> None:
    """Refuse names that no package can have, and files that are not there."""
    for name in packages:
        if not NAME.fullmatch(name):
            raise UsageError(
                f"{name!r} cannot be a Debian package's name; wants a name such as nuttcp"
            )
    for place, source in files.items():
        if not source.exists():
            raise UsageError(f"{source}: there is no such file or folder, for the guest's {place}")
        if PurePosixPath(place) == PurePosixPath("/") or ".." in PurePosixPath(place).parts:
            raise UsageError(
                f"{place} cannot be a file of a guest; wants a path such as /etc/my.conf"
            )


def checksum(files: Mapping[str, Path]) -> str:
    """Return the SHA-256 over files: their places, modes and contents."""
    digest = hashlib.sha256()
    for at, source in _listed(files).items():
        digest.update(f"{at}\0{_mode(source):o}\0".encode())
        digest.update(hashlib.sha256(source.read_bytes()).digest())
    return digest.hexdigest()


def ensure(
    base: Path, packages: Sequence[str], files: Mapping[str, Path], progress: Progress
) -> OwnRoot:
    """Return a root over the root folder of all guests; some seconds for each new set of packages.

    A UsageError names a package that Debian does not have.
    """
    check(packages, files)
    place = cache_dir() / "own-roots"
    place.mkdir(parents=True, exist_ok=True)
    waiting = "waiting for another process that makes a guest's root"
    with file_lock.held(cache_dir() / "own-roots.lock", lambda: progress(waiting)):
        folder = _with_packages(place, base, tuple(sorted(set(packages))), progress)
        listed = _listed(files)
        sums = {at: sha256(source) for at, source in listed.items()}
        image = place / f"{folder.name}-{checksum(files)[:12]}.erofs"
        if not image.exists():
            progress("making the image of a guest's root")
            _forget(place)
            _make_image(folder, listed, image)
        os.utime(image)
    remedy = f"remove {folder}, and it is made again"
    notes = json_file.noted(folder / NOTES, remedy, ("packages", "not_done"))
    return OwnRoot(image, notes["packages"], tuple(notes["not_done"]), sums)


def _forget(place: Path) -> None:
    """Remove images that no run has used for two weeks: each new content of a file makes one."""
    for old in place.glob("*.erofs"):
        if old.stat().st_mtime < time.time() - UNUSED_S:
            old.unlink()


def _listed(files: Mapping[str, Path]) -> dict[str, Path]:
    """Return each file by its place in the guest; a folder is all that is in it."""
    found: dict[str, Path] = {}
    for place, source in files.items():
        if not source.is_dir():
            at = f"{place}{source.name}" if place.endswith("/") else place
            found[str(PurePosixPath(at))] = source
            continue
        for path in sorted(source.rglob("*")):
            if path.is_file():
                found[str(PurePosixPath(place) / path.relative_to(source).as_posix())] = path
    if sum(path.stat().st_size for path in found.values()) > MOST_BYTES:
        raise UsageError(f"files for a guest: more than {MOST_BYTES >> 20} MiB")
    return dict(sorted(found.items()))


def _mode(source: Path) -> int:
    """Return a file's mode in the guest: nobody else's if it is so here, as a private key."""
    mode = source.stat().st_mode
    runs = 0o111 if mode & 0o100 else 0
    return 0o600 | (runs & 0o100) if not mode & 0o077 else 0o644 | runs


def _with_packages(place: Path, base: Path, packages: tuple[str, ...], progress: Progress) -> Path:
    """Return the folder of a root with packages, made if the cache has none of these versions."""
    form = hashlib.sha256(f"{base.name} {guest_image.tools()} {packages}".encode())
    for source in _SOURCES:
        form.update(Path(source).read_bytes())
    answer = place / f"{form.hexdigest()[:16]}.json"  # the newest folder for these names
    known = _known(place, answer)
    if known and (not packages or answer.stat().st_mtime > _lists_read()):
        return known
    downloads: list[Download] = []
    source = Apt(progress)
    if packages:
        try:
            downloads = source.downloads(source.closure([*packages, *ALWAYS]))
        except UsageError:
            raise
        except LonghaulError:  # no lists, no network: the versions of before are as good
            if known:
                return known
            raise
    for item in downloads:
        form.update(f"{item.package} {item.version} {item.sha256}\n".encode())
    folder = place / f"root-{form.hexdigest()[:16]}"
    if not folder.is_dir():
        names = ", ".join(packages) or "no packages"
        progress(f"making a guest's root with {names} ({len(downloads)} packages in all)")
        _make_folder(base, downloads, source, folder)
    answer.write_text(json.dumps({"folder": folder.name}) + "\n")
    return folder


def _known(place: Path, answer: Path) -> Path | None:
    if not answer.exists():
        return None
    folder = place / json_file.noted(answer, f"remove {answer}", ("folder",))["folder"]
    return folder if folder.is_dir() else None


def _lists_read() -> float:
    """Return when apt's lists last changed."""
    times = [path.stat().st_mtime for path in APT_LISTS.glob("*_Packages*")]
    return max([APT_LISTS.stat().st_mtime, *times]) if times else 0.0


def _make_folder(base: Path, downloads: list[Download], source: Apt, folder: Path) -> None:
    with tempfile.TemporaryDirectory(prefix=".root-", dir=folder.parent) as scratch:
        debs, building = Path(scratch) / "debs", Path(scratch) / "root"
        debs.mkdir()
        if downloads:
            source.fetch([item.package for item in downloads], debs)
        shutil.copytree(base, building, symlinks=True)
        for path in sorted(building.rglob("*")):
            if not path.is_symlink():
                runs = path.is_dir() or path.stat().st_mode & 0o100
                path.chmod(0o755 if runs else 0o644)
        for name in FOLDERS:
            (building / name).mkdir(parents=True, exist_ok=True)
        done = package_scripts.Done()
        for item in downloads:
            deb = debs / item.file
            if hashlib.sha256(deb.read_bytes()).hexdigest() != item.sha256:
                raise LonghaulError(f"{item.file}: differs from the file in apt's lists")
            _unpack(deb, building)
            package_scripts.read(item.package, package_scripts.scripts(deb), done)
        for file in sorted((building / "usr" / "lib" / "sysusers.d").glob("*.conf")):
            package_scripts.read_sysusers(file.read_text(errors="replace"), done)
        if downloads:
            package_scripts.write_accounts(building, done)
        package_scripts.link_alternatives(building, done)
        _cache_libraries(building)
        for path in sorted(building.rglob("*")):
            if path.is_file() and not path.is_symlink() and elf.is_elf(path):
                _trap(path)
        versions = {item.package: item.version for item in downloads}
        notes = {"packages": versions, "not_done": sorted(done.left)}
        (building / NOTES).write_text(json.dumps(notes, indent=1) + "\n")
        building.chmod(0o755)
        building.rename(folder)


def _trap(program: Path) -> None:
    """Let an ELF file of x86 see the modelled processor (`guest_image.trap`)."""
    mode = program.stat().st_mode
    program.chmod(0o755)
    guest_image.trap(program)
    program.chmod(mode)


def _unpack(deb: Path, root: Path) -> None:
    """Unpack all of a package over a root; what was at a file's place goes."""
    with subprocess.Popen(
        ["dpkg-deb", "--fsys-tarfile", str(deb)], stdout=subprocess.PIPE
    ) as unpacking:
        with tarfile.open(fileobj=unpacking.stdout, mode="r|") as archive:
            for member in archive:
                _place(archive, member, root)
    if unpacking.returncode != 0:
        raise LonghaulError(f"{deb.name}: dpkg-deb cannot unpack it")


def _place(archive: tarfile.TarFile, member: tarfile.TarInfo, root: Path) -> None:
    target = root / _merged(member.name)
    if member.isdir():
        target.mkdir(parents=True, exist_ok=True)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.is_symlink() or target.is_file():
        target.unlink()
    if member.issym():
        target.symlink_to(member.linkname)
    elif member.islnk():
        os.link(root / _merged(member.linkname), target)
    elif (source := archive.extractfile(member)) is not None:
        with target.open("wb") as out:
            shutil.copyfileobj(source, out)
        target.chmod(member.mode & 0o7777 | 0o400)


def _merged(name: str) -> str:
    """Return a member's path in a root whose /bin, /sbin and /lib lie in /usr."""
    plain = str(PurePosixPath(name))
    return f"usr/{plain}" if plain.split("/")[0] in root_files.MERGED else plain


def _cache_libraries(root: Path) -> None:
    conf = root / "etc" / "ld.so.conf"
    if not conf.exists():
        conf.write_text("include /etc/ld.so.conf.d/*.conf\n")
        (root / "etc" / "ld.so.conf.d").mkdir(exist_ok=True)
    done = subprocess.run(
        [_RUN_TIME, "-X", "-i", "-r", str(root)], capture_output=True, text=True, check=False
    )
    shutil.rmtree(root / "var" / "cache" / "ldconfig", ignore_errors=True)
    if done.returncode or not (root / "etc" / "ld.so.cache").is_file():
        raise LonghaulError(f"{_RUN_TIME} made no etc/ld.so.cache: {done.stderr.strip()[-200:]}")


def _make_image(folder: Path, files: Mapping[str, Path], image: Path) -> None:
    with tempfile.TemporaryDirectory(prefix=".image-", dir=image.parent) as scratch:
        root = Path(scratch) / "root"
        shutil.copytree(folder, root, symlinks=True, copy_function=_link)
        for at, source in files.items():
            target = root / _merged(at.lstrip("/"))
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.is_dir() and not target.is_symlink():
                raise UsageError(f"{at}: is a folder of the guest, and {source} is a file")
            target.unlink(missing_ok=True)
            shutil.copyfile(source, target)
            if elf.is_elf(target):
                _trap(target)
            target.chmod(_mode(source))
        for path in root.rglob("*"):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o755)
        guest_image.of_folder(root, image)


def _link(source: str, target: str) -> str:
    os.link(source, target, follow_symlinks=False)
    return target
