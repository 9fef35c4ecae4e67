# SPDX-License-Identifier: Apache-2.0
"""Machines with several cores: their figures are of all of them, and of each."""

from typing import Any

import pytest
from longhaul.record.states import CORE_STATES
from longhaul.results import measures, stages
from longhaul.results.simdata import Probe, SimData, Window

SECOND = 10**12


def clock(**states: int) -> Probe:
    every = dict.fromkeys((*CORE_STATES, "idle"), 0)
    return Probe(states=every | {name: pct * SECOND // 100 for name, pct in states.items()})


def sim(*cores: Probe) -> SimData:
    names = [f"host.core{i or ''}" for i in range(len(cores))]
    probes: dict[str, Any] = {f"{name}.state": one for name, one in zip(names, cores, strict=True)}
    probes["host.corelike.state"] = clock(user=100)
    for i, name in enumerate(names):
        probes[f"{name}.memory_wait_ps"] = Probe(delta=i * SECOND // 10)
        probes[f"{name}.napi_polls"] = Probe(delta=100 * (i + 1))
    return SimData(window=Window(begin_ps=0, end_ps=SECOND), probes=probes, wall_s=1, simulated_s=1)


def figure(name: str, data: SimData) -> float:
    return measures.HOST_MEASURES[name].evaluate(data, "host")


def test_shares_are_means_over_all_cores_and_counts_are_sums() -> None:
    two = sim(clock(user=60, softirq=40), clock(system=20, idle=80))
    assert measures.cores(two, "host") == ["host.core", "host.core1"]
    assert figure("cpu_busy_pct", two) == pytest.approx(60)
    assert figure("cpu_user_pct", two) == pytest.approx(30)
    assert figure("cpu_system_pct", two) == pytest.approx(10)
    assert figure("cpu_memory_wait_pct", two) == pytest.approx(5)
    assert figure("napi_polls_per_s", two) == 300
    assert measures.core_measures(two, "host") == {"cpu0_busy_pct": 100.0, "cpu1_busy_pct": 20.0}


def test_a_lone_core_is_the_machines() -> None:
    one = sim(clock(user=25, idle=75))
    assert figure("cpu_busy_pct", one) == 25
    assert measures.core_measures(one, "host") == {}


def test_a_core_that_is_full_is_a_stage_that_is_full_however_idle_the_other_is() -> None:
    sender = {"cpu_busy_pct": 52.0, "cpu0_busy_pct": 100.0, "cpu1_busy_pct": 4.0}
    found = next(stage for stage in stages.stages({"sender": sender}))
    assert found.full_pct == 100
    assert found.why.startswith("processor 0 of 2 was busy 100.0 %; all: busy 52.0 %")
    assert stages.shares(found) == "sender's CPU, processor 0 of 2, 100.0 %"
