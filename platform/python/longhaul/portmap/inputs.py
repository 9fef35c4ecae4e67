# SPDX-License-Identifier: Apache-2.0
"""Inputs of a block that are parameters of its part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from longhaul.portmap.problems import Problem
from longhaul.portmap.schema import PortMap

PARAMETERS = (
    *("rules", "gating", "dma_read_fifo_bytes", "decode_clocks", "width_bits", "posted_writes"),
    *("mmrbc", "outstanding", "latency_timer", "one_way_delay", "board", "model"),
    *("memory_stalls", "memory_delay", "memory_seed"),
)
"""What parts by a map have themselves, or the topology gives them."""
_NAME = re.compile(r"[a-z_][a-z0-9_]*")


def name_problem(name: str) -> str:
    """Return what is wrong with a name that is a parameter, or begins some; empty if nothing is."""
    if _NAME.fullmatch(name):
        return ""
    return f"{name!r} is no name of a parameter: small letters, digits and underscores are"


def problems(map_: PortMap) -> Iterator[Problem]:
    """Yield what is wrong with the names of a map's inputs."""
    for name in map_.inputs:
        if what := name_problem(name):
            yield ("inputs", name), f"{what}; `pin` names the pin"
        if name in PARAMETERS:
            yield (
                ("inputs", name),
                f"{name} is another parameter; give it another name, and the pin by `pin`",
            )


def document(map_: PortMap, pins: dict[str, list[str | int]]) -> list[dict[str, Any]]:
    """Return the inputs as the simulator reads them; `pins` are their places by name."""
    return [
        {
            "name": name,
            "pin": pins[name],
            "value": each.value,
            "description": each.description or f"value of the input {each.pin or name}",
        }
        for name, each in map_.inputs.items()
    ]
