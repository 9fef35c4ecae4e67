# SPDX-License-Identifier: Apache-2.0
"""Finds the scenarios: one folder per question, with `scenario.py` and maybe `reference.json`.

They are the tree's, those of the workspace in use, and any folder that is given by its path.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import sys
import traceback
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from longhaul.answers import sha256
from longhaul.errors import LonghaulError, UsageError
from longhaul.nearest import did_you_mean
from longhaul.paths import ROOT
from longhaul.published.reference import References
from longhaul.settings import (
    Setting,
    UnknownSettingError,
    parse,
    setting_called,
    settings_of,
)
from longhaul.topology import Scenario
from longhaul.workspace import current
from longhaul.workspace import folder as workspaces
from longhaul.workspace.folder import SCENARIO, Workspace

MOST_HAVING = 4  # scenarios that a message names
WHOLE = (".py", ".json", ".toml")  # what a scenario is made of that is a whole workspace


@dataclass(frozen=True)
class ScenarioEntry:
    """One scenario: its question, its settings, its builder and its reference data.

    `own` is of one outside of the tree; `workspace` is the name of the workspace that it lies in.
    """

    name: str
    folder: Path
    own: bool = False
    workspace: str = ""

    @property
    def spec(self) -> str:
        """The text by which `find` finds it from wherever a process stands: a name or a path."""
        hidden = not self.own and self.name in of_workspace(current.given())
        return str(self.folder) if self.own or hidden else self.name

    @property
    def identity(self) -> dict[str, str]:
        """Its name, and whose it is, as a sweep's folder keeps them."""
        return {"scenario": self.name} | ({"workspace": self.workspace} if self.own else {})

    @property
    def hides(self) -> bool:
        """Whether the tree has a scenario of the same name."""
        return self.own and self.name in scenarios()

    def checksums(self) -> dict[str, str]:
        """Return the SHA-256 of each file of its folder that is not hidden; empty for the tree's.

        Of a scenario that is a whole workspace they are its Python, JSON and TOML files.
        """
        if not self.own:
            return {}
        whole = (self.folder / workspaces.FILE).is_file()
        files = self.folder.iterdir() if whole else self.folder.rglob("*")
        found: dict[str, str] = {}
        for file in sorted(files):
            name = file.relative_to(self.folder)
            hidden = any(part[0] == "." or part == "__pycache__" for part in name.parts)
            if file.is_file() and not hidden and (not whole or file.suffix in WHOLE):
                found[name.as_posix()] = sha256(file)
        return found

    @cached_property
    def module(self) -> ModuleType:
        """The scenario's module, loaded once."""
        qualified = f"longhaul_scenarios.{self.name}"
        if self.own:  # another folder may have the same name
            place = hashlib.sha256(str(self.folder).encode()).hexdigest()[:12]
            qualified = f"longhaul_scenarios.{re.sub(r'[^A-Za-z0-9]', '_', self.name)}_{place}"
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
        """The text of the scenario after its title."""
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
        """The settings, as `name=value`, for shorter runs; empty: there are none."""
        return tuple(getattr(self.module, "QUICK", ()))

    @property
    def settings(self) -> dict[str, Setting]:
        """Everything that can be set."""
        return settings_of(self.module.SETTINGS)

    def setting(self, name: str) -> Setting:
        """Return one setting; a UsageError names the nearest one."""
        with _told_who_has():
            return setting_called(name, self.settings, self.name)

    def parse(self, assignments: Iterable[str]) -> Any:
        """Read `name=value` texts into the scenario's settings."""
        with _told_who_has():
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
        """Return the settings of a case; assignments hold where the case says nothing."""
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


@contextmanager
def _told_who_has() -> Generator[None]:
    """Of a setting that is like none of a scenario's: say which scenarios of the tree have it."""
    try:
        yield
    except UnknownSettingError as unknown:
        if unknown.is_near:
            raise
        having = [name for name, entry in scenarios().items() if unknown.name in entry.settings]
        if not having:
            raise
        first, rest = ", ".join(having[:MOST_HAVING]), len(having) - MOST_HAVING
        more = f" and {rest} more" if rest > 0 else ""
        raise UsageError(
            f"{unknown.what}; it is a setting of {first}{more} (longhaul list)"
        ) from None


def scenarios(root: Path = ROOT) -> dict[str, ScenarioEntry]:
    """Return all scenarios of the tree by name."""
    files = sorted((root / "scenarios").glob(f"*/{SCENARIO}"))
    return {f.parent.name: ScenarioEntry(f.parent.name, f.parent) for f in files}


def of_workspace(workspace: Workspace | None) -> dict[str, ScenarioEntry]:
    """Return all scenarios of a workspace by name; none without one."""
    if workspace is None:
        return {}
    return {
        name: _own(name, folder, workspace.name)
        for name, folder in workspace.scenario_folders().items()
    }


def _own(name: str, folder: Path, workspace: str = "") -> ScenarioEntry:
    """Return a scenario outside of the tree; a UsageError for what cannot be its name."""
    if not workspaces.NAME.fullmatch(name):
        raise UsageError(
            f"{folder}: its name is the scenario's, and wants letters, digits, underscores, "
            "hyphens and dots, 64 at most"
        )
    return ScenarioEntry(name, folder, own=True, workspace=workspace)


def known() -> dict[str, ScenarioEntry]:
    """Return all scenarios by name; the workspace's come first, and hide the tree's."""
    own = of_workspace(current.given())
    return own | {name: entry for name, entry in scenarios().items() if name not in own}


def find(text: str) -> ScenarioEntry:
    """Return the scenario of a name, or of a path to its folder or scenario.py.

    A scenario that lies in a workspace makes that workspace the current one. A UsageError names
    the nearest name.
    """
    if _is_path(text):
        return _at(text)
    there = known()
    if text in there:
        return there[text]
    if os.path.isfile(os.path.join(text, SCENARIO)):  # noqa: PTH113, PTH118 - any text, of any length
        return _at(text)
    raise UsageError(f"no scenario is called {text!r}{did_you_mean(text, there)}")


def only() -> ScenarioEntry:
    """Return the one scenario of the workspace in use; a UsageError says that there is none."""
    workspace = current.given()
    own = of_workspace(workspace)
    if workspace is None:
        raise UsageError(
            "which scenario? longhaul run NAME (longhaul list shows them); "
            "without a name it runs the one of a workspace, and this folder lies in none"
        )
    if len(own) != 1:
        has = f"has {len(own)}: {', '.join(own)}" if own else f"has none: scenarios/NAME/{SCENARIO}"
        raise UsageError(f"which scenario? the workspace {workspace.name} {has}")
    return next(iter(own.values()))


def _is_path(text: str) -> bool:
    return os.sep in text or text.endswith(".py") or text in (".", "..")


def _at(text: str) -> ScenarioEntry:
    """Return the scenario of a path."""
    path = Path(text).expanduser().absolute()
    folder = Path(os.path.normpath(path.parent if path.name == SCENARIO else path))
    if not (folder / SCENARIO).is_file():
        there = f"{folder} has no {SCENARIO}" if folder.is_dir() else f"there is no {folder}"
        raise UsageError(f"{text}: {there}; wants a scenario's folder or its {SCENARIO}")
    name = folder.name
    if folder.parent == ROOT / "scenarios":
        return ScenarioEntry(name, folder)
    workspace = workspaces.around(folder)
    if workspace:
        current.use(workspace.folder)
        lone = next((n for n, at in workspace.scenario_folders().items() if at == folder), name)
        return _own(lone, folder, workspace.name)
    return _own(name, folder)
