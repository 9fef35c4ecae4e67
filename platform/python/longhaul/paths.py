# SPDX-License-Identifier: Apache-2.0
"""Where things are: the checkout, its build tree and the user's cache."""

import os
import sys
from pathlib import Path

SIMULATOR = "LONGHAUL_SIMULATOR"  # in the environment
BUILD = "LONGHAUL_BUILD"  # in the environment

PLUGIN_SIMULATOR = "longhaul-plugin-sim"

ROOT = Path(os.environ.get("LONGHAUL_ROOT") or Path(__file__).resolve().parents[3])

GIT = ("git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT))
"""The first words of each Git command on the checkout, which may be another user's."""


def cache_dir() -> Path:
    """Return the cache folder shared by all checkouts (kernels, environments, durations)."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "longhaul"


def build_folder() -> Path:
    """Return the folder of builds: the checkout's, or the one that ./longhaul has named.

    That is one in the user's cache where the checkout cannot be written.
    """
    named = os.environ.get(BUILD)
    return Path(named) if named else ROOT / "build"


def build_commands(preset: str, *targets: str) -> tuple[list[str], ...]:
    """Return the commands that configure and build a preset, from the checkout's folder.

    Without targets all of it is built, of `asan` the unit tests.
    """
    build = str(build_folder() / preset)
    wanted = targets or (("longhaul_unit_tests",) if preset == "asan" else ())
    of = ["--target", *wanted] if wanted else []
    return (
        ["cmake", "--preset", preset, "-B", build, f"-DLONGHAUL_PYTHON={sys.executable}"],
        ["nice", "cmake", "--build", build, *of],
    )


def simulator() -> Path:
    """Return the simulator that LONGHAUL_SIMULATOR names, else the release build.

    ./longhaul names the one that `./longhaul tune` built while it is of the present sources.
    """
    named = os.environ.get(SIMULATOR)
    return Path(named) if named else build_folder() / "release" / "longhaul-sim"


def plugin_simulator() -> Path:
    """Return the simulator that loads plug-ins: beside simulator(), else the release build's."""
    beside = simulator().with_name(PLUGIN_SIMULATOR)
    return beside if beside.is_file() else build_folder() / "release" / PLUGIN_SIMULATOR
