# SPDX-License-Identifier: Apache-2.0
"""The table of fitted numbers: its rows, its links, and where it goes."""

import pytest
from longhaul.docs import fitted
from longhaul.docs.fitted import Number
from longhaul.errors import LonghaulError
from longhaul.topology import presets

SOURCE = "a chart of 2010: models/memory/README.md#latency"


def test_things_that_share_a_number_share_a_row() -> None:
    numbers = [
        Number("system", "linux-a", "kernel.code_scale", "1.6", "table 2"),
        Number("system", "linux-b", "kernel.code_scale", "1.6", "table 2"),
        Number("system", "linux-c", "kernel.code_scale", "1.7", "table 2"),
    ]
    assert fitted.rows(numbers).splitlines()[2:4] == [
        "| `kernel.code_scale` | 1.6 | system `linux-a`, `linux-b` | table 2 |",
        "| `kernel.code_scale` | 1.7 | system `linux-c` | table 2 |",
    ]


def test_a_number_of_all_presets_names_none_and_its_source_is_a_link() -> None:
    every = [Number("machine", name, "memory.x", "1ns", SOURCE) for name in presets.PRESETS]
    place = "[models/memory/README.md#latency](../models/memory/README.md#latency)"
    row = f"| `memory.x` | 1ns | every machine | a chart of 2010: {place} |"
    assert fitted.rows(every).splitlines()[2] == row
    assert "every machine" not in fitted.rows(every[1:])


def test_the_table_takes_the_place_of_the_old_one() -> None:
    text = f"before\n{fitted.BEGIN}old\n{fitted.END}\nafter\n"
    assert fitted.with_table(text, "new\n") == f"before\n{fitted.BEGIN}\nnew\n{fitted.END}\nafter\n"
    with pytest.raises(LonghaulError, match="no place"):
        fitted.with_table("before\n", "new\n")
