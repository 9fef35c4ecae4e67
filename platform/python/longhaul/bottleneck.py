# SPDX-License-Identifier: Apache-2.0
"""Names what limited a run, with the numbers that say so.

Data pass the sender's core, memory, bus and adapter, the wire, and the receiver's in the other
order. Buffers between them make every stage wait, but the one that sets the pace: that one is never
without work, and nothing behind it keeps it. Where all of them wait, TCP does: for its window, for
what was lost, or for its congestion window to grow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from longhaul import stages
from longhaul.reference import lookup
from longhaul.stages import Stage

FULL_PCT = 90.0  # a stage that waits less than the rest is full; buffers smooth what remains
CLOSE_PCT = 5.0  # stages this close are told apart by what they did, their own latency left out
ALL_PCT = 99.0  # an offered rate that arrived whole, but for the datagrams under way at the ends
WINDOW_PCT = 85.0  # ACK delay and whole segments cost a window-limited flow up to this much
TCP_PCT = 50.0  # of the time in which TCP had data to send
SETTLED_RTTS = 20  # slow start from 10 segments of 1448 B to 1 GiB doubles 17 times
SETTLED_PCT = 50.0  # of window/RTT, on the average of a start-up and what followed
OVERFILLED = 1.05  # in flight for a window: more than whole segments and a mean RTT explain
MOSTLY_PCT = 75.0  # a stage this full, with nothing outside to blame, was full after a start-up


@dataclass(frozen=True)
class Verdict:
    """What limited the run, why, and the evidence: figures under names that carry their units."""

    what: str
    why: str
    evidence: dict[str, float]

    def as_json(self) -> dict[str, Any]:
        """Return the form of results.json."""
        return {"what": self.what, "why": self.why, "evidence": self.evidence}


def judge(
    measured: Mapping[str, Any],
    *,
    window_bytes: int | None = None,
    offered_gbps: float | None = None,
    causes: Mapping[str, str] | None = None,
) -> Verdict:
    """Return the stage that never waited for others, or what made all of them wait.

    `window_bytes` is the socket buffer of all streams together, None where there is no TCP; what
    the receiver offers of it, by the sender's report, counts instead once it has grown.
    `offered_gbps` what the application sends at most, None where it sends all it can. `causes` says
    in words what the counters of `measured["drops"]` count.
    """
    found = stages.stages(measured)
    if not found:
        return Verdict("unknown", "nothing was measured", {})
    evidence = _evidence(measured)
    full = sorted((s for s in found if s.full_pct >= FULL_PCT), key=lambda s: -s.full_pct)
    if not full:
        fullest = max(found, key=lambda s: s.full_pct)
        rest = f"no stage was full, the fullest is {stages.shares(fullest)}"
        by_tcp = _outside(measured, window_bytes, offered_gbps, causes or {}, evidence, rest)
        if by_tcp:
            return by_tcp
        if fullest.full_pct >= MOSTLY_PCT:
            why = f"{fullest.why}{_waiting(fullest, found)}; the rest is start-up"
            return Verdict(fullest.name, why, evidence)
        return _start_up(measured, evidence, rest)
    rivals = [s for s in full if s.full_pct >= full[0].full_pct - CLOSE_PCT]
    limit = max(rivals, key=lambda s: s.own_pct)
    return Verdict(limit.name, limit.why + _waiting(limit, found) + _close(limit, full), evidence)


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


def _outside(
    measured: Mapping[str, Any],
    window_bytes: int | None,
    offered_gbps: float | None,
    causes: Mapping[str, str],
    evidence: dict[str, float],
    rest: str,
) -> Verdict | None:
    """Judge a run in which every stage waited; None when neither application nor loss did it."""
    goodput, rtt = measured.get("goodput_gbps"), measured.get("rtt_ms")
    lost = dict(measured.get("drops") or {})
    if offered_gbps and goodput is not None:
        evidence["offered_gbps"] = round(offered_gbps, 6)
        if goodput >= offered_gbps * ALL_PCT / 100.0:
            why = f"it offered {offered_gbps:.3f} Gb/s and {goodput:.3f} arrived; {rest}"
            return Verdict("application's rate", why, evidence)
        return Verdict("loss", f"{_lost(lost, causes)}; {rest}", evidence) if lost else None
    if window_bytes and rtt and goodput:
        window_bytes = _window(measured, window_bytes, goodput * 1e9 / 8 * rtt / 1e3)
        most = window_bytes * 8 / (rtt / 1e3) / 1e9
        filled = 100.0 * goodput / most
        evidence["window_filled_pct"] = round(filled, 2)
        if filled >= WINDOW_PCT:
            why = (
                f"{window_bytes / 1e6:.3f} MB per {rtt:.3f} ms allow {most:.3f} Gb/s, "
                f"{filled:.0f} % of it was reached; {rest}"
            )
            return Verdict("application window", why, evidence)
    limit = lookup(measured, "guest.sender.tcp.cwnd_limit_bytes")
    if limit and rtt and goodput:
        most = limit * 8 / (rtt / 1e3) / 1e9
        if goodput >= most * WINDOW_PCT / 100.0:
            why = (
                f"the sender's system lets it grow to {limit / 1e6:.3f} MB, which per {rtt:.3f} ms "
                f"allow {most:.3f} Gb/s; {rest}"
            )
            return Verdict("congestion window's limit", why, evidence)
    again = measured.get("retransmits")
    if again:
        segments = "segment was" if again == 1 else "segments were"
        why = f"{again} {segments} sent again" + (f", {_lost(lost, causes)}" if lost else "")
        return Verdict("loss", f"{why}; {rest}", evidence)
    receiver, buffer = _tcp_waits(measured)
    if max(receiver, buffer) >= TCP_PCT and _is_settled(measured, evidence):
        side = "receiver's window" if receiver >= buffer else "sender's buffer"
        share = max(receiver, buffer)
        why = f"TCP waited for the {side} {share:.1f} % of the time in which it had data"
        return Verdict("application window", f"{why}; {rest}", evidence)
    return None


def _window(measured: Mapping[str, Any], buffer: int, in_flight: float) -> int:
    """Return the window in bytes: what the receiver offers, or else the buffer that was asked for.

    The offer is one look at it: a window that is still small grows with the data, and one that is
    smaller than what was in flight on average stood in front of data that were not read yet.
    """
    offered = int(lookup(measured, "guest.sender.tcp.snd_wnd_bytes") or 0)
    grown = offered >= buffer * SETTLED_PCT / 100.0 and offered * OVERFILLED >= in_flight
    return min(buffer, offered) if grown else buffer


def _is_settled(measured: Mapping[str, Any], evidence: Mapping[str, float]) -> bool:
    """Tell whether windows had time to grow: a receiver's starts small and grows with the data."""
    rtt, seconds = measured.get("rtt_ms"), measured.get("window_s")
    if not rtt or not seconds:
        return True
    filled = evidence.get("window_filled_pct", 0.0)
    return filled >= SETTLED_PCT or seconds * 1e3 >= SETTLED_RTTS * rtt


