# SPDX-License-Identifier: Apache-2.0
"""Kinds of workspaces that `longhaul new` makes: a folder of `templates` each.

A kind's folder has `kind.toml` and the files of the workspace. `common` has those of all kinds; a
kind's own stand in their place. In their names `__name__` is the workspace's name and a first
`dot_` is a dot. Of a file that ends in `.j2`, Jinja2 fills in `name`, `title` and `kind`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import jinja2

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.paths import ROOT
from longhaul.workspace.toml_file import TomlFile

TEMPLATES = Path(__file__).with_name("templates")
DESCRIPTION = "kind.toml"
COMMON = "common"
TABLES = {"kind": ("title", "needs", "copy")}


@dataclass(frozen=True)
class NewFile:
    """A file of a new workspace, by its path in it."""

    path: Path
    content: bytes
    executable: bool


@dataclass(frozen=True)
class Kind:
    """A kind's description: `needs` says what its first run takes.

    `copies` are folders of Longhaul's tree whose sources become folders of the workspace.
    """

    name: str
    folder: Path
    title: str
    needs: str
    copies: tuple[Path, ...] = ()

    @classmethod
    def load(cls, folder: Path) -> Kind:
        """Read a kind's description; a UsageError tells file and line."""
        file = TomlFile.load(folder / DESCRIPTION)
        file.check_tables(TABLES)
        for table, keys in TABLES.items():
            file.table(table, keys)
        copies = tuple(ROOT / text for text in file.texts_of("kind", "copy"))
        missing = next((path for path in copies if not path.is_dir()), None)
        if missing:
            raise file.wrong(f"copy: there is no {missing}", "kind", "copy")
        title, needs = (file.text_of("kind", key) for key in ("title", "needs"))
        return cls(folder.name.replace("_", "-"), folder, title, needs, copies)

    def files(self, name: str) -> list[NewFile]:
        """Return all files of a workspace of this kind that is called `name`."""
        found: dict[Path, NewFile] = {}
        for folder in (TEMPLATES / COMMON, self.folder):
            for each in self._filled(folder, name):
                found[each.path] = each
        for folder in self.copies:
            for file in sorted(folder.iterdir()):
                if file.suffix in (".cc", ".h") or file.name == "CMakeLists.txt":
                    path = Path(folder.name) / file.name
                    found[path] = NewFile(path, file.read_bytes(), executable=False)
        return [found[path] for path in sorted(found)]

    def _filled(self, folder: Path, name: str) -> Iterator[NewFile]:
        fill = jinja2.Environment(
            autoescape=False,  # no page
            undefined=jinja2.StrictUndefined,
            keep_trailing_newline=True,
            trim_blocks=True,
        )
        for file in sorted(folder.rglob("*")):
            parts = [_named(part, name) for part in file.relative_to(folder).parts]
            if not file.is_file() or file.name == DESCRIPTION or "__pycache__" in parts:
                continue
            content = file.read_bytes()
            if file.suffix == ".j2":
                parts[-1] = parts[-1].removesuffix(".j2")
                text = fill.from_string(content.decode())
                content = text.render(name=name, title=self.title, kind=self.name).encode()
            yield NewFile(Path(*parts), content, executable=bool(file.stat().st_mode & 0o100))


def _named(part: str, name: str) -> str:
    return part.replace("__name__", name).replace("dot_", ".", part.startswith("dot_"))


def all_of() -> dict[str, Kind]:
    """Return all kinds by name."""
    files = sorted(TEMPLATES.glob(f"*/{DESCRIPTION}"))
    return {kind.name: kind for kind in (Kind.load(file.parent) for file in files)}


def find(name: str) -> Kind:
    """Return a kind; a UsageError names the folder that is not there and the nearest kind."""
    known = all_of()
    if name not in known:
        near = did_you_mean(name, known)
        folder = TEMPLATES / name.replace("-", "_")
        what = f"--kind {name}: there is no such kind of workspace"
        raise UsageError(f"{what} ({folder / DESCRIPTION} is not there){near}")
    return known[name]
