# SPDX-License-Identifier: Apache-2.0
"""Prints the functional coverage of the box after the tests' own summary."""

import pytest
from harness import CORNER_TABLE
from rig.order import pytest_collection_modifyitems, pytest_xdist_make_scheduler

__all__ = ["pytest_collection_modifyitems", "pytest_xdist_make_scheduler"]


def pytest_sessionstart() -> None:
    """Forget the table of an earlier session."""
    CORNER_TABLE.unlink(missing_ok=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show each corner with the times it was met."""
    if CORNER_TABLE.exists():
        terminalreporter.section("functional coverage of rtl/gnet1")
        terminalreporter.write(CORNER_TABLE.read_text())
