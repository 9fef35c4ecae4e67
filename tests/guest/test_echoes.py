# SPDX-License-Identifier: Apache-2.0
"""Echoes one by one over a cable: none takes longer than 1 ms, but for a race that skge has.

CI has one layout, of skge two, or its race might not show. `./longhaul test --deep` has three.
"""

import functools
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from longhaul.guest import kernel, module_blocks
from longhaul.guest.software import GuestSoftware
from longhaul.record.file import Record
from rig import acknowledges
from rig.depth import depth
from rig.scenarios import Run, command, packed, pair, script, simulate

ECHOES = 3000
ECHO_OCTETS = 102  # 56 B of data
LATE_PS = 1_000_000_000
LAYOUTS = range(depth(1, 3))
RACE_LAYOUTS = range(max(2, len(LAYOUTS)))
# From the frame's first bit to its descriptor's return: 0.9 us on the wire, 1.7 us in the adapter.
RETURNS_WITHIN_PS = 10_000_000
PS_PER_NS = 1000
# A line of skge_poll(), and the same followed by a read.
ACKNOWLEDGE = "\tskge_write8(hw, Q_ADDR(rxqaddr[skge->port], Q_CSR), CSR_IRQ_CL_F);\n"
READ_BACK = ACKNOWLEDGE + "\tskge_read32(hw, Q_ADDR(rxqaddr[skge->port], Q_CSR));\n"


def echoes(
    adapter: str,
    layout: int,
    folder: Path,
    *,
    before: str = "",
    far: str = "",
    watched: bool = False,
) -> Run:
    """Run echoes between two hosts, behind what the sender does before them.

    `far`: what the receiver does, before it hears the sender. `watched`: with a record and a
    timeline.
    """
    scenario, sender, receiver = pair("echoes", adapter=adapter)
    if far:
        (folder / "far.sh").write_text(far)
        files = {"/root/far.sh": folder / "far.sh"}
        given = GuestSoftware(files=files, commands_before=("sh /root/far.sh",))
        scenario.give(receiver.name, given)
    text = before + script("echoes.sh", ECHOES=str(ECHOES))
    workload = command(sender, receiver, text, "exec iperf -s")
    run = simulate(
        scenario, workload, folder / "out", layout=layout, record=watched, timeline=watched
    )
    assert set(run.checks.values()) == {""}
    assert run.complaints() == []
    return run


def longest_ms(run: Run) -> float:
    """Return the longest round trip, of echoes of which none was lost."""
    said = run.text("echoes")
    assert f"{ECHOES} packets transmitted, {ECHOES} received, 0% packet loss" in said
    found = re.search(r"^rtt min/avg/max/mdev = [\d.]+/[\d.]+/([\d.]+)/", said, re.M)
    assert found, said
    return float(found[1])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("adapter", ["ixgb", "e1000"])
def test_no_echo_is_late(adapter: str, layout: int, tmp_path: Path) -> None:
    """Intel's causes stay until ICR is read, and IMS raises those that came meanwhile."""
    assert longest_ms(echoes(adapter, layout, tmp_path)) < 1


@pytest.fixture(scope="module")
def skge(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Run]:
    """Return what runs skge on a layout, once."""

    @functools.cache
    def of(layout: int) -> Run:
        return echoes("genesis", layout, tmp_path_factory.mktemp("skge"), watched=True)

    return of


def flood(run: Run) -> list[tuple[int, str]]:
    """Return the echoes' frames on the cable: when the first bit was sent, and who got it."""
    record = Record(run.folder / "record.bin")
    return sorted(
        (int(line["time_ps"]), end)
        for direction, end in (("a_to_b", "receiver"), ("b_to_a", "sender"))
        for line in record.lines(record.stream(f"cable.{direction}"))
        if line["size"] == ECHO_OCTETS
    )[-2 * ECHOES :]


def late(frames: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the frames behind which the cable was silent.

    One echo is under way at a time, so where the cable is silent an echo is late.
    """
    return [this for this, (after, _) in pairwise(frames) if after - this[0] > LATE_PS]


@pytest.mark.parametrize("layout", RACE_LAYOUTS)
def test_an_echo_of_skge_is_late_by_its_race_only(layout: int, skge: Callable[[int], Run]) -> None:
    """The frame of each late echo lost its cause to an acknowledge that was on its way.

    models/nic/genesis/README.md shows the race in the driver.
    """
    run = skge(layout)
    frames = flood(run)
    begin, waiting = frames[0][0], late(frames)
    assert (longest_ms(run) >= 1) == bool(waiting)
    for end in ("sender", "receiver"):
        lost = [PS_PER_NS * at for at in acknowledges.of(run.folder, end).lost()]
        lost = [at for at in lost if at > begin]
        # A cause that another frame's interrupt made up for delays nothing.
        for first_bit in (time for time, who in waiting if who == end):
            behind = [at for at in lost if 0 < at - first_bit < RETURNS_WITHIN_PS]
            assert len(behind) == 1, f"{run.folder}: {end}: {lost}, {first_bit}"


def test_with_so_many_echoes_the_race_of_skge_shows(skge: Callable[[int], Run]) -> None:
    """Otherwise the test above and those with another skge would say nothing."""
    assert sum(len(late(flood(skge(layout)))) for layout in RACE_LAYOUTS) > 0


@pytest.fixture(scope="module")
def read_back(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build skge with a read of the queue's CSR behind its acknowledge; return it packed."""
    info = kernel.ensure()
    folder = tmp_path_factory.mktemp("read-back") / "source"
    folder.mkdir()
    marvell = info.path.parent / "source/drivers/net/ethernet/marvell"
    text = (marvell / "skge.c").read_text()
    for old, new in (('DRV_NAME\t\t"skge"', 'DRV_NAME\t\t"read_back"'), (ACKNOWLEDGE, READ_BACK)):
        assert text.count(old) == 1
        text = text.replace(old, new)
    (folder / "read_back.c").write_text(text)
    (folder / "skge.h").write_text((marvell / "skge.h").read_text())
    (folder / "Makefile").write_text("obj-m += read_back.o\n")
    (built,) = module_blocks.build(info, folder)
    return packed(built)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_echo_is_late_if_skge_reads_its_acknowledge_back(
    layout: int, read_back: str, tmp_path: Path
) -> None:
    """A read brings the acknowledge to the adapter before the driver looks at its ring."""
    ends = [script("other_driver.sh", MODULE=read_back, END=end) for end in ("1", "2")]
    run = echoes("genesis", layout, tmp_path, before=ends[0], far=ends[1])
    assert "/drivers/read_back\n" in run.text("driver")
    assert longest_ms(run) < 1
