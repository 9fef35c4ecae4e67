# SPDX-License-Identifier: Apache-2.0
"""The timeline of real guests: bus, interrupts, softirq and core states on one time axis."""

from collections import Counter

import pytest
from longhaul.results import timeline_tracks
from rig import timeline
from rig.points import Point, drawn

# States of one stretch of work stand in a row, whatever their order was.
QUANTUM_NS = 5000
HOSTS = ("sender", "receiver")
ROWS = ["eth0: interrupt request", "core: state", "PCI-X bus"]


@pytest.fixture(scope="module")
def run() -> Point:
    return drawn()


@pytest.fixture(scope="module")
def rows(run: Point) -> list[timeline.Row]:
    return timeline.read(run.folder / "timeline.pftrace")


def named(rows: list[timeline.Row], host: str, name: str) -> timeline.Row:
    (found,) = (row for row in rows if (row.group, row.name) == (host, name))
    return found


def test_each_machine_shows_interrupts_core_and_bus_in_this_order(rows: list[timeline.Row]) -> None:
    top = sorted((row.rank, row.name) for row in rows if not row.group)
    names = [name for _, name in top]
    if timeline_tracks.LOST in names:  # it is there if a frame was lost
        assert names.index(timeline_tracks.LOST) < names.index(HOSTS[0])
        names.remove(timeline_tracks.LOST)
    assert names == ["measured window", *HOSTS]
    for host in HOSTS:
        mine = sorted((row.rank, row.name) for row in rows if row.group == host)
        assert [name for _, name in mine][: len(ROWS)] == ROWS


def test_the_window_is_the_one_of_the_figures(run: Point, rows: list[timeline.Row]) -> None:
    (window,) = named(rows, "", "measured window").slices
    said = run.sim.window
    assert (window.begin_ns, window.end_ns) == (said.begin_ps // 1000, said.end_ps // 1000)


@pytest.mark.parametrize("host", HOSTS)
def test_core_states_add_up_to_the_figures(run: Point, rows: list[timeline.Row], host: str) -> None:
    (window,) = named(rows, "", "measured window").slices
    spent: Counter[str] = Counter()
    for each in named(rows, host, "core: state").slices:
        inside = min(each.end_ns, window.end_ns) - max(each.begin_ns, window.begin_ns)
        spent[each.label] += max(0, inside)
    length = window.end_ns - window.begin_ns
    for state in ("user", "system", "softirq", "hardirq", "mmio stall"):
        figure = run.measured[host][f"cpu_{state.replace(' ', '_')}_pct"]
        # Times are floored to nanoseconds; a batch of work at an edge is drawn state by state.
        assert 100 * spent[state] / length == pytest.approx(figure, abs=0.5), state


@pytest.mark.parametrize("host", HOSTS)
def test_every_interrupt_request_is_answered_by_the_core(
    run: Point, rows: list[timeline.Row], host: str
) -> None:
    (window,) = named(rows, "", "measured window").slices
    asked = [
        s for s in named(rows, host, "eth0: interrupt request").slices
        if window.begin_ns <= s.begin_ns and s.end_ns <= window.end_ns
    ]  # fmt: skip
    assert len(asked) == pytest.approx(run.count(f"{host}.eth0.interrupts"), abs=1)
    hard = [s for s in named(rows, host, "core: state").slices if s.label == "hardirq"]
    for request in asked:  # it ends when the handler has read the cause
        end_ns = request.end_ns + QUANTUM_NS
        assert any(s.begin_ns < end_ns and s.end_ns > request.begin_ns for s in hard), request


@pytest.mark.parametrize("host", HOSTS)
def test_a_core_stalls_on_the_bus_while_its_access_is_there(
    rows: list[timeline.Row], host: str
) -> None:
    (window,) = named(rows, "", "measured window").slices
    reads = [
        s for s in named(rows, host, "PCI-X bus").slices
        if s.label == "mmio read" and window.begin_ns <= s.begin_ns < window.end_ns
    ]  # fmt: skip
    stalls = [s for s in named(rows, host, "core: state").slices if s.label == "mmio stall"]
    assert len(reads) >= 5
    for read in reads:
        assert any(s.begin_ns <= read.begin_ns and read.end_ns - 16 <= s.end_ns for s in stalls)
