# SPDX-License-Identifier: Apache-2.0
"""rig/order.py: long files begin first, and files that share runs are one worker's."""

from __future__ import annotations

from longhaul.paths import ROOT
from rig import order


def test_every_name_is_a_file_of_tests() -> None:
    for name in (*order.LONG, *order.TOGETHER):
        assert any((ROOT / "tests").rglob(f"{name}.py")), name
    assert len(set(order.LONG)) == len(order.LONG)


def test_a_file_stays_together_and_golden_runs_do_not() -> None:
    files = ("tests/system/test_timeline.py", "tests/system/test_bus_arithmetic.py")
    shared = {order.group(f"{file}::test_{n}[x]") for file in files for n in "ab"}
    assert len(shared) == 1
    assert order.group("tests/system/test_wan.py::test_a") == "tests/system/test_wan.py"
    golden = {order.group(f"tests/system/test_golden.py::test_a[{n}]") for n in "ab"}
    assert len(golden) == 2


def test_long_files_begin_first_and_those_that_share_follow_one_another() -> None:
    names = ["test_bottleneck", "test_fitted", "test_port_maps", "test_bus_arithmetic"]
    assert sorted(names, key=order.place) == [
        *("test_bus_arithmetic", "test_bottleneck", "test_port_maps", "test_fitted")
    ]
