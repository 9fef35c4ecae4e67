# SPDX-License-Identifier: Apache-2.0
"""Port maps with other values of their [parameters] than their own.

Such a map is a map again. Its block has a name of its own, so that both can be in one run.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.portmap.read import MapFile
from longhaul.portmap.schema import TopParameter
from longhaul.portmap.top_parameters import letters, of_verilog


def chosen(file: MapFile, params: Mapping[str, Any], place: str) -> dict[str, str]:
    """Return the values that a part's parameters give to those of the map, as the map has them.

    A UsageError, which begins with `place`, names the legal values.
    """
    found: dict[str, str] = {}
    for name, each in file.map.parameters.items():
        if name in params:
            found[name] = _legal(each, params[name], f"{place}.{name}")
    return found


def _legal(of: TopParameter, given: Any, where: str) -> str:
    texts = [str(value) for value in of.values]
    if str(given) in texts:
        return str(given)
    value = of_verilog(given if isinstance(given, int) else str(given))
    for text, each in zip(texts, of.values, strict=True):
        if of_verilog(each) == value:
            return text
    near = did_you_mean(str(given), texts)
    raise UsageError(
        f"{where}: the RTL has no model with {given}; it may be {', '.join(texts)}{near}"
    )


def name_of(file: MapFile, values: Mapping[str, str]) -> str:
    """Return the name of the block with these values: its own if they are the map's."""
    map_ = file.map
    others = [
        f"_{name}_{letters(values[name])}"
        for name, each in map_.parameters.items()
        if values.get(name, str(each.value)) != str(each.value)
    ]
    return map_.block.name + "".join(others)


def with_values(file: MapFile, values: Mapping[str, str]) -> MapFile:
    """Return a map whose parameters have these values, of those that chosen() returns."""
    map_ = file.map
    parameters = {
        name: each.model_copy(update={"value": values.get(name, each.value)})
        for name, each in map_.parameters.items()
    }
    block = map_.block.model_copy(update={"name": name_of(file, values)})
    return dataclasses.replace(
        file, map=map_.model_copy(update={"block": block, "parameters": parameters})
    )
