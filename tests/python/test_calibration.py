# SPDX-License-Identifier: Apache-2.0
"""The fit of a testbed's free parameters, on figures that are known functions of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from longhaul.errors import UsageError
from longhaul.papers import calibration
from longhaul.papers.calibration import Case, Fit, Parameter, Plan

PLAN = Plan(
    description="a testbed",
    figure="goodput_gbps",
    parameter=(
        Parameter(name="*.cpu.slow", start=1.0, least=0.0, most=4.0, why="not modelled"),
        Parameter(
            name="*.eth0.clocks", start=100, least=50, most=200, why="no source", integer=True
        ),
    ),
    case=(
        Case(scenario="ixgb_b2b", set=("mtu=1500",), published=3.0, source="table, small"),
        Case(scenario="ixgb_b2b", set=("mtu=9198",), published=6.0, source="table, jumbo"),
    ),
)


class Model:
    """Small frames cost CPU, jumbo frames the engine: 3.0 and 6.0 at slow=2, clocks=160."""

    def __init__(self) -> None:
        self.count = 0

    def figures(self, values: Sequence[float]) -> list[float]:
        slow, clocks = values
        self.count += 2
        return [12.0 / (2 + slow), 960.0 / clocks]


def fitted() -> Fit:
    model: Any = Model()
    return calibration.fit(PLAN, model)


def test_the_fit_finds_the_parameters_that_give_the_published_figures() -> None:
    found = fitted()
    assert found.values[0] == pytest.approx(2.0, abs=0.1)
    assert found.values[1] == pytest.approx(160, abs=5)
    assert found.figures == pytest.approx((3.0, 6.0), rel=0.03)


class Granular(Model):
    """Runs are not smooth: figures move in steps of 2 %."""

    def figures(self, values: Sequence[float]) -> list[float]:
        return [
            round(figure * 50 / f) * f / 50
            for figure, f in zip(super().figures(values), (3, 6), strict=True)
        ]


def test_a_start_near_a_bound_moves_away_from_it_in_spite_of_granularity() -> None:
    near = PLAN.parameters[0].model_copy(update={"start": PLAN.parameters[0].least + 0.04})
    plan = PLAN.model_copy(update={"parameters": (near, PLAN.parameters[1])})
    model: Any = Granular()
    assert calibration.fit(plan, model).values[0] == pytest.approx(2.0, abs=0.2)


def test_sensitivities_have_the_sign_and_the_size_of_the_model() -> None:
    found = fitted()
    assert found.slopes[0][0] == pytest.approx(-9.1, abs=1.5)  # 0.4 more cycles
    assert found.slopes[0][1] == pytest.approx(0.0, abs=1e-9)
    assert found.slopes[1][1] == pytest.approx(-8.6, abs=1.5)  # 15 more clocks


def test_a_fit_stays_within_its_bounds() -> None:
    plan = PLAN.model_copy(
        update={"cases": (PLAN.cases[0].model_copy(update={"published": 1.0}), PLAN.cases[1])}
    )
    model: Any = Model()
    assert calibration.fit(plan, model).values[0] <= 4.0


def test_the_report_shows_value_bounds_error_and_sensitivity() -> None:
    text = calibration.report("testbed", PLAN, fitted(), "1s")
    assert "| `*.cpu.slow` | 2" in text
    assert "0 to 4 | not modelled |" in text
    assert "| table, small | 3 | 3.000 | +0.0 | -9.1 | +0.0 |" in text
    assert "`*.eth0.clocks` + 15" in text
    told = PLAN.model_copy(update={"note": "Fitted on a day.\n"})
    assert "\nFitted on a day.\n\n|" in calibration.report("testbed", told, fitted(), "1s")


def test_a_parameter_is_written_as_the_command_line_reads_it() -> None:
    slow, clocks = PLAN.parameters
    assert slow.text(1.23456) == "*.cpu.slow=1.235"
    assert clocks.text(159.7) == "*.eth0.clocks=160"


def test_an_unknown_bench_names_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"nothing to calibrate for opteron; did you mean opteron"):
        calibration.find("opteron")
    with pytest.raises(UsageError, match=r"nothing to calibrate for x{300}; there are"):
        calibration.find("x" * 300)
    with pytest.raises(UsageError, match=r"duration=10parsec: "):
        calibration.find("opteron_10g", "10parsec")


def test_the_tree_s_own_plan_is_whole() -> None:
    plan, path = calibration.find("opteron_10g")
    assert path == Path(path)
    assert {case.published for case in plan.cases} == {3.23, 6.05, 6.35}
    assert all(p.least <= p.start <= p.most for p in plan.parameters)
