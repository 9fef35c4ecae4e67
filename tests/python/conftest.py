# SPDX-License-Identifier: Apache-2.0
"""Every test has its own cache folder, and the command line with stand-ins as a program."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from longhaul.paths import cache_dir
from support import engines

HERE = Path(__file__).parent
PACKAGE = HERE.parents[1] / "platform" / "python"
DRIVER = HERE / "support" / "driver.py"

Cli = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    cache = tmp_path / "cache"
    # Compiled pages are the same in every test, and take a run of the command line half its time.
    (cache / "longhaul").mkdir(parents=True)
    templates = cache_dir() / "templates"
    templates.mkdir(parents=True, exist_ok=True)
    (cache / "longhaul" / "templates").symlink_to(templates)
    monkeypatch.delenv("LONGHAUL_LAYOUT", raising=False)
    # These are as before at the end of a test.
    monkeypatch.setenv("LONGHAUL_WORKSPACE", "")
    monkeypatch.setenv("LONGHAUL_PLUGINS", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    return cache


def package_environment(cache: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(PACKAGE), "XDG_CACHE_HOME": str(cache)}


def command_line(folder: Path, environment: dict[str, str]) -> Cli:
    """Return what runs `longhaul ARGS...` with the stand-ins in a folder."""

    def run(*args: str, mode: str = "ok", timeout: float = 60) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, str(DRIVER), *args],
            env=environment | {"FAKE_SIM": mode, "FAKE_SIM_PIDS": str(folder / "pids")},
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    return run


@pytest.fixture
def environment(own_cache: Path) -> dict[str, str]:
    return package_environment(own_cache)


@pytest.fixture
def cli(environment: dict[str, str], tmp_path: Path) -> Cli:
    """Run `longhaul ARGS...` with the stand-ins; `mode` is what the simulator does wrong."""
    return command_line(tmp_path, environment)


@pytest.fixture
def bare_host() -> Iterator[engines.Host]:
    yield from engines.make()


@pytest.fixture
def podman(bare_host: engines.Host) -> engines.Host:
    bare_host.engine("podman", engines.PODMAN)
    return bare_host


@pytest.fixture
def docker(bare_host: engines.Host) -> engines.Host:
    bare_host.engine("docker", engines.DOCKER)
    return bare_host
