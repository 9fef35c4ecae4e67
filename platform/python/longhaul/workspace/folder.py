# SPDX-License-Identifier: Apache-2.0
"""A workspace: a folder with longhaul.toml, and what lies in it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from longhaul.errors import UsageError

if TYPE_CHECKING:
    from longhaul.workspace.toml_file import TomlFile

FILE = "longhaul.toml"
SCENARIO = "scenario.py"
TABLES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "workspace": {
        "name": (
            "a text of letters, digits, underscores, hyphens and dots, 64 at most; needed",
            "The workspace's name, and that of a lone `scenario.py`.",
        ),
        "plugins": (
            "a list of paths",
            "Shared objects, folders with a `CMakeLists.txt` that makes some, and port maps; every "
            "command that runs something loads them (docs/plugins.md, docs/port_maps.md).",
        ),
        "modules": (
            "a list of paths",
            "Kbuild folders of kernel modules for guests (docs/own_drivers.md).",
        ),
        "verilator": (
            "a text",
            "The program that compiles port maps; without it the one in `PATH`.",
        ),
        "kernel_config": (
            "a list of texts such as `OF=y`",
            "Options of the kernel of every guest (docs/own_drivers.md).",
        ),
    },
    "validate": {
        "adapter": ("a text", "What `longhaul validate` tests without an argument."),
        "skip": ("a list of texts", "Tests that are left out (`longhaul validate --list`)."),
        "least": ("a table of numbers", "The least that a figure of `validate` may be, by name."),
        "most": ("a table of numbers", "The most that a figure of `validate` may be, by name."),
        "twin": (
            "a text",
            "The type of the adapter's TLM twin (docs/validate.md#against-a-tlm-twin).",
        ),
        "twin_ignore": (
            "a list of texts",
            "Registers, by name or offset, whose values are not compared with the twin's.",
        ),
        "twin_registers": (
            "a path",
            "The adapter's registers in SystemRDL: their names, and which of them count.",
        ),
    },
}
"""Of longhaul.toml: each key with what it takes and what it means. Paths are from the folder on."""
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")


@dataclass(frozen=True)
class Workspace:
    """The content of longhaul.toml; paths are absolute.

    `plugins` are shared objects, or folders with a CMakeLists.txt that makes some. `modules` are
    Kbuild folders of kernel modules for guests. `verilator` is the program that compiles port maps;
    empty: the one in PATH. `kernel_config` are options of the kernel of every guest. The others are
    of [validate] (docs/validate.md): `least` and `most` bound figures by name, and `twin` is the
    type that the adapter is compared with.
    """

    folder: Path
    name: str
    plugins: tuple[Path, ...] = ()
    modules: tuple[Path, ...] = ()
    verilator: str = ""
    kernel_config: tuple[str, ...] = ()
    validated: str = ""
    skipped: tuple[str, ...] = ()
    least: Mapping[str, float] = field(default_factory=dict[str, float])
    most: Mapping[str, float] = field(default_factory=dict[str, float])
    twin: str = ""
    twin_ignore: tuple[str, ...] = ()
    twin_registers: Path | None = None

    @property
    def out(self) -> Path:
        """Where runs go; told from where one stands if that is the workspace's folder."""
        return Path("out") if Path.cwd() == self.folder else self.folder / "out"

    @property
    def build(self) -> Path:
        """Where plug-ins are built."""
        return self.folder / "build"

    def scenario_folders(self) -> dict[str, Path]:
        """Return the folders of all scenarios by name; a lone scenario.py has the workspace's."""
        found = sorted((self.folder / "scenarios").glob(f"*/{SCENARIO}"))
        folders = {file.parent.name: file.parent for file in found}
        if (self.folder / SCENARIO).is_file():
            if self.name in folders:
                raise UsageError(
                    f"{self.folder}: {SCENARIO} has the workspace's name, {self.name}, and so has "
                    f"{folders[self.name]}; move one of them to scenarios/OTHER/{SCENARIO}"
                )
            folders = {self.name: self.folder} | folders
        return folders

    def machine_presets(self) -> dict[str, Path]:
        """Return the files of the workspace's machine presets by name."""
        return {file.stem: file for file in sorted((self.folder / "machines").glob("*.toml"))}


@cache
def load(folder: Path) -> Workspace:
    """Read a workspace; a UsageError tells file, line and remedy. `folder` is absolute."""
    from longhaul.workspace.toml_file import TomlFile  # not at every start

    file = TomlFile.load(folder / FILE)
    file.check_tables(TABLES)
    for table, keys in TABLES.items():
        file.table(table, keys)
    if "workspace" not in file.tables:
        raise UsageError(f'{file.path}: lacks [workspace] with name = "..."')
    name = file.text_of("workspace", "name")
    if not NAME.fullmatch(name):
        raise file.wrong(
            f"name {name!r}: wants letters, digits, underscores, hyphens and dots, 64 at most",
            "workspace",
            "name",
        )
    plugins = _places(file, folder, "plugins")
    for path in plugins:
        if path.is_dir() and not (path / "CMakeLists.txt").is_file():
            raise file.wrong(
                f"plugins: {path} has no CMakeLists.txt that builds a plug-in",
                "workspace",
                "plugins",
            )
    modules = _places(file, folder, "modules")
    for path in modules:
        if not any((path / name).is_file() for name in ("Kbuild", "Makefile")):
            raise file.wrong(
                f"modules: {path} is no folder with a Kbuild file", "workspace", "modules"
            )
    verilator = file.text_of("workspace", "verilator", "")
    if verilator:
        found = shutil.which(verilator) or shutil.which(str(folder / verilator))
        if found is None:
            raise file.wrong(
                f"verilator: there is no program {verilator}", "workspace", "verilator"
            )
        verilator = found
    return Workspace(
        folder,
        name,
        plugins,
        modules,
        verilator,
        tuple(file.texts_of("workspace", "kernel_config")),
        file.text_of("validate", "adapter", ""),
        file.texts_of("validate", "skip"),
        file.numbers_of("validate", "least"),
        file.numbers_of("validate", "most"),
        *_twin(file, folder),
    )


def _twin(file: TomlFile, folder: Path) -> tuple[str, tuple[str, ...], Path | None]:
    """Return what [validate] says of the adapter's twin."""
    name = file.text_of("validate", "twin", "")
    ignored = file.texts_of("validate", "twin_ignore")
    text = file.text_of("validate", "twin_registers", "")
    if name and not file.text_of("validate", "adapter", ""):
        raise file.wrong('twin: wants adapter = "...", whose twin it is', "validate", "twin")
    if (ignored or text) and not name:
        key = "twin_ignore" if ignored else "twin_registers"
        raise file.wrong(f'{key}: wants twin = "..."', "validate", key)
    registers = Path(os.path.normpath(folder / text)) if text else None
    if registers and not registers.is_file():
        raise file.wrong(
            f"twin_registers: there is no file {registers}", "validate", "twin_registers"
        )
    return name, ignored, registers


def _places(file: TomlFile, folder: Path, key: str) -> tuple[Path, ...]:
    """Return the paths under a key of [workspace], from the workspace's folder; each is there."""
    found = tuple(Path(os.path.normpath(folder / text)) for text in file.texts_of("workspace", key))
    for path in found:
        if not path.exists():
            raise file.wrong(f"{key}: there is no {path}", "workspace", key)
    return found


def around(place: Path) -> Workspace | None:
    """Return the workspace that a folder lies in, itself or a parent; None if there is none."""
    here = place.absolute()
    found = next((each for each in (here, *here.parents) if (each / FILE).is_file()), None)
    return load(found) if found else None
