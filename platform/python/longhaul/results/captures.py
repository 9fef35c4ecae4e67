# SPDX-License-Identifier: Apache-2.0
"""Packet captures of a run, and packets that it followed: notes on all that they lack."""

from __future__ import annotations

from longhaul.packets import words
from longhaul.results import simdata


def outcome(sim: simdata.SimData) -> list[str]:
    """Say from when on packets have no comments, if there were too many, and of their faults."""
    said: list[str] = []
    if sim.packets:
        of = sim.packets
        said += words.warnings(of.adapters, of.left_out, of.left_out_from_ps)
    left_out = sim.comments_left_out
    if left_out is None:
        return said
    return [
        *said,
        f"captures: packets have no comments from {left_out.from_ps / 1e9:.6f} ms of simulated "
        f"time on; {left_out.count} losses and retransmissions are left out",
    ]
