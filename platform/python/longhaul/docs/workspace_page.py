# SPDX-License-Identifier: Apache-2.0
"""The page of longhaul.toml, from the keys that a workspace is read with."""

from __future__ import annotations

from longhaul.docs.tables import code, table
from longhaul.workspace.folder import FILE, TABLES


def page() -> str:
    """Return the page."""
    text = (
        f"# {FILE}\n\nThe file makes a folder a workspace (docs/workspaces.md). Paths are from its "
        "folder on.\nAn unknown table or key is refused with its line and the nearest name.\n\n"
    )
    for name, keys in TABLES.items():
        rows = [(code(key), takes, meaning) for key, (takes, meaning) in keys.items()]
        text += f"## [{name}]\n\n" + table(("key", "takes", "meaning"), rows)
    return text
