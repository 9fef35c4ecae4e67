# SPDX-License-Identifier: Apache-2.0
"""Which RTL is synthesised: a block by its port map, or a module of rtl/."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.paths import ROOT
from longhaul.portmap import top_parameters
from longhaul.portmap.objects import PRIMITIVES
from longhaul.portmap.read import MapFile, read
from longhaul.portmap.sources import listed
from longhaul.synthesis.words import ListError, Word, translated

RTL = ROOT / "rtl"
_SLANG = ("--threads", "1", "--ignore-assertions", "--ignore-timing", "--single-unit")
Value = str | int | bool


@dataclass(frozen=True)
class Design:
    """Sources with a top module. `words` are told to slang; paths are shown from `folder` on."""

    name: str
    top: str
    folder: Path
    sources: tuple[Path, ...]
    words: tuple[Word, ...] = ()
    parameters: Mapping[str, Value] = field(default_factory=dict[str, Value])
    black_boxes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    """Options of Verilator that slang does not have."""

    def arguments(self, written: Callable[[Path], str]) -> list[str]:
        """Return the words of Yosys' command read_slang, with paths as `written` has them."""
        found: list[Word] = [*_SLANG, "--top", self.top]
        for name, value in self.parameters.items():
            found += ["-G", f"{name}={int(value) if isinstance(value, bool) else value}"]
        for name in self.black_boxes:
            found += ["--blackboxed-module", name]
        found += [*self.words, *self.sources]
        return [written(word) if isinstance(word, Path) else word for word in found]

    def shown(self, path: Path) -> str:
        """Return a path from the folder on, so that no report depends on the folder's place."""
        return os.path.relpath(path.resolve(), self.folder.resolve())


def find(target: str, top: str = "") -> Design:
    """Return the design of a port map's file, or of a folder of rtl/; `top` names its top module.

    Raises UsageError for what is neither.
    """
    if target.endswith(".toml"):
        return of_map(read(Path(target)), top)
    return of_block(target, top)


def of_map(file: MapFile, top: str = "") -> Design:
    """Return the block of a port map; its parameters are those of its own top module."""
    block = file.map.block
    words: list[Word] = []
    for name, value in block.defines.items():
        words.append(f"-D{name}={value}" if value != "" else f"-D{name}")
    for name in block.include:
        if not (file.folder / name).is_dir():
            file.refuse(("block", "include"), f"there is no folder {name}")
        words += ["-I", file.folder / name, "-y", file.folder / name]
    boxes: list[str] = []
    if block.primitives:
        models = PRIMITIVES / block.primitives
        words += ["-y", models]
        boxes = sorted(path.stem for path in models.glob("*.v"))
    lists = tuple(word for name in block.file_lists for word in ("-f", name))
    left_out: list[str] = []
    for key, options in (("options", block.options), ("file_lists", lists)):
        try:
            given = translated(options, file.folder)
        except ListError as error:
            file.refuse(("block", key), str(error))
        words += given.told
        left_out += given.left_out
    return Design(
        block.name,
        top or block.top,
        file.folder,
        listed(file) if block.sources else (),
        (*words, "-Y", ".v", "-Y", ".sv"),
        top_parameters.compiled(file.map) if top in ("", block.top) else {},
        tuple(boxes),
        tuple(left_out),
    )


def of_block(name: str, top: str = "") -> Design:
    """Return a folder of rtl/ with the common blocks; its top is NAME_top without another."""
    folders = sorted({path.parent.name for path in RTL.glob("*/*.sv")})
    if name not in folders:
        near = did_you_mean(name, folders)
        raise UsageError(f"{name} is no port map (a file *.toml) and no folder of rtl/{near}")
    known = [path.stem for path in sorted((RTL / name).glob("*.sv")) if not is_package(path)]
    wanted = top or f"{name}_top"
    if wanted not in known:
        hint = did_you_mean(wanted, known) if top else "; --top names one of its modules"
        raise UsageError(f"rtl/{name} has no module {wanted}{hint}")
    return Design(f"{name}.{wanted}", wanted, ROOT, tree_sources(name))


def tree_sources(*names: str) -> tuple[Path, ...]:
    """Return the sources of folders of rtl/ and of the common blocks, packages first."""
    found = [path for name in ("common", *names) for path in sorted((RTL / name).glob("*.sv"))]
    return tuple(dict.fromkeys(sorted(found, key=lambda path: not is_package(path))))


def is_package(path: Path) -> bool:
    """Tell whether a source is a package by its name."""
    return path.stem.endswith("_pkg")
