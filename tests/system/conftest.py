# SPDX-License-Identifier: Apache-2.0
"""Golden runs share nothing: each is for any core, where other files' tests stay together."""

from pytest import Config, hookimpl
from xdist.scheduler import LoadFileScheduling


class Spread(LoadFileScheduling):
    """As `--dist loadfile`, but each test of test_golden.py goes where there is room."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid if "/test_golden.py::" in nodeid else super()._split_scope(nodeid)


@hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: Config, log: object) -> Spread | None:
    return Spread(config, log) if config.getoption("dist") == "loadfile" else None
