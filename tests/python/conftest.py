# SPDX-License-Identifier: Apache-2.0
"""Every test has its own cache folder, and the command line with stand-ins as a program."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PACKAGE = HERE.parents[1] / "platform" / "python"
DRIVER = HERE / "support" / "driver.py"

Cli = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    cache = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    return cache


@pytest.fixture
def environment(own_cache: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(PACKAGE), "XDG_CACHE_HOME": str(own_cache)}


@pytest.fixture
def cli(environment: dict[str, str], tmp_path: Path) -> Cli:
    """Run `longhaul ARGS...` with the stand-ins; `mode` is what the simulator does wrong."""

    def run(*args: str, mode: str = "ok", timeout: float = 60) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, str(DRIVER), *args],
            env=environment | {"FAKE_SIM": mode, "FAKE_SIM_PIDS": str(tmp_path / "pids")},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    return run
