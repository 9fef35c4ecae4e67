# SPDX-License-Identifier: Apache-2.0
"""The words of a run about its packet captures."""

from longhaul.results import captures
from longhaul.results.simdata import LeftOut, SimData, Window


def sim_of(left_out: LeftOut | None) -> SimData:
    window = Window(begin_ps=0, end_ps=10**12)
    return SimData(window=window, probes={}, wall_s=1, simulated_s=1, comments_left_out=left_out)


def test_comments_that_are_left_out_are_told() -> None:
    assert captures.outcome(sim_of(None)) == []
    assert captures.outcome(sim_of(LeftOut(count=7, from_ps=1_250_000_000))) == [
        "captures: packets have no comments from 1.250000 ms of simulated time on; 7 losses and "
        "retransmissions are left out"
    ]
