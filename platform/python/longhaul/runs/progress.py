# SPDX-License-Identifier: Apache-2.0
"""Shows a run while it goes: a live line on a terminal, elsewhere a line every few seconds."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from rich.console import Console
from rich.live import Live
from rich.text import Text

PLAIN_EVERY_S = 5.0
UNHEARD_S = 1.0  # of wall time: a run that has not said anything by then is shown as it starts


@dataclass
class RunState:
    """A run's state, from its progress lines."""

    name: str
    duration_s: float
    setup_s: float  # simulated time that earlier runs spent before the measured window
    after_s: float = 0.0  # and after it
    started: float = field(default_factory=time.monotonic)
    sim_s: float = 0.0
    rate: float = 0.0
    window_begin_s: float | None = None
    guests: dict[str, str] = field(default_factory=dict[str, str])

    def update(self, line: bytes) -> None:
        """Take one progress line; a line that is no progress is left aside."""
        try:
            data: Any = json.loads(line)
        except ValueError:
            return
        if not isinstance(data, dict):
            return
        news = cast(dict[str, Any], data)
        self.sim_s = float(news.get("sim_s", self.sim_s))
        self.rate = float(news.get("rate", self.rate))
        begin = news.get("window_begin_s")
        if begin is not None:
            self.window_begin_s = float(begin)
        guests = news.get("guests")
        if isinstance(guests, dict):
            self.guests = {str(k): str(v) for k, v in cast(dict[object, object], guests).items()}

    @property
    def expected_s(self) -> float:
        """Simulated length of the whole run, as far as it can be known."""
        begin = self.window_begin_s if self.window_begin_s is not None else self.setup_s
        return max(begin + self.duration_s + self.after_s, self.sim_s)

    @property
    def done_pct(self) -> float:
        """How much of the expected simulated time has passed; 99 % until the run has ended."""
        return min(99.0, 100.0 * self.sim_s / self.expected_s) if self.expected_s else 0.0

    @property
    def left_s(self) -> float | None:
        """Wall time still to go at the present rate, or None before there is one."""
        return (self.expected_s - self.sim_s) / self.rate if self.rate > 0 else None

    def line(self) -> str:
        """Return the whole state in one line."""
        left = self.left_s
        parts = [
            f"{self.name}: {self.sim_s:.3f} s simulated",
            f"{self.done_pct:.0f} %",
            f"{self.rate:.3f} x real time",
            f"{_clock(left)} left" if left else "starting" if left is None else "ending",
            *(f"{guest}: {what}" for guest, what in self.guests.items()),
        ]
        return "  ".join(parts)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"


class Display(Protocol):
    """Shows a RunState again and again."""

    def __enter__(self) -> Display: ...
    def __exit__(self, *details: object) -> None: ...
    def show(self, state: RunState) -> None:
        """Show the state now (or not yet, if the last time was just before)."""
        ...

    def pause(self, paused: bool) -> None:
        """Leave the terminal to somebody else, or take it again."""
        ...


class LiveDisplay:
    """One line that is rewritten in place."""

    def __init__(self, console: Console) -> None:
        self._live = Live(console=console, transient=True, auto_refresh=False)

    def __enter__(self) -> LiveDisplay:
        self._live.start()
        return self

    def __exit__(self, *details: object) -> None:
        self._live.stop()

    def show(self, state: RunState) -> None:
        """Rewrite the line."""
        self._live.update(Text(state.line(), no_wrap=True, overflow="ellipsis"), refresh=True)

    def pause(self, paused: bool) -> None:
        """Remove the line, or show it again."""
        if paused:
            self._live.stop()
        else:
            self._live.start()


class PlainDisplay:
    """A line every few seconds, for files and pipes."""

    def __init__(self, console: Console, every_s: float = PLAIN_EVERY_S) -> None:
        self._console = console
        self._every_s = every_s
        self._next = 0.0

    def __enter__(self) -> PlainDisplay:
        return self

    def __exit__(self, *details: object) -> None:
        return None

    def show(self, state: RunState) -> None:
        """Print a line if the last one is old enough."""
        now = time.monotonic()
        if state.left_s is None and now < state.started + UNHEARD_S:
            return  # it may yet refuse its configuration
        if now >= self._next:
            self._next = now + self._every_s
            self._console.print(state.line(), markup=False, highlight=False, soft_wrap=True)

    def pause(self, paused: bool) -> None:
        """Do nothing: lines stand where they are."""


def display_for(console: Console) -> Display:
    """Return the display that fits where the console writes."""
    return LiveDisplay(console) if console.is_terminal else PlainDisplay(console)
