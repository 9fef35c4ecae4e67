# SPDX-License-Identifier: Apache-2.0
"""Suggestions: the nearest name, all of a few, some of many."""

from longhaul.nearest import MOST_TOLD, NEAREST_TOLD, did_you_mean


def test_a_near_name_is_meant() -> None:
    assert did_you_mean("goodputt", ["goodput", "rtt"]) == "; did you mean goodput?"


def test_of_a_few_all_are_told() -> None:
    names = [f"name{i:02}" for i in range(MOST_TOLD)]
    assert did_you_mean("zzz", reversed(names)) == f"; there are {', '.join(names)}"
    assert did_you_mean("zzz", []) == ""


def test_of_many_the_nearest_are_told_and_how_many_there_are() -> None:
    names = [f"machine.part{i:03}" for i in range(MOST_TOLD)] + ["qqqq"]
    told = did_you_mean("zyxq", names)
    assert told.startswith(f"; there are {MOST_TOLD + 1}, such as qqqq")
    assert told.count(",") == NEAREST_TOLD
