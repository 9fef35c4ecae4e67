# SPDX-License-Identifier: Apache-2.0
"""docs/tutorial_retransmits.md: its example is run as it stands there, and what it says is so."""

from pathlib import Path

import pytest
from rig import front_door, waves_doc
from rig.fst import Waves, cause_rows


@pytest.fixture(scope="module")
def hunt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    scenario, *options = waves_doc.command("out/hunt")
    out = tmp_path_factory.mktemp("hunt") / "o"
    return front_door.run(out, scenario, options=tuple(options))


def test_a_table_is_written_into_its_own_block_even_an_empty_one() -> None:
    begin, end = "<!-- {}: tests/rig/waves_doc.py -->\n", "<!-- end -->\n"
    text = begin.format("hunt") + "{}" + end + "between\n" + begin.format("storm") + end
    once = waves_doc.filled(text.format(""), "hunt", "| a |")
    assert once == text.format("| a |\n")
    assert waves_doc.filled(once, "hunt", "| b |") == text.format("| b |\n")


def test_the_table_is_what_the_run_says(hunt: Path) -> None:
    made = waves_doc.hunt(hunt)
    assert waves_doc.written("hunt") == made, waves_doc.table(made)


def test_the_loss_lies_in_the_picture_and_explains_it_from_the_top(hunt: Path) -> None:
    """Nobody has said how much history is wanted."""
    told = waves_doc.told(hunt)
    assert told["from_ps"] < told["cause"]["ps"] < told["trigger_ps"]
    place = told["cause"]["place"]
    rows = [row.split(".")[-1] if ".tcp." in row else row for row in cause_rows(hunt)]
    assert rows[:3] == ["retransmit", "ca_state", "cwnd"]
    assert {f"{place}.lost", f"{place}.last_lost", f"{place}.stored"} <= set(rows)
    assert told["cause"]["ps"] in Waves(hunt).row(f"{place}.lost").times
    header = (hunt / "waves.gtkw").read_text().splitlines()
    (marks,) = (line.split() for line in header if line.startswith("*"))
    assert marks[1:] == [str(told["trigger_ps"]), str(told["cause"]["ps"])]


def test_the_readmes_own_line_has_the_loss_in_its_picture(tmp_path: Path) -> None:
    text = (front_door.ROOT / "README.md").read_text()
    (line,) = (each for each in text.splitlines() if "--waves-trigger retransmit" in each)
    words = line.split("&&")[0].split()[2:]
    words = words[: words.index("--out")]
    scenario, *options = words
    options += ["--set", "system=linux-2.6.6", "--set", "duration=100ms", "--set", "warmup=20ms"]
    run = front_door.run(tmp_path / "o", scenario, options=tuple(options))
    told = waves_doc.told(run)
    assert told["from_ps"] < told["cause"]["ps"] < told["trigger_ps"]
