# SPDX-License-Identifier: Apache-2.0
"""Parameters of the top module that are parameters of its adapter or box.

Each value is another compiled model (`variants`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from longhaul.errors import UsageError
from longhaul.portmap import inputs
from longhaul.portmap.problems import Problem
from longhaul.portmap.schema import PortMap
from longhaul.units import Size


def problems(map_: PortMap) -> Iterator[Problem]:
    """Yield what is wrong with the tables [parameters.NAME] of a map."""
    for name, each in map_.parameters.items():
        here = ("parameters", name)
        if what := inputs.name_problem(name):
            yield here, f"{what}; `parameter` names the top module's"
        if name in inputs.PARAMETERS or name in map_.inputs:
            yield here, f"{name} is another parameter; give it another name"
        if each.parameter in map_.block.parameters:
            yield (*here, "parameter"), f"{each.parameter} stands in block.parameters, too"
        texts = [str(value) for value in each.values]
        if len({letters(text) for text in texts}) < len(texts):
            yield (*here, "values"), "two of them are alike"
        if str(each.value) not in texts:
            yield (*here, "value"), f"{each.value} is none of its values: {', '.join(texts)}"


def of_verilog(value: str | int) -> str | int:
    """Return a value as Verilator takes it: a size in bytes, anything else as it is."""
    if isinstance(value, int):
        return value
    try:
        return Size.parse(value, where="a value").bytes
    except UsageError:
        return value


def compiled(map_: PortMap) -> dict[str, str | int | bool]:
    """Return all parameters of the top module that a map gives it, by their names there."""
    own = {each.parameter: of_verilog(each.value) for each in map_.parameters.values()}
    return {**map_.block.parameters, **own}


def document(map_: PortMap) -> list[dict[str, Any]]:
    """Return the parameters as the simulator reads them."""
    return [
        {
            "name": name,
            "value": str(each.value),
            "values": [str(value) for value in each.values],
            "description": each.description or f"parameter {each.parameter} of {map_.block.top}",
        }
        for name, each in map_.parameters.items()
    ]


def letters(text: str) -> str:
    """Return a text with an underscore for each character that no name has."""
    return re.sub(r"\W", "_", text)
