# SPDX-License-Identifier: Apache-2.0
"""Finds the scenarios: one folder per question, with `scenario.py` and maybe `reference.json`."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from longhaul.errors import LonghaulError, UsageError
from longhaul.nearest import did_you_mean
from longhaul.paths import ROOT
from longhaul.published.reference import References
from longhaul.settings import Setting, parse, setting_called, settings_of
from longhaul.topology import Scenario


@dataclass(frozen=True)
class ScenarioEntry:
    """One scenario of the tree: its question, its settings, its builder and its reference data."""

    name: str
    folder: Path

    @cached_property
    def module(self) -> ModuleType:
        """The scenario's module, loaded once."""
        qualified = f"longhaul_scenarios.{self.name}"
        if qualified in sys.modules:
            return sys.modules[qualified]
        spec = importlib.util.spec_from_file_location(qualified, self.folder / "scenario.py")
        if spec is None or spec.loader is None:
            raise LonghaulError(f"{self.folder / 'scenario.py'} cannot be loaded")
        module = importlib.util.module_from_spec(spec)
        sys.modules[qualified] = module
        try:
            with self._told_where():
                spec.loader.exec_module(module)
            for needed in ("SETTINGS", "build"):
                if not hasattr(module, needed):
                    raise LonghaulError(f"{self.folder / 'scenario.py'} does not define {needed}")
        except BaseException:
            del sys.modules[qualified]  # so that it can be mended, and loaded again
            raise
        return module

    @property
    def title(self) -> str:
        """The first line of the scenario's text."""
        return (self.module.__doc__ or self.name).strip().splitlines()[0]

    @property
    def text(self) -> str:
        """What the scenario asks, after its title."""
        return "\n".join((self.module.__doc__ or "").strip().splitlines()[1:]).strip()

    @property
    def question(self) -> str:
        """The question that the scenario shares with others; `longhaul list` groups by it."""
        return str(getattr(self.module, "QUESTION", "Other questions"))

    @property
    def has_guests(self) -> bool:
        """Whether real Linux runs in it unless a setting says otherwise."""
        return self.build(self.parse([]), seed=1).has_guests()

    @property
    def reproduces(self) -> str:
        """Which published figures the scenario reproduces."""
        return str(getattr(self.module, "REPRODUCES", ""))

    @property
    def paper(self) -> str:
        """The short name of the paper of those figures; empty where there are none."""
        return self.reproduces.partition(" ")[0]

    @property
    def own_of(self) -> str:
        """The stretch of time that the scenario's own figures are of; empty: the window."""
        return str(getattr(self.module, "OWN_OF", ""))

    @property
    def quick(self) -> tuple[str, ...]:
        """What to set, as `name=value`, for shorter runs; empty: there are none."""
        return tuple(getattr(self.module, "QUICK", ()))

    @property
    def settings(self) -> dict[str, Setting]:
        """Everything that can be set."""
        return settings_of(self.module.SETTINGS)

    def setting(self, name: str) -> Setting:
        """Return one setting; a UsageError names the nearest one."""
        return setting_called(name, self.settings, self.name)

    def parse(self, assignments: Iterable[str]) -> Any:
        """Read `name=value` texts into the scenario's settings."""
        return parse(self.module.SETTINGS, assignments, self.name)

    def build(self, settings: Any, seed: int, layout: int = 0) -> Scenario:
        """Build and check the topology."""
        builder: Callable[..., Scenario] = self.module.build
        with self._told_where():
            scenario = builder(settings, seed=seed)
        scenario.layout = layout
        scenario.folder = self.folder
        scenario.check()
        return scenario

    def cases(self, assignments: Iterable[str]) -> list[tuple[str, ...]]:
        """Return the cases that the scenario has by itself and `name=value` texts leave open.

        Each is the assignments that it adds to those; a scenario without cases of its own has none.
        """
        of: Callable[[Mapping[str, str]], list[tuple[str, ...]]] | None
        of = getattr(self.module, "cases", None)
        given = {name: text for name, _, text in (each.partition("=") for each in assignments)}
        with self._told_where():
            return of(given) if of else []

    def parse_case(self, assignments: Sequence[str], case: Sequence[str]) -> Any:
        """Return the settings of a case; what is assigned holds where the case says nothing."""
        said = {text.partition("=")[0] for text in case}
        return self.parse(
            [*(text for text in assignments if text.partition("=")[0] not in said), *case]
        )

    def evaluate(self, settings: Any, raw: Path, out: Path) -> dict[str, Any]:
        """Return figures that only this scenario has, by what the simulator left in `raw`.

        Files that it writes into `out` belong to the run.
        """
        of: Callable[[Any, Path, Path], dict[str, Any]] | None
        of = getattr(self.module, "evaluate", None)
        with self._told_where():
            return of(settings, raw, out) if of else {}

    @contextmanager
    def _told_where(self) -> Generator[None]:
        """Turn a mistake in the scenario's own code into an error that names file and line."""
        try:
            yield
        except LonghaulError:
            raise
        except Exception as mistake:
            path = self.folder / "scenario.py"
            if isinstance(mistake, SyntaxError) and mistake.filename == str(path):
                line, what = mistake.lineno, mistake.msg
            else:
                frames = traceback.extract_tb(mistake.__traceback__)
                line = next((f.lineno for f in reversed(frames) if f.filename == str(path)), None)
                what = str(mistake)
            if line is None:  # not of its code
                raise
            raise LonghaulError(f"{path}:{line}: {type(mistake).__name__}: {what}") from mistake

    @property
    def references(self) -> References:
        """The published figures beside the scenario; empty when there are none."""
        return References.load(self.folder / "reference.json", self.settings)


def scenarios(root: Path = ROOT) -> dict[str, ScenarioEntry]:
    """Return all scenarios of the tree by name."""
    files = sorted((root / "scenarios").glob("*/scenario.py"))
    return {f.parent.name: ScenarioEntry(f.parent.name, f.parent) for f in files}


def find(name: str) -> ScenarioEntry:
    """Return one scenario; a UsageError names the nearest one."""
    known = scenarios()
    if name not in known:
        raise UsageError(f"no scenario is called {name!r}{did_you_mean(name, known)}")
    return known[name]
