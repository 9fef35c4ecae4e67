# SPDX-License-Identifier: Apache-2.0
"""In which order files of tests begin where several run at a time, and which go to one worker.

A file's tests stay together, because they share runs. So a long file that begins last leaves all
other cores without work. A conftest.py imports the two hooks.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from xdist.scheduler import LoadFileScheduling

LONG = (
    # rtl
    *("test_nic", "test_mynic", "test_nic_twin", "test_gnet1", "test_pcix", "test_synthesis"),
    # guest
    *("test_liteeth", "test_operations", "test_self_tests", "test_e1000", "test_rtl_nic"),
    *("test_t110_faults", "test_t110", "test_n110", "test_console", "test_twins", "test_echoes"),
    *("test_traffic", "test_t110_conformance", "test_t110_sockets", "test_genesis"),
    # system
    *("test_bus_arithmetic", "test_plugin_adapter", "test_tutorial", "test_port_maps"),
    *("test_front_door", "test_coverage", "test_wan", "test_gnet1_table1", "test_wan_memory"),
    *("test_waves", "test_gnet1_discard", "test_bad_ends", "test_emulated_host"),
    *("test_gnet1_rtl", "test_attack", "test_validate", "test_docs_site"),
)
"""Long files, the longest first. `./longhaul test` ends each suite with its slowest files."""
TOGETHER = ("test_bus_arithmetic", "test_timeline", "test_bottleneck")
"""Files that ask for the same points (rig/points.py), each of which a process runs once."""


def group(nodeid: str) -> str:
    """Return what a test stays together with: its file, or files; golden runs share nothing."""
    file = nodeid.partition("::")[0]
    name = Path(file).stem
    if name == "test_golden":
        return nodeid
    return TOGETHER[0] if name in TOGETHER else file


def place(name: str) -> tuple[int, int]:
    """Return where a file begins: the long ones first, those that go together one by one."""
    first = TOGETHER[0] if name in TOGETHER else name
    at = LONG.index(first) if first in LONG else len(LONG)
    return at, TOGETHER.index(name) if name in TOGETHER else 0


class Spread(LoadFileScheduling):
    """As `--dist loadfile`, with the groups and the order of this file."""

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Spread | None:
    """Return the scheduler of `--dist loadfile`."""
    if config.getoption("dist") != "loadfile":
        return None
    config.option.loadscopereorder = False  # the order would be that of the numbers of tests
    return Spread(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the long files first; all else stays in its order."""
    items.sort(key=lambda item: place(Path(item.path).stem))
