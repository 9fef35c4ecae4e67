# SPDX-License-Identifier: Apache-2.0
"""Faults below connections of a T110's chip: programs get errors, and nothing is left.

`./longhaul test --deep` has a thousand connections.
"""

import ast

import pytest
from rig.crowds import check_nothing_is_lost, crowd, run_crowds, text_of
from rig.depth import depth
from rig.scenarios import Run, counted

COUNT = depth(250, 1000)
ROOM = 64
FAULTS = ("down", "reset", "unbind")


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run_crowds(tmp_path_factory.mktemp("faults") / "out", text_of("t110_faults.sh", COUNT))


@pytest.mark.parametrize("name", FAULTS)
def test_all_programs_are_told_and_nothing_is_lost(faults: Run, name: str) -> None:
    check_nothing_is_lost(faults, name, COUNT)
    ended = crowd(faults, name)
    assert ast.literal_eval(ended["errors"]) == {"ENETDOWN": COUNT}
    assert ended["by_chip"] == str(COUNT)


def test_no_fault_makes_the_kernel_complain(faults: Run) -> None:
    assert faults.checks["quiet"] == ""
    assert faults.complaints() == []
    assert counted(faults.text("statistics"))["resets"] == 1


@pytest.fixture(scope="module")
def full_table(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The TCAM has room for 64 connections beside its servers and routes."""
    out = tmp_path_factory.mktemp("table") / "out"
    params = {"tcam_entries": 256 + 1024 + ROOM}
    return run_crowds(
        out, text_of("t110_stays.sh", 200, BYTES="500", SECONDS_OPEN="2"), params=params
    )


def test_connections_beyond_a_full_table_are_the_softwares(full_table: Run) -> None:
    check_nothing_is_lost(full_table, "stays", 200)
    ended, statistics = crowd(full_table, "stays"), counted(full_table.text("statistics"))
    assert ended["errors"] == "{}"
    assert int(ended["by_chip"]) == statistics["toe_opened"] == ROOM
    assert statistics["toe_software"] == 200 - ROOM
    assert full_table.until_end("sender.eth0.path.toe.table_full") >= 200 - ROOM
    assert full_table.complaints() == []


@pytest.fixture(scope="module")
def full_memory(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Payload memory has half a MiB each way, and 64 connections have 2 MB on their way."""
    out = tmp_path_factory.mktemp("memory") / "out"
    params = {"pm_size": "1MiB", "pm_reserved": "0B", "pm_page": "4KiB"}
    return run_crowds(
        out, text_of("t110_stays.sh", ROOM, BYTES="32000", SECONDS_OPEN="2"), params=params
    )


def test_data_beyond_a_full_payload_memory_wait(full_memory: Run) -> None:
    check_nothing_is_lost(full_memory, "stays", ROOM)
    ended = crowd(full_memory, "stays")
    assert ended["errors"] == "{}"
    assert ended["by_chip"] == str(ROOM)
    assert int(ended["acked"]) > 32000 * ROOM
    assert full_memory.until_end("sender.eth0.path.toe.pipeline.payload_stalls") > 1000
    assert full_memory.complaints() == []


@pytest.fixture(scope="module")
def cuts(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The cable is dark for 0.4 s of every 2.3 s."""
    out = tmp_path_factory.mktemp("cuts") / "out"
    # Three dark times take 6.9 s.
    text = text_of("t110_stays.sh", COUNT, BYTES="500", SECONDS_OPEN="8")
    # The period is no part of an RTO of the chip: a retransmission would meet each dark time.
    return run_crowds(out, text, cuts={"cut_every": "2300ms", "cut_for": "400ms"})


def test_all_connections_outlive_losses_of_the_link(cuts: Run) -> None:
    check_nothing_is_lost(cuts, "stays", COUNT)
    ended = crowd(cuts, "stays")
    assert ended["errors"] == "{}"
    assert ended["by_chip"] == str(COUNT)
    assert int(cuts.text("carrier-changes")) >= 6
    assert cuts.checks["quiet"] == ""
    assert cuts.complaints() == []
