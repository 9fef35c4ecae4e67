# SPDX-License-Identifier: Apache-2.0
"""The simulator as a module (platform/python/bindings), and what is said where it is not there."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, cast

from longhaul.errors import LonghaulError, UsageError
from longhaul.paths import build_folder
from longhaul.process import QUIET_SYSTEMC

NAME = "longhaul_native"


class Session(Protocol):
    """The functions of C++; times are picoseconds. A probe is its index in `probes()`."""

    now: int
    over: bool
    limit: int

    def whereabouts(self) -> str: ...  # noqa: D102
    def run(self, duration_ps: int, condition: Callable[[], object] | None) -> str: ...  # noqa: D102
    def every(self, period_ps: int, look: Callable[[int], object]) -> int: ...  # noqa: D102
    def on_change(self, probe: int, told: Callable[[int, Any], object]) -> int: ...  # noqa: D102
    def remove(self, watch: int) -> None: ...  # noqa: D102
    def probes(self) -> list[tuple[str, str, str, str]]: ...  # noqa: D102
    def value(self, probe: int) -> Any: ...  # noqa: D102
    def highest(self, probe: int) -> int | None: ...  # noqa: D102
    def params(self) -> str: ...  # noqa: D102
    def change_param(self, object: str, name: str, json: str) -> None: ...  # noqa: D102
    def access_box(  # noqa: D102
        self, box: str, accesses: Sequence[tuple[int, int | None]]
    ) -> list[int | None]: ...
    def registers(self, adapter: str) -> list[tuple[str, int]]: ...  # noqa: D102
    def read_register(self, adapter: str, offset: int, peek: bool) -> int: ...  # noqa: D102
    def write_register(self, adapter: str, offset: int, value: int) -> None: ...  # noqa: D102
    def write_results(self) -> None: ...  # noqa: D102


class Watch:
    """A subscription; it ends by `cancel()`, or with the simulation."""

    def __init__(self, session: Session, number: int) -> None:
        self._session, self._number = session, number

    def cancel(self) -> None:
        """End the calls; from a callback, too."""
        self._session.remove(self._number)


def folder() -> Path:
    """Return where the build puts the module."""
    return build_folder() / "release" / "python"


def path() -> Path:
    """Return the module's file; a LonghaulError where it was not built."""
    found = sorted(folder().glob(f"{NAME}*.so"))
    if not found:
        raise LonghaulError(
            f"the simulator's Python module is not built ({folder()}); "
            "start the script by ./longhaul python, which builds it, or see docs/python_api.md"
        )
    return found[0]


def load() -> ModuleType:
    """Return the module; a LonghaulError says why it cannot be loaded."""
    if NAME in sys.modules:
        return sys.modules[NAME]
    file = path()
    spec = importlib.util.spec_from_file_location(NAME, file)
    if spec is None or spec.loader is None:
        raise LonghaulError(f"{file} was not built for this Python ({sys.version.split()[0]})")
    for name, value in QUIET_SYSTEMC.items():
        os.environ.setdefault(name, value)
    try:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except ImportError as error:
        raise LonghaulError(
            f"{file} cannot be loaded ({error}); ./longhaul python builds it again if it is stale"
        ) from None
    sys.modules[NAME] = module
    return module


@contextlib.contextmanager
def errors() -> Generator[None]:
    """Turn the module's errors into longhaul's own."""
    module = load()
    try:
        yield
    except (module.ConfigError, module.CallError) as error:
        raise UsageError(str(error)) from None
    except RuntimeError as error:
        if type(error) is not RuntimeError:
            raise
        raise LonghaulError(str(error)) from None


def session(config: str) -> Session:
    """Return the process's one simulation."""
    module = load()
    with errors():
        return cast(Session, module.Session(config))
