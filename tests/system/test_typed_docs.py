# SPDX-License-Identifier: Apache-2.0
"""Documents whose commands run in seconds: each is run as it stands, and says what is quoted."""

import re
from pathlib import Path

import pytest
from longhaul.paths import ROOT
from rig.tutorial_doc import HOME, commands
from rig.typed import Shell

CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DOCUMENTS = {
    "packets.md": 2,
    "start.md": 2,
    "tutorial_retransmits.md": 1,
    "tutorial_upgrades.md": 4,
}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_commands_say_what_the_document_quotes(document: str, tmp_path: Path) -> None:
    shell = Shell(tmp_path, HOME)
    text = (ROOT / "docs" / document).read_text()
    every = [each for block in CONSOLE.findall(text) for each in commands(block)]
    assert len(every) == DOCUMENTS[document]
    for command in every:
        assert "real" not in command.line and "demo" not in command.line
        said = shell.run(command.line.removeprefix("./"))
        wrong = command.differs(said)
        assert not wrong, f"$ {command.line}\n{said}\ndoes not say: {wrong}"
