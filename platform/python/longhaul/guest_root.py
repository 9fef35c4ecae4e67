# SPDX-License-Identifier: Apache-2.0
"""The guests' root folder: files of Debian packages and our scripts, made without root."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from longhaul import guest_image, guest_root_files
from longhaul.errors import LonghaulError
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


@dataclass(frozen=True)
class Download:
    """A package as apt would fetch it now."""

    package: str
    version: str
    file: str
    sha256: str


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
    scripts_key = _scripts_key()
    packages = wanted()
    folders = (path for path in cache_dir().glob(f"guest-root-{scripts_key}-*") if path.is_dir())
    found = sorted(folders, key=_made)
    if found and _made(found[-1]) > _lists_read():
        return found[-1]
    try:
        apt = _Apt(progress)
        downloads = apt.downloads([item.package for item in packages])
    except LonghaulError:
        # Without apt's lists, a root that was made of the same scripts before is as good.
        if not found:
            raise
        return found[-1]
    root = cache_dir() / f"guest-root-{scripts_key}-{_packages_key(downloads)}"
    with _lock():
        if not root.exists():
            progress("making the guests' root folder")
            _make(root, packages, downloads, apt)
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
    return json.loads((root / "longhaul" / "packages.json").read_text())


def _made(root: Path) -> float:
    return root.stat().st_mtime


def _lists_read() -> float:
    """Return when apt's lists last changed: a younger root has the versions that apt would take."""
    times = [path.stat().st_mtime for path in APT_LISTS.glob("*_Packages*")]
    return max([APT_LISTS.stat().st_mtime, *times]) if times else 0.0


def _scripts_key() -> str:
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


def _make(root: Path, packages: list[Wanted], downloads: list[Download], apt: _Apt) -> None:
    with tempfile.TemporaryDirectory(prefix="guest-root-", dir=cache_dir()) as scratch:
        debs = Path(scratch) / "debs"
        debs.mkdir()
        apt.fetch([item.package for item in downloads], debs)
        building = Path(scratch) / "root"
        guest_root_files.make_skeleton(building)
        for item, download in zip(packages, downloads, strict=True):
            deb = debs / download.file
            if hashlib.sha256(deb.read_bytes()).hexdigest() != download.sha256:
                raise LonghaulError(f"{download.file}: not the file that apt's lists describe")
            guest_root_files.take(deb, item.patterns, building)
        guest_root_files.link_applets(building)
        shutil.copytree(SCRIPTS, building / "longhaul", ignore=shutil.ignore_patterns("*.md"))
        (building / "longhaul" / "packages.json").write_text(
            json.dumps({item.package: item.version for item in downloads}, indent=1) + "\n"
        )
        guest_root_files.check_libraries(building)
        building.chmod(0o755)
        building.rename(root)


class _Apt:
    """apt-get as any user: with the system's package lists, or else with lists of our own."""

    def __init__(self, progress: Progress) -> None:
        self._options: list[str] = []
        self._progress = progress

    def downloads(self, packages: list[str]) -> list[Download]:
        """Return what apt would fetch for the packages, in their order."""
        text = self._try_uris(packages)
        if text is None:
            self._use_own_lists()
            text = self._try_uris(packages)
        if text is None:
            raise LonghaulError(
                "apt-get knows no source of the guests' packages; `sudo apt-get update` tells why"
            )
        by_package = {item.package: item for item in map(_parse_uri, text.splitlines())}
        missing = [package for package in packages if package not in by_package]
        if missing:
            raise LonghaulError(f"apt-get knows no package {missing[0]}; run `sudo apt-get update`")
        return [by_package[package] for package in packages]

    def fetch(self, packages: list[str], folder: Path) -> None:
        """Download the packages into a folder."""
        done = self._run(["download", "-q", *packages], folder)
        if done.returncode != 0:
            raise LonghaulError(
                f"cannot download the guests' packages: {_error_line(done.stderr)}; is there a"
                " network, and are the lists fresh (`sudo apt-get update`)?"
            )

    def _try_uris(self, packages: list[str]) -> str | None:
        done = self._run(["download", "-q", "--print-uris", *packages], Path("/"))
        return done.stdout if done.returncode == 0 else None

    def _use_own_lists(self) -> None:
        state = cache_dir() / "apt"
        for folder in (state / "lists" / "partial", state / "archives" / "partial"):
            folder.mkdir(parents=True, exist_ok=True)
        self._options = [
            f"-oDir::State::Lists={state}/lists",
            f"-oDir::Cache={state}",
            "-oAPT::Sandbox::User=",
        ]
        self._progress("reading Debian's package lists (the system has none)")
        done = self._run(["update", "-q"], Path("/"))
        if done.returncode != 0:
            raise LonghaulError(f"cannot read Debian's package lists: {_error_line(done.stderr)}")

    def _run(self, arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
        command = ["apt-get", *self._options, "-oAPT::Sandbox::User=root", *arguments]
        try:
            return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            raise LonghaulError(
                "there is no apt-get: the guests' root is made of Debian 12's packages"
            ) from None


def _parse_uri(line: str) -> Download:
    """Read a line of --print-uris: 'URI' FILE SIZE SHA256:SUM, FILE = PACKAGE_VERSION_ARCH.deb."""
    _uri, file, _size, checksum = line.rsplit(" ", 3)
    package, version, _arch = file.removesuffix(".deb").split("_")
    return Download(package, unquote(version), file, checksum.removeprefix("SHA256:"))


def _error_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.startswith("E:")] or text.splitlines()
    return lines[-1].removeprefix("E: ") if lines else "apt-get does not say why"
