# SPDX-License-Identifier: Apache-2.0
"""docs/tutorial_offload.md: its run is made as it stands there, and its table is what waves say."""

from pathlib import Path

import pytest
from rig import offload_doc, waves_picture
from rig.fst import Waves
from rig.waves_doc import table


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return offload_doc.run(tmp_path_factory.mktemp("offload") / "o")


def test_the_table_is_what_the_run_says(run: Path) -> None:
    made = table(offload_doc.facts(run))
    assert offload_doc.written() == made, made


def test_the_picture_has_the_control_block_beside_the_frames(run: Path) -> None:
    layout = waves_picture.only((run / "waves.gtkw").read_text(), offload_doc.rows(run))
    assert layout.count("\n@") == len(offload_doc.rows(run))
    assert "(images/offload-tcb.png)" in offload_doc.DOCUMENT.read_text()


def test_the_hosts_own_tcp_has_no_connection_and_the_engines_tables_have_one(run: Path) -> None:
    drawn = Waves(run)
    assert not any(name.startswith("sender.tcp.") for name in drawn.names)
    for table_ in ("cm_connections", "tcam_connections"):
        assert drawn.row(f"sender.eth0.path.toe.{table_}").number(drawn_end(drawn)) == 1


def test_the_pipelines_states_have_names(run: Path) -> None:
    drawn = Waves(run)
    seen = {value for _, value in drawn.row("sender.eth0.path.toe.pipeline.state").changes}
    assert {0, 1, 2, 3} <= seen  # idle, receive, message, modulation
    layout = (run / "waves.gtkw").read_text()
    assert "sender.eth0.path.toe.pipeline.state" in layout


def drawn_end(drawn: Waves) -> int:
    """Return the last time at which a frame left the sender."""
    return drawn.row("link.sender_link.from_sender_eth0").times[-1]
