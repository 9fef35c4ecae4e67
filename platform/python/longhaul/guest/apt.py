# SPDX-License-Identifier: Apache-2.0
"""Debian's packages as apt fetches them, for any user."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from longhaul.errors import LonghaulError, UsageError
from longhaul.paths import cache_dir

Progress = Callable[[str], None]

_UNKNOWN = r"Unable to locate package (\S+)|Package '?(\S+?)'? has no installation candidate"


@dataclass(frozen=True)
class Download:
    """A package as apt would fetch it now."""

    package: str
    version: str
    file: str
    sha256: str


class Apt:
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
                "apt-get knows no source of the packages; `sudo apt-get update` shows why"
            )
        by_package = {item.package: item for item in map(_parse_uri, text.splitlines())}
        missing = [package for package in packages if package not in by_package]
        if missing:
            raise LonghaulError(f"apt-get knows no package {missing[0]}; run `sudo apt-get update`")
        return [by_package[package] for package in packages]

    def closure(self, packages: list[str]) -> list[str]:
        """Return packages and all that they depend on, whatever this host has.

        A UsageError names one that Debian does not have.
        """
        done = self._install(packages)
        if done.returncode and not self._options:
            self._use_own_lists()
            done = self._install(packages)
        if done.returncode:
            unknown = re.search(_UNKNOWN, done.stderr)
            if unknown:
                raise UsageError(f"Debian 12 has no package {unknown[1] or unknown[2]}")
            raise LonghaulError(f"{' '.join(packages)}: {_error_line(done.stderr)}")
        lines = [line for line in done.stdout.splitlines() if line.startswith("'")]
        return sorted(line.rsplit(" ", 3)[1].partition("_")[0] for line in lines)

    def _install(self, packages: list[str]) -> subprocess.CompletedProcess[str]:
        """Let apt say what it would install on a system that has nothing."""
        with tempfile.TemporaryDirectory(prefix="longhaul-apt-") as scratch:
            (Path(scratch) / "status").touch()
            (Path(scratch) / "archives" / "partial").mkdir(parents=True)
            options = [
                f"-oDir::State::status={scratch}/status",
                f"-oDir::Cache::archives={scratch}/archives",
                "-oDebug::NoLocking=1",
                "-oAPT::Install-Recommends=false",
            ]
            words = ["install", "-q", "-y", "--print-uris", "--no-remove", *options]
            return self._run([*words, "--", *packages], Path("/"))

    def fetch(self, packages: list[str], folder: Path) -> None:
        """Download the packages into a folder."""
        done = self._run(["download", "-q", *packages], folder)
        if done.returncode != 0:
            raise LonghaulError(
                f"cannot download {' '.join(packages[:3])}: {_error_line(done.stderr)}; is there a"
                " network, and are the lists fresh (`sudo apt-get update`)?"
            )

    def depends(self, package: str) -> list[str]:
        """Return the packages that one depends on."""
        command = ["apt-cache", *self._options, "depends", package]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return re.findall(r"^  Depends: (\S+)$", done.stdout, re.MULTILINE)

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
