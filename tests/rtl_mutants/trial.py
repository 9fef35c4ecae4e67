# SPDX-License-Identifier: Apache-2.0
"""One mutant of the template NIC: made, run as a user would run it, and judged."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longhaul.paths import ROOT

from rtl_mutants import verdict
from rtl_mutants.verdict import Finding

HERE = Path(__file__).parent
TEMPLATE = ROOT / "platform/python/longhaul/workspace/templates/rtl_nic"
UNMUTATED = "none"
WALL_LIMIT_S = 150  # of one run; one that ends by itself takes some 10 s of a quiet machine


@dataclass(frozen=True)
class Mutant:
    """A bug: text of one file of the template that is replaced, mostly once."""

    name: str
    what: str
    file: str
    edits: tuple[tuple[str, str], ...]
    fast: bool
    why: str

    def apply(self, workspace: Path) -> None:
        """Change the workspace's copy; a ValueError if the text is not there exactly once."""
        if not self.edits:
            return
        path = workspace / self.file
        text = path.read_text()
        for old, new in self.edits:
            if text.count(old) != 1:
                raise ValueError(f"{self.name}: {old!r} is {text.count(old)} times in {self.file}")
            text = text.replace(old, new)
        path.write_text(text)


@dataclass(frozen=True)
class Stage:
    """One command `longhaul run` and its settings."""

    name: str
    settings: tuple[str, ...]
    pings: tuple[int, ...] = ()  # sizes of echoes that go ahead

    def words(self) -> list[str]:
        """Return the words of the command."""
        words = [word for text in self.settings for word in ("--set", text)]
        if self.pings:
            sizes = " ".join(map(str, self.pings))
            ping = "ping -n -q -c 2 -i 0.01 -W 1 -p a5 -s $s $LH_PEER"
            # The first seconds of a clock confuse ping (sw/guest/lib.sh).
            words += ["--before", f"own=sleep 1; for s in {sizes}; do {ping} || exit 1; done"]
        return words


_IPERF = ("workload=iperf", "duration=3ms", "warmup=1ms")
STAGES = (
    Stage("ping", ("duration=100ms",), pings=(1, 17, 18, 19, *range(64, 72), 1471, 1472)),
    Stage("out", _IPERF),
    Stage("in", (*_IPERF, "direction=in")),
    Stage("jumbo", (*_IPERF, "direction=in", "mtu=9000"), pings=(4001, 8971, 8972)),
)


def mutants() -> dict[str, Mutant]:
    """Return all mutants by name, the template as it is first."""
    found = {UNMUTATED: Mutant(UNMUTATED, "The template as it is.", "", (), True, "")}
    for file in ("rtl.toml", "driver.toml"):
        for name, entry in tomllib.loads((HERE / file).read_text()).items():
            found[name] = _mutant(name, entry)
    return found


def _mutant(name: str, entry: dict[str, Any]) -> Mutant:
    edits = [(entry["old"], entry["new"])]
    if "also_old" in entry:
        edits.append((entry["also_old"], entry["also_new"]))
    return Mutant(
        name,
        entry["what"],
        entry["file"],
        tuple(edits),
        entry.get("fast", False),
        entry.get("why", ""),
    )


def longhaul(folder: Path, *words: str) -> tuple[int | None, str]:
    """Run the command line in a folder; its exit code (None: it was stopped) and all it said."""
    command = [sys.executable, "-m", "longhaul", *words]
    env = os.environ | {"LONGHAUL_PLUGINS": ""}
    with subprocess.Popen(
        command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            said, _ = process.communicate(timeout=WALL_LIMIT_S)
        except subprocess.TimeoutExpired:
            process.terminate()  # it stops its simulator
            said, _ = process.communicate()
            return None, said
    return process.returncode, said


def made(mutant: Mutant, folder: Path) -> Path:
    """Make a workspace of the mutant anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    code, said = longhaul(folder.parent, "new", "mynic", "--kind", "rtl-nic", "--in", str(folder))
    if code != 0:
        raise RuntimeError(said)
    workspace = folder / "mynic"
    mutant.apply(workspace)
    return workspace


def run(
    mutant: Mutant, folder: Path, stages: Iterable[Stage] = STAGES, wanted: Path | None = None
) -> Finding | None:
    """Run stage after stage until one shows the bug; None if none does.

    `wanted` is the folder of the unmutated NIC's results, to compare figures with.
    """
    workspace = made(mutant, folder)
    for stage in stages:
        out = workspace / "out" / stage.name
        begun = time.monotonic()
        code, said = longhaul(workspace, "run", *stage.words(), "--out", str(out))
        finding = verdict.of(stage.name, out, code, said, wanted and wanted / stage.name)
        if finding:
            return finding.after(time.monotonic() - begun)
    return None
