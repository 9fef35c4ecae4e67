# SPDX-License-Identifier: Apache-2.0
"""A cable that stays dark until TCP gives up: the chip's connections beside those of Linux' TCP.

`./longhaul test --deep` has a thousand connections.
"""

import ast
import re

import pytest
from rig.crowds import check_nothing_is_lost, crowd, run_crowds, text_of
from rig.depth import depth
from rig.scenarios import Run, counted

COUNT = depth(100, 1000)
EVERY = depth(30, 90)
RETRIES = 3  # 0.25 + 0.5 + 1 + 2 s of the chip, 3 s of Linux' TCP
DARK = {"cut_every": f"{EVERY}s", "cut_for": "8s"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    text = text_of(
        "t110_dark.sh", COUNT, EVERY=str(EVERY), OPEN_FOR=str(EVERY + 20), RETRIES=str(RETRIES)
    )
    out = tmp_path_factory.mktemp("dark") / "out"
    return run_crowds(out, text, cuts=DARK, kernel_args=(f"t110.retransmissions={RETRIES}",))


def table(run: Run, name: str) -> dict[str, int]:
    return {k: int(v) for k, v in re.findall(r"^(\S+) +(\d+)", run.text(name), re.M)}


# Linux' own TCP has EHOSTUNREACH where ARP gave up before TCP did. The chip needs no ARP.
ERRORS = {"chip": {"ETIMEDOUT"}, "software": {"ETIMEDOUT", "EHOSTUNREACH"}}


@pytest.mark.parametrize("stack", ERRORS)
def test_all_programs_get_the_error_of_tcp(run: Run, stack: str) -> None:
    check_nothing_is_lost(run, stack, COUNT)
    ended = crowd(run, stack)
    errors: dict[str, int] = ast.literal_eval(ended["errors"])
    assert set(errors) <= ERRORS[stack]
    assert sum(errors.values()) == COUNT
    assert ended["by_chip"] == str(COUNT if stack == "chip" else 0)


def test_the_chip_gave_up_after_as_many_retransmissions_as_its_driver_set(run: Run) -> None:
    """Each connection had one segment on its way, and nothing else of the run was lost."""
    assert counted(run.text("statistics"))["tp_retrans_segs"] == RETRIES * COUNT


def test_the_chip_takes_new_connections_when_the_light_is_back(run: Run) -> None:
    check_nothing_is_lost(run, "again", COUNT)
    ended = crowd(run, "again")
    assert ended["errors"] == "{}"
    assert ended["by_chip"] == str(COUNT)


def test_the_chip_has_no_connection_left(run: Run) -> None:
    statistics = counted(run.text("statistics"))
    assert statistics["toe_opened"] == statistics["toe_closed"] == 3 * COUNT
    # Those that ended well may be in TIME-WAIT, half a second.
    for probe in ("pm_tx_pages", "pm_rx_pages", "established"):
        assert run.until_end(f"sender.eth0.path.toe.{probe}") == 0
    assert run.until_end("sender.eth0.path.toe.released") >= 2 * COUNT


def test_the_kernel_has_as_much_memory_and_as_many_sockets_as_before(run: Run) -> None:
    for when in ("chip", "after"):
        sockets = run.text(f"sockets-{when}").split()
        assert dict(zip(sockets[::2], sockets[1::2], strict=True)).items() >= {
            ("inuse", "0"),
            ("orphan", "0"),
            ("alloc", "0"),
            ("mem", "0"),
        }
        before, held = table(run, "objects-before"), table(run, f"objects-{when}")
        grown = {name: held[name] - before.get(name, 0) for name in held}
        assert {name: n for name, n in grown.items() if n >= COUNT // 2} == {}


def test_no_darkness_makes_the_kernel_complain(run: Run) -> None:
    assert run.checks["quiet"] == ""
    assert run.complaints() == []
