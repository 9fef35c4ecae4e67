# SPDX-License-Identifier: Apache-2.0
"""Types of adapters, those of plug-ins too."""

from __future__ import annotations

from longhaul.types import catalog, everywhere


def find(name: str) -> catalog.Type:
    """Return a type of adapter of the tree, or of a plug-in that this process was given.

    Raises UsageError, with the nearest name, if there is none.
    """
    return everywhere.find("adapter", name)
