# SPDX-License-Identifier: Apache-2.0
"""Types of the tree and of the plug-ins that this process was given, port maps among them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.types import catalog, described, plugins


def find(kind: str, name: str) -> catalog.Type:
    """Return a type; a UsageError names the nearest one."""
    if name in catalog.names(kind):
        return catalog.find(kind, name)
    added = of_plugins(kind)
    if name not in added:
        near = did_you_mean(name, {*catalog.names(kind), *added})
        raise UsageError(f"no {kind} {name!r}{near}")
    return added[name]


def of_plugins(kind: str) -> Mapping[str, catalog.Type]:
    """Return the types of a kind that plug-ins add, by name."""
    return {name: each for (of, name), each in _added(plugins.given()).items() if of == kind}


@cache
def _added(files: tuple[Path, ...]) -> Mapping[tuple[str, str], catalog.Type]:
    if not files:
        return {}
    return {
        (each.kind, each.name): catalog.Type(
            kind=each.kind,
            name=each.name,
            title=each.title,
            phy=each.phy,
            slot=each.slot,
            rtl=each.rtl,
            linux_driver=each.linux_driver,
            pci_ids=each.pci_ids,
            platform=each.platform,
        )
        for each in described.everything(files)
        if each.plugin
    }
