# SPDX-License-Identifier: Apache-2.0
"""Names what limited a run, with the numbers that say so.

Data pass one host's core, memory, bus and adapter, the wire, and the other host's in the other
order. Buffers between them make every stage wait, but the one that sets the pace: that one is never
without work, and nothing behind it keeps it. Where all of them wait, TCP does: for its window, for
what was lost, or for its congestion window to grow (`tcp_verdict`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from longhaul.results import stages, tcp_verdict
from longhaul.results.directions import FORWARD, Direction
from longhaul.results.stages import Stage
from longhaul.results.tcp_verdict import Verdict

FULL_PCT = 90.0  # a stage that waits less than the rest is full; buffers smooth what remains
CLOSE_PCT = 5.0  # stages this close are told apart by what they did, their own latency left out
MOSTLY_PCT = 75.0  # a stage this full, with nothing outside to blame, was full after a start-up

__all__ = ["Verdict", "judge"]


def judge(
    measured: Mapping[str, Any],
    *,
    direction: Direction = FORWARD,
    window_bytes: int | None = None,
    offered_gbps: float | None = None,
    causes: Mapping[str, str] | None = None,
) -> Verdict:
    """Return the stage that never waited for others, or what made all of them wait.

    `direction` is the way of the data that are judged. `window_bytes` is the socket buffer of all
    streams together, None where there is no TCP. The window that the other end offers, by the
    sending system's report, counts instead once it has grown. `offered_gbps` what the program sends
    at most, None where it sends all it can. `causes` says in words what the counters of
    `measured["drops"]` count.
    """
    found = stages.stages(measured, direction)
    if not found:
        return Verdict("unknown", "nothing was measured", {})
    fullest = max(found, key=lambda s: s.full_pct)
    run = tcp_verdict.Run(
        measured,
        direction,
        window_bytes,
        offered_gbps,
        causes or {},
        f"no stage was full, the fullest is {stages.shares(fullest)}",
    )
    full = sorted((s for s in found if s.full_pct >= FULL_PCT), key=lambda s: -s.full_pct)
    if not full:
        by_tcp = run.outside()
        if by_tcp:
            return by_tcp
        if fullest.full_pct >= MOSTLY_PCT:
            why = f"{fullest.why}{_waiting(fullest, found)}; the rest is {run.remainder()}"
            return Verdict(fullest.name, why, run.evidence)
        return run.remaining()
    rivals = [s for s in full if s.full_pct >= full[0].full_pct - CLOSE_PCT]
    limit = max(rivals, key=lambda s: s.own_pct)
    why = limit.why + _waiting(limit, found) + _close(limit, full)
    return Verdict(limit.name, why, run.evidence)


def _waiting(limit: Stage, found: list[Stage]) -> str:
    """Return how long the cores waited meanwhile, if one of them is not the limit."""
    idle = {
        s.of or s.what: 100.0 - s.full_pct
        for s in found
        if s.what.endswith("CPU") and s is not limit and s.full_pct < FULL_PCT
    }
    return "; ".join(["", *(f"the {what} was idle {share:.1f} %" for what, share in idle.items())])


def _close(limit: Stage, full: list[Stage]) -> str:
    close = [stages.shares(s) for s in full if s.what != limit.what]
    return f"; close behind: {', '.join(close)}" if close else ""
