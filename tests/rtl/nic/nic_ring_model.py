# SPDX-License-Identifier: Apache-2.0
"""The rules of models/nic/intel/descriptor_ring.cc in Python, as far as order goes.

Calls are what the NIC, the host and the bus do. `fetch` and `runs` are what the ring asks of the
bus. Fetches and write-backs of an earlier head are stale: they end unseen.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

TX_IDE, RX_EOP = 95, 97  # bits of a descriptor


@dataclass
class Run:
    """A write-back on its way."""

    begin: int
    count: int
    index: int
    stale: bool = False


class RingModel:
    """One ring."""

    def __init__(self, cache: int, largest_fetch: int, most_runs: int) -> None:
        self.cache, self.largest_fetch, self.most_runs = cache, largest_fetch, most_runs
        self.entries = self.origin = 0
        self.prefetch = self.host = self.write_back_at = 0
        self.enabled = self.halted = False
        self.held = False  # a new length waits for the end of what is under way; nothing begins
        self.fetch: tuple[int, int] | None = None  # index, count: under way
        self.fetch_stale = False
        self.asked: list[tuple[int, int]] = []  # fetches since they were looked at
        self.begun: list[tuple[int, int]] = []  # write-backs since they were looked at
        self.runs: deque[Run] = deque()  # under way; stale ones first
        self.flushed = 0  # flushes that have ended
        self.forget()

    def forget(self) -> None:
        """Put all positions to zero."""
        self.requested = self.arrived = self.taken = self.done = self.handled = 0
        self.waiting = self.tail_position = self.goal = self.covered = 0
        self.flushes: list[int] = []  # those that wait: what was covered
        self.report: dict[int, bool] = {}
        self.halted = False
        self.fetch_stale = self.fetch is not None
        for run in self.runs:
            run.stale = True

    def index_of(self, position: int) -> int:
        """Return where a position lies in the ring."""
        return (self.origin + position) % self.entries if self.entries else 0

    @property
    def freed(self) -> int:
        """Return the position of the head."""
        return next((run.begin for run in self.runs if not run.stale), self.handled)

    @property
    def head(self) -> int:
        """Return the head register."""
        return self.index_of(self.freed)

    @property
    def cached(self) -> int:
        """Return unused descriptors on chip."""
        return self.arrived - self.taken

    @property
    def available(self) -> int:
        """Return all that are owned and unused."""
        return max(0, self.tail_position - self.taken)

    @property
    def drained(self) -> bool:
        """Return whether all that are owned are done."""
        return self.done >= self.tail_position

    def _contiguous(self, position: int, wanted: int) -> int:
        to_ring_end = self.entries - self.index_of(position)
        return min(wanted, to_ring_end, self.cache - position % self.cache)

    # ---- Registers ----

    def set_length(self, entries: int) -> None:
        """Set the length; the RTL looks for work at once, the C++ model at its next event."""
        self.entries = entries
        self._write_back()
        self._fetch()

    def set_thresholds(self, prefetch: int, host: int, write_back: int) -> None:
        """Write RXDCTL or TXDCTL."""
        self.prefetch, self.host, self.write_back_at = prefetch, host, write_back
        self._write_back()
        self._fetch()

    def set_head(self, index: int) -> None:
        """Write the head register."""
        if not self.enabled:
            self.forget()
            self.origin = index

    def set_tail(self, index: int) -> None:
        """Ring the doorbell."""
        self.halted = False
        if self.entries:
            ahead = (index % self.entries - self.index_of(self.done)) % self.entries
            self.tail_position = self.done + ahead
            self._fetch()

    def enable(self, on: bool) -> None:
        """Write RCTL or TCTL."""
        self.enabled, self.halted = on, False
        self._fetch()

    def flush(self) -> None:
        """Write back what the threshold holds back; it ends when what is covered is written."""
        self.goal = self.done
        self._write_back()
        self.flushes = [*self.flushes[:1], self.covered]
        self._end_flushes()

    # ---- Bus ----

    def fetched(self, ok: bool) -> None:
        """End the fetch."""
        assert self.fetch is not None
        self.fetch = None
        if not self.fetch_stale:
            if ok:
                self.arrived = self.requested
            else:
                self.requested, self.halted = self.arrived, True
        self.fetch_stale = False
        self._fetch()

    def answered(self) -> Run | None:
        """End the oldest write-back; return it unless it is stale."""
        run = self.runs.popleft()
        if run.stale:
            return None
        self._write_back()
        self._fetch()
        self._end_flushes()
        return run

    def _end_flushes(self) -> None:
        waiting = [each for each in self.flushes if each > self.freed]
        self.flushed += len(self.flushes) - len(waiting)
        self.flushes = waiting

    # ---- Engine ----

    def take(self) -> int:
        """Take the next descriptor; return its position."""
        self.taken += 1
        self._fetch()
        return self.taken - 1

    def complete(self, report: bool, cover: bool = False) -> None:
        """Be done with the oldest that was taken; a timer tells of it and of all before it."""
        self.report[self.done] = report
        self.waiting += report
        self.done += 1
        if cover:
            self.covered = self.done
        self._write_back()
        self._fetch()

    # ---- Rules ----

    def _fetch(self) -> None:
        offered = self.tail_position - self.requested
        if self.held or not self.enabled or self.fetch or self.halted or offered <= 0:
            return
        room = self.cache - (self.requested - self.freed)
        if self.cached and not (self.prefetch and self.cached <= self.prefetch
                                and offered >= self.host):  # fmt: skip
            return
        count = self._contiguous(self.requested, min(offered, room, self.largest_fetch))
        if count > 0:
            self.fetch = (self.index_of(self.requested), count)
            self.asked.append(self.fetch)
            self.requested += count

    def _is_due(self) -> bool:
        starved = self.requested - self.handled == self.cache and self.done == self.requested
        return starved or self.waiting >= max(self.write_back_at, 1)

    def _write_back(self) -> None:
        if self.held or not self.entries:
            return
        if self.handled >= self.goal and len(self.runs) < self.most_runs and self._is_due():
            self.goal = self.done
        while self.handled < self.done and len(self.runs) < self.most_runs:
            if not self.report[self.handled]:
                self.handled += 1
                continue
            if self.handled >= self.goal:
                if not self._is_due():
                    return
                self.goal = self.done
            count, limit = 1, self._contiguous(self.handled, self.goal - self.handled)
            while count < limit and self.report[self.handled + count]:
                count += 1
            run = Run(self.handled, count, self.index_of(self.handled))
            self.runs.append(run)
            self.begun.append((run.index, count))
            self.waiting -= count
            self.handled += count
