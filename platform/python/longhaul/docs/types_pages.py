# SPDX-License-Identifier: Apache-2.0
"""A page for each kind of type, with every type and its parameters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from longhaul.docs.tables import code, plain, table
from longhaul.types.described import Described, Parameter

_HEADS = ("parameter", "default", "range", "meaning", "evidence")
_WHERE = {  # by the key of the configuration: how a user names such a parameter
    "params": "`--param OBJECT.NAME=VALUE`, or `params=` of the topology",
    "firmware": "what the firmware of the machine sets",
}
_PLURALS = {"box": "Boxes", "switch": "Switches"}


def pages(types: Sequence[Described]) -> dict[str, str]:
    """Return the pages by their place in the site."""
    ordered = sorted(types, key=lambda each: (each.kind, each.name))
    made: dict[str, str] = {}
    for kind, members in groupby(ordered, lambda each: each.kind):
        title = _PLURALS.get(kind, f"{kind.capitalize()}s")
        text = f"# {title}\n\nAs `longhaul types NAME` tells them.\n\n"
        made[f"reference/types/{kind.replace(' ', '_')}.md"] = text + "".join(map(_type, members))
    return made


def _type(each: Described) -> str:
    text = f"## {each.name}\n\n{plain(each.title)}.\n\n"
    facts = {"Source": each.file, "PCI": ", ".join(each.pci_ids), "Slot": each.slot}
    facts["Cable"] = each.phy
    if driver := each.linux_driver:
        how = "a module that a run builds" if driver.option else "built in"
        mtus = f"MTU {driver.least_mtu} to {driver.largest_mtu} B"
        facts["Linux driver"] = f"{driver.module}, {how}, {mtus} ({driver.source})"
    text += "".join(f"- {name}: {plain(fact)}\n" for name, fact in facts.items() if fact) + "\n"
    for group, parameters in each.parameters.items():
        if parameters:
            text += f"`{group}`: {_WHERE.get(group, 'of the configuration')}.\n\n"
            text += table(_HEADS, map(_row, parameters))
    return text


def _row(item: Parameter) -> tuple[str, ...]:
    default = str(item.default).lower() if item.type == "bool" else str(item.default)
    told = (plain(item.description), f"{item.evidence}: {plain(item.source)}")
    return (code(item.name), code(default) or "(none)", plain(item.limits() or item.type), *told)
