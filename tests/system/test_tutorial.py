# SPDX-License-Identifier: Apache-2.0
"""docs/tutorial.md: its commands are run as they stand there, and say what it quotes."""

import re
import shutil
import struct
from pathlib import Path

import pytest
from rig import page_picture, tutorial_doc, waves_picture
from rig.tutorial_doc import Command
from rig.typed import Shell

Typed = tuple[Path, list[tuple[Command, str]]]


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Typed:
    """Run all commands; return the folder in which they begin, and each with what it said."""
    first = tmp_path_factory.mktemp("tutorial")
    shell = Shell(first, tutorial_doc.HOME)
    every = [part for part in tutorial_doc.parts() if isinstance(part, Command)]
    return first, [(each, shell.run(each.line)) for each in every]


def test_a_quotation_that_is_not_said_is_found() -> None:
    """Breaks of lines do not count, what is left out may be anything, order counts."""
    quoted = Command("ls", "one two\nthree ... five\n")
    assert not quoted.differs("zero one  two three\nfour five six")
    assert quoted.differs("five one two three four") == "five"
    assert quoted.differs("one two, three four five") == "one two three"


def test_the_commands_say_what_the_document_quotes(
    typed: Typed,
) -> None:
    _, every = typed
    assert len(every) > 20
    for command, said in every:
        wrong = command.differs(said)
        assert not wrong, f"$ {command.line}\n{said}\ndoes not say: {wrong}"


def test_a_command_without_a_quotation_says_nothing(
    typed: Typed,
) -> None:
    _, every = typed
    silent = [(command.line, said) for command, said in every if not command.output.strip()]
    assert silent and not [line for line, said in silent if said.strip()]


@pytest.mark.parametrize("name", tutorial_doc.VIEWS)
def test_the_waves_have_what_tables_and_pictures_show(typed: Typed, name: str) -> None:
    """Each wave that a reader is told to open is there, with the values of the table."""
    first, _ = typed
    folder, view = first / "mynic", tutorial_doc.VIEWS[name]
    assert f"\nlonghaul waves {view.run}\n" in tutorial_doc.DOCUMENT.read_text()
    assert tutorial_doc.block(name)["rows"] == tutorial_doc.table(view, folder)
    layout = (folder / view.run / "waves.gtkw").read_text()
    marker = re.search(r"^\*-?[\d.]+ (\d+)", layout, re.MULTILINE)
    assert marker and view.picture[0] < int(marker[1]) < view.picture[1]
    shown = waves_picture.only(layout, view.rows)
    assert len(re.findall(r"^@", shown, re.MULTILINE)) == len(view.rows)


def test_every_picture_of_the_document_is_one_that_the_script_makes() -> None:
    names = {*tutorial_doc.VIEWS, *tutorial_doc.PAGES}
    shown = {part for part in tutorial_doc.parts() if isinstance(part, str)}
    assert {name for name in shown if not name.startswith("table ")} == names
    assert {path.stem for path in tutorial_doc.IMAGES.glob("tutorial-*.png")} == names


def test_a_page_is_drawn(typed: Typed, tmp_path: Path) -> None:
    if shutil.which("wkhtmltoimage") is None:
        pytest.skip("wkhtmltoimage is not installed")
    first, _ = typed
    (page,) = tutorial_doc.PAGES.values()
    page_picture.draw(first / "mynic" / page, tmp_path / "page.png", height=200)
    head = (tmp_path / "page.png").read_bytes()[16:24]
    assert struct.unpack(">II", head) == (page_picture.WIDTH, 200)
