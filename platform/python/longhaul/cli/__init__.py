# SPDX-License-Identifier: Apache-2.0
"""The command line: one function per command, errors as one line."""

from longhaul.cli import (
    attacks,
    checks,
    coverage,
    rtl,
    runs,
    studies,
    tree,
    validate,
    views,
    workspaces,
)
from longhaul.cli.app import app
from longhaul.cli.main import EXAMPLES, GROUPS, main

__all__ = [
    "EXAMPLES",
    "GROUPS",
    "app",
    "attacks",
    "checks",
    "coverage",
    "main",
    "rtl",
    "runs",
    "studies",
    "tree",
    "validate",
    "views",
    "workspaces",
]
