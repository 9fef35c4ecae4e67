# SPDX-License-Identifier: Apache-2.0
"""One mutant of the template NIC: made, run as a user would run it, and judged."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longhaul.paths import ROOT
from longhaul.validation import catalog

from rtl_mutants import verdict
from rtl_mutants.verdict import Finding

HERE = Path(__file__).parent
TEMPLATE = ROOT / "platform/python/longhaul/workspace/templates/rtl_nic"
TWIN = ROOT / "examples/mynic_twin"
_WITH_TWIN = (
    ('plugins = ["mynic.toml"]', 'plugins = ["mynic.toml", "twin"]'),
    ("[validate]", '[validate]\nadapter = "mynic"\ntwin = "mynic_tlm"'),
    ("\nmost = ", '\ntwin_registers = "rtl/mynic.rdl"\nmost = '),
)
UNMUTATED = "none"
WALL_LIMIT_S = 3600  # of all tests; those of the unmutated NIC take some 100 s of one free core


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
    """Make a workspace of the mutant again."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    code, said = longhaul(folder.parent, "new", "mynic", "--kind", "rtl-nic", "--in", str(folder))
    if code != 0:
        raise RuntimeError(said)
    workspace = folder / "mynic"
    mutant.apply(workspace)
    return workspace


def run(mutant: Mutant, folder: Path) -> Finding | None:
    """Validate the mutant until a test fails, then against its TLM twin; None if all pass."""
    workspace = made(mutant, folder)
    begun = time.monotonic()
    finding = _validated(workspace, "validation") or _against_twin(workspace)
    return finding and finding.after(time.monotonic() - begun)


def _validated(workspace: Path, out: str, *more: str) -> Finding | None:
    words = ("validate", "--fail-fast", "--no-waves", "--jobs", "1", "--out", out, *more)
    code, said = longhaul(workspace, *words)
    return verdict.of(workspace / out, code, said)


def _against_twin(workspace: Path) -> Finding | None:
    shutil.copytree(TWIN, workspace / "twin")
    settings = workspace / "longhaul.toml"
    text = settings.read_text()
    for old, new in _WITH_TWIN:
        if text.count(old) != 1:
            raise ValueError(f"{settings}: {old!r} is there {text.count(old)} times")
        text = text.replace(old, new)
    settings.write_text(text)
    tests = (test.name for test in catalog.tests().values() if test.twin)
    only = [word for test in tests for word in ("--only", test)]
    return _validated(workspace, "against-twin", *only)
