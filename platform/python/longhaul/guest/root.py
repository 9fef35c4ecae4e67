# SPDX-License-Identifier: Apache-2.0
"""The guests' root folder: files of Debian packages and our scripts, made without root."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from longhaul import json_file
from longhaul.errors import LonghaulError
from longhaul.guest import image as guest_image
from longhaul.guest import root_files as guest_root_files
from longhaul.guest.apt import Apt, Download
from longhaul.paths import ROOT, cache_dir

Progress = Callable[[str], None]

SCRIPTS = ROOT / "sw" / "guest"
LIST = SCRIPTS / "packages.txt"
APT_LISTS = Path("/var/lib/apt/lists")


@dataclass(frozen=True)
class Wanted:
    """A line of packages.txt: a package and the patterns of the files that are taken from it."""

    package: str
    patterns: tuple[str, ...]


def wanted(listing: Path = LIST) -> list[Wanted]:
    """Read packages.txt."""
    lines = [line.split("#")[0].strip() for line in listing.read_text().splitlines()]
    result: list[Wanted] = []
    for line in filter(None, lines):
        package, patterns, _reason = (part.strip() for part in line.split("|", 2))
        result.append(Wanted(package, tuple(patterns.split())))
    return result


def ensure(progress: Progress) -> Path:
    """Return the root folder, made if the cache has none for these scripts and package versions."""
    scripts = scripts_key()
    packages = wanted()
    folders = (path for path in cache_dir().glob(f"guest-root-{scripts}-*") if path.is_dir())
    found = sorted(folders, key=_made)
    if found and _made(found[-1]) > _lists_read():
        return found[-1]
    try:
        source = Apt(progress)
        downloads = source.downloads([item.package for item in packages])
    except LonghaulError:
        # Without apt's lists, a root that was made of the same scripts before is as good.
        if not found:
            raise
        return found[-1]
    root = cache_dir() / f"guest-root-{scripts}-{_packages_key(downloads)}"
    with _lock():
        if not root.exists():
            progress("making the guests' root folder")
            _make(root, packages, downloads, source)
        else:
            os.utime(root)  # of the versions of today's lists
    return root


def image(root: Path, progress: Progress) -> Path:
    """Return the disk image of a root, made if the cache has none; ten seconds."""
    form = hashlib.sha256(Path(guest_image.__file__).read_bytes() + guest_image.tools().encode())
    path = root.with_name(f"{root.name}-{form.hexdigest()[:8]}.erofs")
    with _lock():
        if not path.exists():
            progress("making the image of the guests' root")
            guest_image.of_root(root, path)
    return path


def versions(root: Path) -> dict[str, str]:
    """Return the versions of the packages in a root, for the manifest."""
    remedy = f"remove {root}, and it is made again"
    return json_file.noted(root / "longhaul" / "packages.json", remedy)


def _made(root: Path) -> float:
    return root.stat().st_mtime


def _lists_read() -> float:
    """Return when apt's lists last changed: a younger root has the versions that apt would take."""
    times = [path.stat().st_mtime for path in APT_LISTS.glob("*_Packages*")]
    return max([APT_LISTS.stat().st_mtime, *times]) if times else 0.0


def scripts_key() -> str:
    """Return a checksum of the tree's own files in the root, and of what puts it together."""
    digest = hashlib.sha256()
    sources = [*SCRIPTS.rglob("*"), Path(__file__), Path(guest_root_files.__file__)]
    for path in sorted(path for path in sources if path.is_file() and path.suffix != ".md"):
        digest.update(f"{path.name} {path.stat().st_mode & 0o111 != 0}\n".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


def _packages_key(downloads: list[Download]) -> str:
    text = "".join(f"{item.package} {item.version} {item.sha256}\n" for item in downloads)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@contextmanager
def _lock() -> Generator[None]:
    cache_dir().mkdir(parents=True, exist_ok=True)
    with (cache_dir() / "guest-root.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def copy_scripts(scripts: Path, place: Path) -> None:
    """Copy the tree's own files; modes are the same whatever those of the checkout are.

    A checkout may be read-only, or its owner's alone.
    """
    shutil.copytree(
        scripts, place, ignore=shutil.ignore_patterns("*.md"), copy_function=shutil.copyfile
    )
    for path in (place, *place.rglob("*")):
        runs = path.is_dir() or (scripts / path.relative_to(place)).stat().st_mode & 0o111
        path.chmod(0o755 if runs else 0o644)


def _make(root: Path, packages: list[Wanted], downloads: list[Download], source: Apt) -> None:
    with tempfile.TemporaryDirectory(prefix="guest-root-", dir=cache_dir()) as scratch:
        debs = Path(scratch) / "debs"
        debs.mkdir()
        source.fetch([item.package for item in downloads], debs)
        building = Path(scratch) / "root"
        guest_root_files.make_skeleton(building)
        for item, download in zip(packages, downloads, strict=True):
            deb = debs / download.file
            if hashlib.sha256(deb.read_bytes()).hexdigest() != download.sha256:
                raise LonghaulError(f"{download.file}: differs from the file in apt's lists")
            guest_root_files.take(deb, item.patterns, building)
        guest_root_files.link_applets(building)
        copy_scripts(SCRIPTS, building / "longhaul")
        (building / "longhaul" / "packages.json").write_text(
            json.dumps({item.package: item.version for item in downloads}, indent=1) + "\n"
        )
        guest_root_files.check_libraries(building)
        building.chmod(0o755)
        building.rename(root)
