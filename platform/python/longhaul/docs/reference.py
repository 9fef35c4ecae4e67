# SPDX-License-Identifier: Apache-2.0
"""All pages that are made of what the code says, by their place in the site."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from longhaul import registry
from longhaul.docs import (
    commands_page,
    python_pages,
    register_pages,
    rules_page,
    scenario_pages,
    types_pages,
    workspace_page,
)
from longhaul.docs.staging import Figures
from longhaul.portmap import table as port_maps
from longhaul.types import described, rtl_models


def pages(program: Any, examples: Mapping[str, str], figures: Figures) -> dict[str, str]:
    """Return all generated pages; `program` is the command of all commands."""
    scenarios = registry.scenarios().values()
    keys = (
        "All keys of port maps (docs/port_maps.md), then all kinds of interfaces with their "
        "signals. `longhaul rtl --reference` prints them."
    )
    return {
        "reference/commands.md": commands_page.page(program, examples),
        "reference/workspace.md": workspace_page.page(),
        "reference/port_maps.md": f"# Port maps: all keys\n\n{keys}\n\n{port_maps.reference()}\n",
        rules_page.PLACE: rules_page.page(),
        **scenario_pages.pages(scenarios),
        **scenario_pages.papers(scenarios, figures),
        **types_pages.pages(rtl_models.with_parameter(described.everything(), ())),
        **register_pages.pages(),
        **python_pages.pages(),
    }
