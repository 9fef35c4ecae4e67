# SPDX-License-Identifier: Apache-2.0
"""How finely a run's series is sampled: known before it starts, and loaded without Polars."""

from __future__ import annotations

from longhaul.topology import Machine, Scenario
from longhaul.units import Time, s

MOST_CELLS = 10_000_000  # some 100 MB while they are read
LEAST_LINES = 200  # while the traffic goes on
COLUMNS_OF_MACHINE, COLUMNS_OF_CONNECTION = 80, 24  # some more or less: it is a bound of size


def period(scenario: Scenario) -> Time:
    """Return a period that gives a plot some hundred points and a long run some ten thousand.

    Where many hosts and connections make lines long there are fewer, so that the table has some
    MOST_CELLS values.
    """
    duration = scenario.check().traffic
    usual = (
        duration.ps // 10_000 if duration > s(10) else min(10**9, max(10**8, duration.ps // 200))
    )
    machines = sum(isinstance(part, Machine) for part in scenario.parts.values())
    connections = sum(getattr(workload, "streams", 1) for workload in scenario.workloads)
    width = COLUMNS_OF_MACHINE * machines + COLUMNS_OF_CONNECTION * connections
    lines = max(LEAST_LINES, MOST_CELLS // width)
    return Time(max(usual, duration.ps // lines))