def _tcp_waits(measured: Mapping[str, Any]) -> tuple[float, float]:
    """Return how long the sender's TCP says it waited for the receiver, and for room to send."""
    names = ("rwnd_limited_pct", "sndbuf_limited_pct")
    receiver, buffer = (lookup(measured, f"guest.sender.tcp.{name}") or 0.0 for name in names)
    return receiver, buffer


def _start_up(measured: Mapping[str, Any], evidence: dict[str, float], rest: str) -> Verdict:
    if lookup(measured, "guest.sender.tcp") is None:
        return Verdict("none of the observed resources", rest, evidence)
    receiver, buffer = _tcp_waits(measured)
    why = (
        "nothing was lost, and TCP's windows were still growing: of the time in which it had data "
        f"it waited {receiver:.1f} % for the receiver's, {buffer:.1f} % for its buffer and else "
        "for acknowledgements"
    )
    filled = evidence.get("window_filled_pct")
    if filled is not None:
        why += f", and reached {filled:.0f} % of what the window allows"
    return Verdict("TCP start-up", f"{why}; {rest}", evidence)


def _lost(lost: Mapping[str, int], causes: Mapping[str, str]) -> str:
    most = sorted(lost.items(), key=lambda item: -item[1])[:3]
    said = {name: f" ({causes[name]})" if causes.get(name) else "" for name, _ in most}
    return "frames lost: " + ", ".join(f"{count} at {name}{said[name]}" for name, count in most)


def _evidence(measured: Mapping[str, Any]) -> dict[str, float]:
    """Return every share and count that was weighed, under its name in `measured`."""
    found: dict[str, float] = {}
    for role in stages.ROLES:
        host: Mapping[str, float] = measured.get(role) or {}
        found |= {f"{role}.{k}": round(v, 2) for k, v in host.items() if k.endswith("_pct")}
    names = ("line_busy_pct", "goodput_gbps", "wire_gbps", "rtt_ms", "retransmits")
    found |= {n: float(measured[n]) for n in names if measured.get(n) is not None}
    for kind, place in (("drops", "drops"), ("sender.tcp", "guest.sender.tcp")):
        figures = lookup(measured, place)
        if isinstance(figures, Mapping):
            counts: Mapping[str, float] = figures  # pyright: ignore[reportUnknownVariableType]
            found |= {f"{kind}.{name}": float(value) for name, value in counts.items()}
    return found
