# SPDX-License-Identifier: Apache-2.0
"""The limit of a run in which every stage waited: its window, its losses, its start-up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from longhaul.published.reference import lookup
from longhaul.results.directions import Direction
from longhaul.results.losses import Losses
from longhaul.results.offload import Waits

ALL_PCT = 99.0  # an offered rate that arrived whole, but for the datagrams under way at the ends
WINDOW_PCT = 85.0  # ACK delay and whole segments cost a window-limited flow up to this much
OVERFULL_PCT = 100.5  # of a window, as it is printed: more than all of it
# Of what is on the way. TCP's round trip has the host's queues in it, so window/RTT is not less.
LEAST_PCT = 95.0
TCP_PCT = 50.0  # of the time in which TCP had data to send
SETTLED_RTTS = 20  # slow start from 10 segments of 1448 B to 1 GiB doubles 17 times
SETTLED_PCT = 50.0  # of window/RTT, on the average of a start-up and what followed
OVERFILLED = 1.05  # in flight for a window: more than whole segments and a mean RTT explain
COARSE = 0.1  # of a round trip: a clock with longer ticks does not tell it


@dataclass(frozen=True)
class Verdict:
    """The limit of the run, why, and the evidence: figures under names that carry their units."""

    what: str
    why: str
    evidence: dict[str, float]

    def as_json(self) -> dict[str, Any]:
        """Return the form of results.json."""
        return {"what": self.what, "why": self.why, "evidence": self.evidence}


@dataclass(frozen=True)
class RoundTrip:
    """A mean round trip; `whose` says how it was taken, empty where that needs no word."""

    ms: float
    whose: str = ""

    def gbps(self, window_bytes: float) -> float:
        """Return the rate that a window makes of it."""
        return window_bytes * 8 / (self.ms / 1e3) / 1e9


@dataclass(frozen=True)
class Run:
    """The figures of a run in one direction, and what its program asked for.

    `rest` is half a sentence on the stages, none of which was full.
    """

    measured: Mapping[str, Any]
    direction: Direction
    window_bytes: int | None
    offered_gbps: float | None
    causes: Mapping[str, str]
    rest: str
    evidence: dict[str, float] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "evidence", evidence(self.measured, self.direction))

    @cached_property
    def _losses(self) -> Losses:
        return Losses.of(self.measured, self.direction, self.causes)

    def _figure(self, name: str) -> Any:
        return self.direction.of(self.measured, name)

    def _tcp(self, name: str) -> Any:
        return lookup(self.measured, f"guest.{self.direction.source}.tcp.{name}")

    def _on_the_way(self, when: str) -> float | None:
        """Return the data that were sent and not acknowledged: `mean`, `most` or at the `end`."""
        return lookup(self.measured, f"{self.direction.key('in_flight')}.{when}_bytes")

    def _verdict(self, what: str, why: str) -> Verdict:
        return Verdict(what, f"{why}; {self.rest}", self.evidence)

    def outside(self) -> Verdict | None:
        """Judge by what the program and TCP did; None when neither they nor loss did it."""
        goodput = self._figure("goodput_gbps")
        if self.offered_gbps and goodput is not None:
            return self._by_offer(self.offered_gbps, goodput)
        limited = self._by_window(goodput) or self._by_congestion_limit(goodput)
        if limited:
            return limited
        if self._losses.again:
            return self._verdict("loss", self._losses.in_window())
        if self._engine is not None:
            return self._by_engine(self._engine)
        receiver, buffer = self._waits()
        if max(receiver, buffer) >= TCP_PCT and self._is_settled():
            side = "receiver's window" if receiver >= buffer else "sender's buffer"
            share = max(receiver, buffer)
            why = f"TCP waited for the {side} {share:.1f} % of the time in which it had data"
            return self._verdict("application window", why)
        return None

    @cached_property
    def _engine(self) -> Waits | None:
        return Waits.of(self.measured.get(self.direction.source) or {})

    def _by_engine(self, waits: Waits) -> Verdict | None:
        """Judge by what the connections of the sender's offload engine waited for."""
        if min(waits.memory, waits.host) >= TCP_PCT:
            why = (
                f"data of the host waited {waits.memory:.1f} % of the time for room in the "
                "engine's payload memory, which was full of data without an acknowledgement"
            )
            return self._verdict(f"{self.direction.source}'s payload memory", why)
        if waits.window >= TCP_PCT and self._is_settled():
            return self._verdict("application window", waits.words)
        return None

    def remainder(self) -> str:
        """Return what a run did while its fullest stage was not full."""
        return f"recovery: {self._losses.before()}" if self._losses.any_before else "start-up"

    def remaining(self) -> Verdict:
        """Judge a run that nothing of what is observed limits."""
        losses = self._losses
        stands = self._figure("goodput_gbps") == 0
        if stands and (losses.drops or losses.drops_before):
            return self._verdict("loss", f"no user data arrived in the window; {losses.before()}")
        if losses.any_before:
            why = losses.before()
            congestion = self._tcp("cwnd_bytes")
            if congestion is not None:
                why += f"; its congestion window was {congestion / 1e6:.3f} MB near its end"
            return self._verdict("loss", why)
        if self._engine is not None and self._engine.host >= TCP_PCT and not stands:
            return self._verdict("none of the observed resources", self._engine.words)
        tcp = lookup(self.measured, f"guest.{self.direction.source}.tcp")
        if tcp is None and self._engine is None:
            why = self.rest if losses.none else f"{losses.harmless()}; {self.rest}"
            return Verdict("none of the observed resources", why, self.evidence)
        if self._windows_had_grown():
            why = f"{losses.harmless()}, and {self._window_use()}"
            return self._verdict("none of the observed resources", why)
        did = "no user data arrived in the window" if stands else "TCP's windows were still growing"
        why = f"{losses.harmless()}, and {did}"
        if self._tcp("rwnd_limited_pct") is not None:
            receiver, buffer = self._waits()
            why += (
                f": of the time in which it had data it waited {receiver:.1f} % for the "
                f"receiver's, {buffer:.1f} % for its buffer and else for acknowledgements"
            )
        if self._engine is not None:
            why += f"; {self._engine.words}"
        filled = self.evidence.get("window_filled_pct")
        if filled is not None:
            why += f", and reached {filled:.0f} % of what the window allows"
        return self._verdict("TCP start-up", why)

    def _windows_had_grown(self) -> bool:
        """Tell whether the window was full at some time, and was not full at the end."""
        most, end = self._on_the_way("most"), self._on_the_way("end")
        if not self.window_bytes or most is None or end is None:
            return False
        full = self.window_bytes * WINDOW_PCT / 100
        return most >= full > end

    def _window_use(self) -> str:
        assert self.window_bytes is not None
        use = {name: (self._on_the_way(name) or 0.0) / 1e6 for name in ("most", "mean", "end")}
        return (
            f"the programs' window of {self.window_bytes / 1e6:.3f} MB was full at times only: "
            f"{use['most']:.3f} MB were on the way at most, {use['mean']:.3f} MB on average, "
            f"{use['end']:.3f} MB at the end"
        )

    def _by_offer(self, offered: float, goodput: float) -> Verdict | None:
        self.evidence["offered_gbps"] = round(offered, 6)
        if goodput >= offered * ALL_PCT / 100.0:
            why = f"it offered {offered:.3f} Gb/s and {goodput:.3f} arrived"
            return self._verdict("application's rate", why)
        return self._verdict("loss", self._losses.frames()) if self._losses.drops else None

    def _by_window(self, goodput: float | None) -> Verdict | None:
        trip = self._round_trip(goodput)
        if not self.window_bytes or not trip or not goodput:
            return None
        window = self._window(_in_flight(goodput, trip))
        most = trip.gbps(window)
        filled = 100.0 * goodput / most
        self.evidence["window_filled_pct"] = round(filled, 2)
        if filled < WINDOW_PCT:
            return None
        why = (
            f"{window / 1e6:.3f} MB per {trip.ms:.3f} ms{trip.whose} allow {most:.3f} Gb/s, "
            f"{filled:.0f} % of it was reached{self._why_more(filled)}"
        )
        return self._verdict("application window", why)

    def _why_more(self, filled: float) -> str:
        """Return why a share is over 100 %, if it is."""
        if filled < OVERFULL_PCT:
            return ""
        on_the_way = self._on_the_way("mean")
        if on_the_way is None:
            return " (over 100 %: the round trip was measured at one moment, not over the window)"
        return (
            f" (a mean of {on_the_way / 1e6:.3f} MB was on the way: sockets had more memory than "
            "the programs asked for)"
        )

    def _by_congestion_limit(self, goodput: float | None) -> Verdict | None:
        limit, trip = self._tcp("cwnd_limit_bytes"), self._round_trip(goodput)
        if not limit or not trip or not goodput:
            return None
        most = trip.gbps(limit)
        if goodput < most * WINDOW_PCT / 100.0:
            return None
        why = (
            f"the sender's system lets it grow to {limit / 1e6:.3f} MB, which per {trip.ms:.3f} ms"
            f"{trip.whose} allow {most:.3f} Gb/s"
        )
        return self._verdict("congestion window's limit", why)

    def _round_trip(self, goodput: float | None) -> RoundTrip | None:
        """Return the round trip by TCP or ping, or that of the path where it cannot be theirs.

        The path's is that of all data of the measured window, as they passed the adapter: the mean
        of the data on the way, divided by the rate (Little's law). The host's own queues are not in
        it. TCP's is of its last segments, ping's of an idle path. Times the rate, neither is less
        than the data on the way, nor more than the window.
        """
        own, on_the_way = self._figure("rtt_ms"), self._on_the_way("mean")
        if not goodput or not on_the_way:
            return RoundTrip(own) if own else None
        path = on_the_way * 8 / goodput / 1e6
        if not own:
            return RoundTrip(path, " on the path")
        tick = self._tcp("rtt_tick_ms")
        if tick and tick > COARSE * own:
            return RoundTrip(path, f" on the path (TCP's clock has ticks of {tick:g} ms)")
        by_own = _in_flight(goodput, RoundTrip(own))
        most = self._window(by_own) * OVERFULL_PCT / 100 if self.window_bytes else by_own
        if on_the_way * LEAST_PCT / 100 <= by_own <= most:
            return RoundTrip(own)
        return RoundTrip(path, f" on the path (TCP or ping told {own:.3f} ms)")

    def _window(self, in_flight: float) -> float:
        """Return the window that held: the socket buffer, or what the receiver offers of it.

        Its offer is of one instant. Early in a run, or if the reader keeps up, the offer is still
        small. An offer below the average flight stood in front of data that were not read yet.
        Where more than the buffer was in flight, the system had made more of it, up to whole
        segments, and its offer holds.
        """
        assert self.window_bytes is not None
        offered = int(self._tcp("snd_wnd_bytes") or 0)
        if offered > self.window_bytes and in_flight > self.window_bytes * OVERFILLED:
            return offered
        enough = self.window_bytes * SETTLED_PCT / 100.0
        grown = offered >= enough and offered * OVERFILLED >= in_flight
        return min(self.window_bytes, offered) if grown else self.window_bytes

    def _is_settled(self) -> bool:
        """Tell whether windows had time to grow: a receiver's starts small, grows with the data."""
        rtt, seconds = self._figure("rtt_ms"), self.measured.get("window_s")
        if not rtt or not seconds:
            return True
        filled = self.evidence.get("window_filled_pct", 0.0)
        return filled >= SETTLED_PCT or seconds * 1e3 >= SETTLED_RTTS * rtt

    def _waits(self) -> tuple[float, float]:
        """Return how long the sending TCP says it waited for the receiver, and for room to send."""
        names = ("rwnd_limited_pct", "sndbuf_limited_pct")
        receiver, buffer = (self._tcp(name) or 0.0 for name in names)
        return receiver, buffer


