# SPDX-License-Identifier: Apache-2.0
"""Comparisons of repeated runs: which differences are more than chance."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from conftest import Cli
from longhaul.results.runview import RunView
from longhaul.sweeps import repeated_comparison
from longhaul.sweeps.repeated_comparison import Row, Side
from rich.console import Console


def side(name: str, **figures: list[float]) -> Side:
    """Return as many runs as the figures have values."""
    runs: list[RunView] = []
    for i, values in enumerate(zip(*figures.values(), strict=True)):
        case: dict[str, Any] = {
            "case": {"mtu": len(name)},
            "measured": dict(zip(figures, values, strict=True)),
            "reference": {},
            "error_pct": {},
            "bottleneck": {"what": "wire" if i else "loss", "why": "", "evidence": {}},
        }
        manifest: dict[str, Any] = {"seed": 1 + i, "layout": i, "parameters": []}
        runs.append(RunView(Path(name), {"scenario": "s", "cases": [case]}, manifest))
    return Side(name, tuple(runs))


def shown(first: Side, second: Side) -> str:
    file = StringIO()
    console = Console(width=200, file=file, color_system=None)
    repeated_comparison.show(console, first, second)
    return file.getvalue()


def by_name(first: Side, second: Side) -> dict[str, Row]:
    return {row.name: row for row in repeated_comparison.rows(first, second)}


NOISE = [1.0, 2.0, 3.0, 4.0]


def test_a_difference_is_beyond_chance_by_itself_or_among_all_or_not() -> None:
    many = {f"noise{i}": NOISE for i in range(18)}
    first = side("a", goodput_gbps=[1.0, 1.01, 1.02, 1.03], rtt_ms=[1, 1.1, 1.2, 1.3], **many)
    second = side("bb", goodput_gbps=[2.0, 2.01, 2.02, 2.03], rtt_ms=[1.3, 1.4, 1.5, 1.6], **many)
    rows = by_name(first, second)
    assert rows["goodput_gbps"].beyond_chance == "yes"
    assert rows["rtt_ms"].beyond_chance == "alone"
    assert rows["rtt_ms"].p == pytest.approx(0.01669, abs=5e-6)  # t = 3.286 with 6 df
    assert rows["noise0"].beyond_chance == "no" and rows["noise0"].p == 1.0
    assert rows["goodput_gbps"].change_pct == pytest.approx(100 / 1.015)


def test_what_is_the_same_in_every_run_is_not_tested() -> None:
    rows = by_name(
        side("a", window_s=[1.0] * 4, x=NOISE, gone=NOISE), side("b", window_s=[1.0] * 4, x=NOISE)
    )
    assert (rows["window_s"].p, rows["window_s"].change_pct) == (None, 0.0)
    assert rows["gone"].second is None and rows["gone"].beyond_chance == ""


def test_a_side_that_names_no_drops_dropped_nothing() -> None:
    lossy = {"drops.box.full": [90.0, 100.0, 110.0, 95.0]}
    row = by_name(side("a", x=NOISE), side("bb", x=NOISE, **lossy))["drops.box.full"]
    assert row.first is not None and (row.first.n, row.first.mean) == (4, 0.0)
    assert row.beyond_chance == "yes"


def test_the_table_has_intervals_seeds_and_how_many_figures_were_tested() -> None:
    text = shown(side("a", goodput_gbps=NOISE), side("bb", goodput_gbps=[9.0, 10.0, 11.0, 12.0]))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "goodput, Gb/s 2.5 ± 2.1 10.5 ± 2.1 +320.00 % <0.001 yes" in lines
    assert "mtu 1 2" in lines and "seeds 1 to 4 1 to 4" in lines
    assert "Limited by: wire in 3 of 4 | wire in 3 of 4" in lines
    assert "Tested: 1 figure; by chance alone 5% of them" in text


def test_one_run_beside_several_is_told_to_be_repeated() -> None:
    text = shown(side("a", goodput_gbps=[1.0]), side("bb", goodput_gbps=NOISE))
    assert "One run on a side cannot tell chance from effect" in text
    assert "Tested:" not in text


def test_folders_of_repetitions_are_compared_by_the_command_line(cli: Cli) -> None:
    for name in ("a", "b"):
        mtu = {"a": "mtu=9000", "b": "mtu=1500"}[name]
        words = ("--set", mtu, "--repeat", "2", "--jobs", "2", "--out", name)
        assert cli("run", "ixgb_b2b", *words).returncode == 0
    done = cli("compare", "a", "b")
    assert done.returncode == 0, done.stderr
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "runs 2 2" in lines and "layouts 0 to 1 0 to 1" in lines
    assert any(line.startswith("goodput, Gb/s 6.062 ± 0 6.062 ± 0 same") for line in lines)
    single = cli("compare", "a/seed=1,layout=0", "b/seed=1,layout=0")
    assert "One run each cannot tell chance from effect" in single.stdout
