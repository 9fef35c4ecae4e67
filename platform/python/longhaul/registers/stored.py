# SPDX-License-Identifier: Apache-2.0
"""A register map as JSON, in `maps/`: runs read it without a compiler of SystemRDL."""

from __future__ import annotations

import dataclasses
import json
from functools import cache
from pathlib import Path
from typing import Any

from longhaul.registers.description import Block, Field, Register, RegisterMap

MAPS = Path(__file__).parent / "maps"


@cache
def load(name: str) -> RegisterMap:
    """Return the map of a type of box."""
    return _map(json.loads((MAPS / f"{name}.json").read_text()))


def text(described: RegisterMap) -> str:
    """Return the file of a map: a line for each block and each register."""
    rows: dict[str, list[str]] = {"blocks": [_line(block) for block in described.blocks]}
    rows |= {kind: [_line(each) for each in regs] for kind, regs in described.kinds.items()}
    shown = {kind: "[\n  " + ",\n  ".join(lines) + "\n ]" for kind, lines in rows.items()}
    kinds = ",\n ".join(f"{json.dumps(kind)}: {shown[kind]}" for kind in described.kinds)
    head = ", ".join(
        f"{json.dumps(name)}: {json.dumps(value)}"
        for name, value in (
            ("name", described.name), ("title", described.title), ("size", described.size)
        )
    )  # fmt: skip
    return f'{{{head},\n "blocks": {shown["blocks"]},\n "kinds": {{\n {kinds}}}}}\n'


def _line(part: Block | Register) -> str:
    """Return a block or register as one line, without what has its default."""
    return json.dumps(_sparse(part))


def _sparse(part: Block | Register | Field) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for each in dataclasses.fields(part):
        value = getattr(part, each.name)
        if each.name == "fields":
            found["fields"] = [_sparse(field) for field in value]
        elif value or each.default is dataclasses.MISSING and not isinstance(value, dict):
            found[each.name] = value
        elif value == 0 and each.default is None:
            found[each.name] = value
    return found


def _map(data: dict[str, Any]) -> RegisterMap:
    return RegisterMap(
        name=data["name"],
        title=data["title"],
        size=data["size"],
        blocks=tuple(Block(**each) for each in data["blocks"]),
        kinds={kind: tuple(map(_register, each)) for kind, each in data["kinds"].items()},
    )


def _register(data: dict[str, Any]) -> Register:
    given: dict[str, Any] = data | {"fields": tuple(Field(**each) for each in data["fields"])}
    return Register(**given)
