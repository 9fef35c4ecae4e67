# SPDX-License-Identifier: Apache-2.0
"""A study's figures, read from the folder of a finished run."""

from __future__ import annotations

import re
from pathlib import Path

from longhaul.errors import LonghaulError
from longhaul.nearest import did_you_mean
from longhaul.published.reference import lookup
from longhaul.results import simdata
from longhaul.results.runview import RunView
from longhaul.studies.tables import RunFigure

_COUNTER = re.compile(r"^\s*(\S+): (\d+)$", re.MULTILINE)


class RunFigures:
    """The figures of one run; a term is read when a figure asks for it.

    `measured:NAME` is a figure of results.json. `probe:NAME` is the count of a simulator's counter
    in the measured window. `ethtool:HOST.NAME` is a statistic of a guest's adapter at the run's
    end, as `ethtool -S` shows it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._run = RunView.load(folder)
        self._sim: simdata.SimData | None = None

    def value(self, figure: RunFigure) -> float:
        """Return a figure; a LonghaulError names a term that this run does not have."""
        over = sum(map(self._term, figure.over)) if figure.over else 1.0
        return figure.times * sum(map(self._term, figure.of)) / over if over else 0.0

    def _term(self, term: str) -> float:
        kind, _, name = term.partition(":")
        return {"measured": self._measured, "probe": self._probe, "ethtool": self._ethtool}[kind](
            name
        )

    def _measured(self, name: str) -> float:
        value = lookup(self._run.measured, name)
        if not isinstance(value, int | float):
            raise LonghaulError(f"{self._folder}: has no figure {name}")
        return float(value)

    def _probe(self, name: str) -> float:
        if self._sim is None:
            self._sim = simdata.load(self._folder / "raw" / "sim.json")
        probe = self._sim.probes.get(name)
        if probe is None or probe.delta is None:
            counters = [each for each, of in self._sim.probes.items() if of.delta is not None]
            near = did_you_mean(name, counters)
            raise LonghaulError(f"{self._folder}: has no counter {name}{near}")
        return float(probe.delta)

    def _ethtool(self, name: str) -> float:
        host, _, counter = name.partition(".")
        file = self._folder / "guests" / host / "report" / "ethtool-S.txt"
        try:
            found = dict(_COUNTER.findall(file.read_text()))
        except OSError:
            raise LonghaulError(f"{file}: is missing; is {host} a real guest?") from None
        if counter not in found:
            raise LonghaulError(f"{file}: has no {counter}{did_you_mean(counter, found)}")
        return float(found[counter])
