# SPDX-License-Identifier: Apache-2.0
"""A host with few tools, and programs in place of podman and docker that note their calls."""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from longhaul.paths import ROOT

ME = os.geteuid()
NOBODY = 65534
TREE = (
    *("longhaul", "Containerfile", "requirements.txt", "requirements-dev.txt"),
    *("platform/container", "platform/config/debian-packages.txt"),
)
# All that a host needs besides an engine.
TOOLS = (
    *("bash", "env", "sh", "dirname", "readlink", "mkdir", "cat", "cut", "sed", "tail", "id"),
    *("sha256sum", "flock", "mv", "rm"),
)
CACHE = "/var/cache/longhaul"
BASE = "docker.io/library/debian:12"
PODMAN = "podman version 4.3.1"
DOCKER = "Docker version 28.2.2, build e6534b4"

ENGINE = """
line=$(printf '%q ' "$@")
echo "${line% }" >>"$STATE/calls"
case "$1 ${2-}" in
  --version*) echo "@VERSION@" ;;
  info*) echo "[name=seccomp,profile=builtin${SECURITY-}]" ;;
  'images --quiet') grep -qxF "$3" "$STATE/images" && echo 0123456789ab; true ;;
  'images --format') cat "$STATE/images" ;;
  'volume ls') printf '%s\\n' "$VOLUME" "$VOLUME-of-another" ;;
  build*)
    while [ "$1" != --tag ]; do shift; done
    echo "$2" >>"$STATE/images" ;;
  run*)
    echo "$$ $(stat -c %s /proc/self/fd/0 2>/dev/null)" >"$STATE/pid"
    exit "${STATUS-0}" ;;
esac
"""


@dataclass
class Host:
    """A system with few tools and perhaps an engine; a checkout; a folder to stand in."""

    place: Path
    environment: dict[str, str] = field(default_factory=dict[str, str])
    user: int = ME

    @property
    def tree(self) -> Path:
        return self.place / "tree"

    @property
    def here(self) -> Path:
        return self.place / "here"

    def engine(self, name: str, version: str) -> None:
        program = self.place / "bin" / name
        program.write_text("#!/usr/bin/env bash" + ENGINE.replace("@VERSION@", version))
        program.chmod(0o755)

    def command(self, *words: str) -> list[str]:
        drop = ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups"]
        return [*(drop if self.user != ME else []), str(self.tree / "longhaul"), *words]

    def variables(self, more: Mapping[str, str]) -> dict[str, str]:
        setpriv = str(Path(shutil.which("setpriv") or "setpriv").parent)
        path = f"{self.place}/bin" + (f":{setpriv}" if self.user != ME else "")
        state = {"STATE": f"{self.place}/state", "HOME": f"{self.place}/home", "USER": "me"}
        state["VOLUME"] = f"longhaul-cache-{self.user}"
        return {"PATH": path, **state, **self.environment, **more}

    def start(self, *words: str, **more: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            self.command(*words), env=self.variables(more), cwd=self.here,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip

    def refused(self, *words: str, **more: str) -> str:
        """Start what ends with 2 and one line, before anything is built or run; return the line."""
        done = self.start(*words, **more)
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert not [call for call in self.calls() if call[0] in ("build", "run")]
        (line,) = done.stderr.splitlines()
        return line.removeprefix("longhaul: ")

    def calls(self, *begin: str) -> list[list[str]]:
        notes = self.place / "state" / "calls"
        lines = notes.read_text().splitlines() if notes.exists() else []
        calls = [shlex.split(line) for line in lines]
        return [call for call in calls if call[: len(begin)] == list(begin)]

    def run(self, *words: str, **more: str) -> list[str]:
        """Start what reaches the engine's `run`; return the words of that call."""
        done = self.start(*words, **more)
        assert done.returncode == 0, done.stderr
        return self.calls("run")[-1]


def make() -> Iterator[Host]:
    """Make a host without an engine, with a checkout of what `container` reads."""
    with tempfile.TemporaryDirectory() as folder:  # unlike tmp_path, another user can reach it
        host = Host(Path(folder).resolve())
        for name in ("bin", "state", "home", "here"):
            (host.place / name).mkdir()
            (host.place / name).chmod(0o777)
        host.place.chmod(0o755)
        (host.place / "state" / "images").touch(0o666)
        (host.place / "state" / "images").chmod(0o666)
        for name in TOOLS:
            (host.place / "bin" / name).symlink_to(shutil.which(name) or f"/usr/bin/{name}")
        for name in ("grep", "stat", "wc"):  # the engine's
            (host.place / "bin" / name).symlink_to(shutil.which(name) or f"/usr/bin/{name}")
        for name in TREE:
            target = host.tree / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, target)
            else:
                shutil.copy(ROOT / name, target)
        yield host


def options(call: list[str], name: str) -> list[str]:
    """Return the values of an option of a call."""
    return [value for option, value in zip(call, call[1:], strict=False) if option == name]


def mounts(call: list[str]) -> dict[str, str]:
    """Return what is mounted where, with "ro" in front of what cannot be written."""
    found: dict[str, str] = {}
    for text in options(call, "--mount"):
        match = re.fullmatch(r"type=\w+,source=(.*),target=(.*?)(,readonly)?", text)
        assert match, text
        found[match[2]] = ("ro:" if match[3] else "") + match[1]
    return found
