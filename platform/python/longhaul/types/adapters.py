# SPDX-License-Identifier: Apache-2.0
"""Types of adapters, those of plug-ins too."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.types import catalog, described, plugins


def find(name: str) -> catalog.Type:
    """Return a type of adapter of the tree, or of a plug-in that this process was given.

    Raises UsageError, with the nearest name, if there is none.
    """
    if name in catalog.names("adapter"):
        return catalog.find("adapter", name)
    added = _of_plugins(plugins.given())
    if name not in added:
        near = did_you_mean(name, {*catalog.names("adapter"), *added})
        raise UsageError(f"no adapter {name!r}{near}")
    return added[name]


@cache
def _of_plugins(files: tuple[Path, ...]) -> Mapping[str, catalog.Type]:
    if not files:
        return {}
    return {
        each.name: catalog.Type(
            kind=each.kind,
            name=each.name,
            title=each.title,
            phy=each.phy,
            slot=each.slot,
            linux_driver=each.linux_driver,
        )
        for each in described.everything(files)
        if each.kind == "adapter" and each.plugin
    }
