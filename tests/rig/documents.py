# SPDX-License-Identifier: Apache-2.0
"""Run what documents quote, and write their tables and pictures again.

`python -m rig.documents [NAME...]` does all documents, or some. It prints each command whose quoted
output is not what the command says: that text is mended by hand.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from longhaul.docs import fitted
from longhaul.paths import ROOT

from rig import bug_hunt_doc, front_door, offload_doc, tutorial_doc, waves_doc
from rig.tutorial_doc import HOME, commands_in
from rig.typed import Shell

TYPED = {"packets.md": 2, "start.md": 2, "tutorial_retransmits.md": 1, "tutorial_upgrades.md": 6}
"""Documents whose commands run in seconds, and the number of their commands."""


def differences(document: str, folder: Path) -> list[str]:
    """Type a document's commands in an empty folder; return what each says that is not quoted."""
    shell = Shell(folder, HOME)
    every = commands_in(ROOT / "docs" / document)
    assert len(every) == TYPED[document], f"docs/{document} has {len(every)} commands"
    found: list[str] = []
    for command in every:
        assert "real" not in command.line and "demo" not in command.line
        said = shell.run(command.line.removeprefix("./"))
        if wrong := command.differs(said):
            found.append(f"$ {command.line}\n{said}\ndoes not say: {wrong}")
    return found


def _typed(folder: Path) -> None:
    for document in TYPED:
        for each in differences(document, folder / document):
            print(f"docs/{document}: {each}")


def _waves(folder: Path) -> None:
    for name in waves_doc.TABLES:
        scenario, *options = waves_doc.command(f"out/{name}")
        run = front_door.run(folder / name, scenario, options=tuple(options))
        waves_doc.main(name, str(run))


def _fitted(_: Path) -> None:
    fitted.main(["--update"])


PARTS: dict[str, Callable[[Path], None]] = {
    "fitted": _fitted,
    "typed": _typed,
    "retransmits": _waves,
    "bug_hunt": bug_hunt_doc.main,
    "offload": offload_doc.main,
    "tutorial": tutorial_doc.main,
}


def main(words: list[str]) -> None:
    """Do the parts that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m rig.documents", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="NAME", help=", ".join(PARTS))
    parts: list[str] = parser.parse_args(words).parts or list(PARTS)
    if wrong := sorted(set(parts) - set(PARTS)):
        parser.error(f"no such document: {', '.join(wrong)} (there are: {', '.join(PARTS)})")
    with tempfile.TemporaryDirectory() as scratch:
        for part in parts:
            print(f"{part} ...", flush=True)
            PARTS[part](Path(scratch) / part)


if __name__ == "__main__":
    main(sys.argv[1:])