def _in_flight(goodput_gbps: float, trip: RoundTrip) -> float:
    """Return the bytes that are on the way on average at a rate."""
    return goodput_gbps * 1e9 / 8 * trip.ms / 1e3


def evidence(measured: Mapping[str, Any], direction: Direction) -> dict[str, float]:
    """Return every share and count that was weighed, under its name in `measured`."""
    found: dict[str, float] = {}
    for role in (direction.source, direction.sink):
        host: Mapping[str, float] = measured.get(role) or {}
        found |= {f"{role}.{k}": round(v, 2) for k, v in host.items() if k.endswith("_pct")}
    pauses: Mapping[str, Mapping[str, float]] = measured.get("pause") or {}
    for mac, counts in pauses.items():
        found |= {f"pause.{mac}.{name}": float(value) for name, value in counts.items()}
    figures = ("line_busy_pct", "goodput_gbps", "wire_gbps", "rtt_ms", "path_rtt_ms", "retransmits")
    names = [direction.key(name) for name in figures]
    found |= {n: float(measured[n]) for n in names if measured.get(n) is not None}
    tcp = f"{direction.source}.tcp"
    places = {"drops": "drops", "before_window.drops": "before_window.drops", tcp: f"guest.{tcp}"}
    places[direction.key("in_flight")] = direction.key("in_flight")
    for kind, place in places.items():
        figures_of = lookup(measured, place)
        if isinstance(figures_of, Mapping):
            counts: Mapping[str, float] = figures_of  # pyright: ignore[reportUnknownVariableType]
            found |= {f"{kind}.{name}": float(value) for name, value in counts.items()}
    return found
