# SPDX-License-Identifier: Apache-2.0
"""Synthesises a design, finds its mistakes, and keeps the report by content in the cache."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from longhaul import json_file
from longhaul.outdir import write_json
from longhaul.paths import cache_dir
from longhaul.synthesis import figures, findings, reads, yosys
from longhaul.synthesis.design import Design
from longhaul.synthesis.findings import Finding
from longhaul.synthesis.netlist import Place, load

Progress = Callable[[str], None]
_HERE = Path(__file__).parent
_REPORT = "report.json"
_GATES = "techmap\nopt -fast\nltp -noff\n"
_LONGEST = re.compile(r"^Longest topological path in .*\(length=(\d+)\)", re.MULTILINE)
_KINDS = {
    "found logic loop": ("combinational loop", "latch"),
    "multiple conflicting drivers": ("multiple drivers",),
    "is used but has no driver": ("undriven",),
}
"""Yosys' own words for what `findings` looks for."""


def report(design: Design, progress: Progress, *, gates: bool = False) -> dict[str, Any]:
    """Return the report of a design, from the cache if nothing of it has changed.

    With `gates` arithmetic is mapped to gates. Raises UsageError for RTL that Yosys refuses.
    """
    files = reads.files(design)
    folder = cache_dir() / "synthesis" / f"{design.name}-{_key(design, files or (), gates)}"
    if files is not None and (folder / _REPORT).is_file():
        os.utime(folder)
        return json_file.noted(folder / _REPORT, f"remove {folder}")
    folder.mkdir(parents=True, exist_ok=True)
    progress(f"{design.top}: Yosys")
    with tempfile.TemporaryDirectory(prefix="making-", dir=folder) as scratch:
        made = _make(design, Path(scratch).resolve(), folder / "yosys.log", gates, progress)
    write_json(folder / _REPORT, made)
    return made


def _make(design: Design, work: Path, log: Path, gates: bool, progress: Progress) -> dict[str, Any]:
    words = [shlex.quote(word) for word in design.arguments(yosys.written)]
    (work / "words.f").write_text("".join(f"{word}\n" for word in words))
    (work / "script.ys").write_text(
        "read_slang -f words.f\n"
        "setattr -mod -unset keep_hierarchy *\n"
        "flatten\n"
        "write_json read.json\n"
        "synth -run coarse:fine\n"
        f"{_GATES if gates else ''}"
        "write_json made.json\n"
    )
    said = yosys.run(work, "script.ys", design, log, progress)

    def text(name: str) -> str:
        return yosys.shown((work / name).read_text(), design)

    def is_declared(place: Place) -> bool:
        lines = (design.folder / place.path).read_text(errors="replace").splitlines()
        return "always_latch" in "".join(lines[place.line - 1 : place.line])

    found = findings.find(load(json.loads(text("read.json")), design.top), is_declared)
    found += unmatched(said, found, Place(design.top, 0))
    made = load(json.loads(text("made.json")), design.top)
    longest: list[str] = _LONGEST.findall(said)
    return {
        "design": design.name,
        "top": design.top,
        "yosys": yosys.version(),
        "gates": gates,
        "findings": [
            {"kind": each.kind, "path": each.place.path, "line": each.place.line, "text": each.text}
            for each in found
        ],
        **figures.figures(made),
        "longest_path_of_yosys": int(longest[-1]) if longest else None,
        "left_out": list(design.left_out),
    }


def unmatched(said: str, found: list[Finding], top: Place) -> list[Finding]:
    """Return what Yosys' `check` reports of a kind of which nothing was found here."""
    kinds = {each.kind for each in found}
    more: dict[str, Finding] = {}
    for line in yosys.warnings(said):
        for words, ours in _KINDS.items():
            if words in line and kinds.isdisjoint(ours):
                more.setdefault(ours[0], Finding(top, ours[0], f"Yosys: {line.rstrip(':')}"))
    return list(more.values())


def _key(design: Design, files: Sequence[Path], gates: bool) -> str:
    texts = [yosys.version(), str(gates), design.top, *design.arguments(design.shown)]
    digest = hashlib.sha256("\0".join(texts).encode())
    for path in (*sorted(_HERE.glob("*.py")), *files):
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
