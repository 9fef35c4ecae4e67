# SPDX-License-Identifier: Apache-2.0
"""BOOSTER end to end: two relays, and the paper's formula beside the model."""

import pytest
from longhaul.testbeds import booster
from longhaul.units import Size, ms
from rig.points import point

CLEAN = ("system=windows-xp", "edge_loss=0%", "warmup=400ms")
WINDOW = Size(44 * 1460)  # what fits 65,535 B in whole segments


def test_a_window_without_scaling_is_the_limit_of_the_line_as_the_formula_says() -> None:
    run = point("booster_table3", *CLEAN, "relay=off", "edge_delay=0ms", "duration=1s")
    expected = booster.formula_gbps(WINDOW, ms(33), 0)
    assert run.measured["goodput_gbps"] == pytest.approx(expected, rel=0.08)


def test_with_relays_the_same_window_is_the_limit_of_the_edge_alone() -> None:
    run = point("booster_table3", *CLEAN, "km=200", "relay=on", "duration=200ms")
    expected = booster.formula_gbps(WINDOW, ms(2), 0)
    assert run.measured["goodput_gbps"] == pytest.approx(expected, rel=0.15)
