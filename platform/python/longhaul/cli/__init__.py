# SPDX-License-Identifier: Apache-2.0
"""The command line: one function per command, errors as one line."""

from longhaul.cli import (
    attacks,
    checks,
    coverage,
    docs,
    figures,
    packets,
    rtl,
    runs,
    studies,
    synthesis,
    tree,
    validate,
    views,
    workspaces,
)
from longhaul.cli.app import app
from longhaul.cli.examples import EXAMPLES
from longhaul.cli.main import GROUPS, main

__all__ = [
    "EXAMPLES",
    "GROUPS",
    "app",
    "attacks",
    "checks",
    "coverage",
    "docs",
    "figures",
    "main",
    "packets",
    "rtl",
    "runs",
    "studies",
    "synthesis",
    "tree",
    "validate",
    "views",
    "workspaces",
]
