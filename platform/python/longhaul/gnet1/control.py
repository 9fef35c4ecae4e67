# SPDX-License-Identifier: Apache-2.0
"""Talks to the GNET-1 box of a run that goes on, over the simulator's socket.

Each function of the box is a list of accesses. They are made here for programs that ask now
(`Gnet1.access`) and for scenarios that say it in advance (`Scenario.control`).
"""

from __future__ import annotations

from pathlib import Path

from longhaul.errors import UsageError
from longhaul.gnet1 import registers
from longhaul.gnet1.registers import MAP, Access, read, write
from longhaul.registers.running import SOCKET, RunningBox
from longhaul.units import Time

__all__ = [
    "CANCEL", "LATCH", "SAMPLE", "SOCKET", "Gnet1", "discard", "latch", "read_counters",
    "read_samples", "start_sampling",
]  # fmt: skip

_DISCARD, _SAMPLER = MAP.find("p0.DISCARD_CTRL"), MAP.find("SAMPLE_CTRL")
_MODES = _DISCARD.field("MODE")
LATCH = MAP.find("CTRL").field("LATCH").mask  # takes the counters as they are now
LEARN = MAP.find("CTRL").field("LEARN").mask
SAMPLE = _SAMPLER.field("ENABLE").mask
ARM, CANCEL = _DISCARD.field("ARM").mask, _DISCARD.field("CANCEL").mask


def discard(port: int, *, after: int | None = None, at: Time | None = None) -> list[Access]:
    """Return what discards one frame of `port`: the next, or the next once `after` have passed.

    With `at`, a time of the box (register TIME), the first from then on.
    """
    if after is not None and at is not None:
        raise UsageError("a discard takes a number of frames or a time, not both")
    if at is not None:
        when = registers.time_word(at)
        return [write(f"p{port}.DISCARD_ARG", when), _arm(port, "AT")]
    if after is not None:
        return [write(f"p{port}.DISCARD_ARG", after), _arm(port, "NTH")]
    return [_arm(port, "NEXT")]


def _arm(port: int, mode: str) -> Access:
    return write(f"p{port}.DISCARD_CTRL", _MODES.values[mode] << _MODES.lsb | ARM)


def latch(control: int = LEARN) -> list[Access]:
    """Return what takes all counters at one instant; `control` are the other bits of CTRL."""
    return [write("CTRL", control | LATCH)]


def read_counters(port: int) -> list[Access]:
    """Return the reads of a port's counters, as latched last."""
    return [read(f"p{port}.{name}") for name in registers.COUNTERS]


def start_sampling(port: int, period: Time) -> list[Access]:
    """Return what samples a port's WORDS and FRAMES every `period` until memory is full."""
    return [
        write("SAMPLE_CTRL", 0),
        write("SAMPLE_PERIOD", period),
        write("SAMPLE_CTRL", port << _SAMPLER.field("PORT").lsb | SAMPLE),
    ]


def read_samples(first: int, count: int) -> list[Access]:
    """Return the reads of `count` samples from number `first` on: words, frames, words, ..."""
    pair = [read("SAMPLE_WORDS"), read("SAMPLE_FRAMES")]
    return [write("SAMPLE_INDEX", first), *pair * count]


class Gnet1(RunningBox):
    """A GNET-1 of a run that goes on. `run` is the folder that the run will have (--out).

    LonghaulError when no such run goes on, or the simulator refuses what was asked.
    """

    def __init__(self, run: Path, box: str = "gnet1", *, timeout_s: float = 60.0) -> None:
        super().__init__(run, box, MAP, timeout_s=timeout_s)

    def discard(self, port: int, *, after: int | None = None, at: Time | None = None) -> Time:
        """Arm the discard of one frame, as discard() does, and return when.

        A UsageError for a time that the box has passed, or passes while it is being told.
        """
        accesses = discard(port, after=after, at=at)
        if at is None:
            return self.access(accesses)[0]
        self._check_ahead(self.access([read("TIME")])[1][0], at)
        armed, words = self.access([read("TIME"), *accesses])
        try:
            self._check_ahead(words[0], at)
        except UsageError:
            self.access([write(f"p{port}.DISCARD_CTRL", CANCEL)])
            raise
        return armed

    def _check_ahead(self, word: int, at: Time) -> None:
        now = registers.find("TIME").decode(word)
        assert isinstance(now, Time)
        if registers.ahead(now, at) is None:
            raise UsageError(
                f"--at {at.short()}: the time of {self.box} is {now.seconds:.6f} s (register "
                f"TIME); wants a later time, less than {registers.AHEAD.seconds:.2f} "
                "s ahead"
            )

    def counters(self, port: int) -> dict[str, int]:
        """Return a port's counters, all of one instant."""
        control = self.access([read("CTRL")])[1][0]
        words = self.access([*latch(control), *read_counters(port)])[1][1:]
        return dict(zip(registers.COUNTERS, words, strict=True))

    def samples(self) -> list[tuple[int, int]]:
        """Return the samples taken so far: a port's WORDS and FRAMES at each."""
        total = self.access([read("SAMPLE_TOTAL")])[1][0]
        words = self.access(read_samples(0, total))[1][1:]
        return list(zip(words[::2], words[1::2], strict=True))
