# SPDX-License-Identifier: Apache-2.0
"""docs/tutorial_bug_hunt.md: its commands are run as they stand there, and say what it quotes."""

import re
from pathlib import Path

import pytest
from longhaul.packets.file import Stage
from rig import bug_hunt_doc, waves_picture
from rig.depth import deep_only
from rig.tutorial_doc import HOME, Command, commands_in
from rig.typed import Shell

pytestmark = deep_only
Typed = tuple[Path, list[tuple[Command, str]]]


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Typed:
    """Run all commands; return the run's folder, and each command with what it said."""
    folder = tmp_path_factory.mktemp("hunt")
    shell = Shell(folder, HOME)
    every = [(each, shell.run(each.line)) for each in commands_in(bug_hunt_doc.DOCUMENT)]
    return folder / bug_hunt_doc.RUN, every


def test_the_commands_say_what_the_document_quotes(typed: Typed) -> None:
    _, every = typed
    assert len(every) == 7
    for command, said in every:
        wrong = command.differs(said)
        assert not wrong, f"$ {command.line}\n{said}\ndoes not say: {wrong}"


def test_the_table_has_the_sums_of_the_waves(typed: Typed) -> None:
    """One of the frames in the picture has a sum that is wrong, and too large by one."""
    run, _ = typed
    rows = bug_hunt_doc.table(run)
    assert rows == bug_hunt_doc.told()
    sums = [line.split(" | ")[-2:] for line in rows.splitlines()[2:]]
    wrong = [(int(made, 16), int(right.rstrip(" |"), 16)) for made, right in sums]
    assert [made - right for made, right in wrong if made != right] == [1]


def test_the_picture_shows_the_whole_life_of_the_packet_in_the_nic(typed: Typed) -> None:
    run, _ = typed
    begin, end = bug_hunt_doc.shown(run)
    steps = bug_hunt_doc.life(run)
    stages = (Stage.DOORBELL, Stage.DESCRIPTOR_FETCH, Stage.DATA_READ, Stage.BUFFER, Stage.WIRE)
    assert set(stages) == {step.stage for step in steps}
    assert all(begin < step.start_ps <= step.end_ps < end for step in steps)
    layout = waves_picture.only((run / "waves.gtkw").read_text(), bug_hunt_doc.ROWS)
    assert len(re.findall(r"^@", layout, re.MULTILINE)) == len(bug_hunt_doc.ROWS)
    assert "(images/bug-hunt.png)" in bug_hunt_doc.DOCUMENT.read_text()
