# SPDX-License-Identifier: Apache-2.0
"""All types as the simulator describes them, with every parameter; those of plug-ins too."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from longhaul.errors import LonghaulError, UsageError
from longhaul.nearest import did_you_mean
from longhaul.outdir import write_text
from longhaul.paths import ROOT, plugin_simulator, simulator
from longhaul.process import QUIET_SYSTEMC
from longhaul.types import catalog
from longhaul.types.plugins import need_exports, objects

Answer = TypeVar("Answer", bound=BaseModel)

BAD_CONFIG = 2  # the simulator's exit code for what a user can mend


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Parameter(_Strict):
    """A parameter; its type is bool, integer, number, text, or a quantity such as time or size."""

    name: str
    type: str
    default: Any
    description: str
    evidence: str
    source: str
    range: tuple[Any, Any] | None = None
    choices: tuple[str, ...] = ()

    def limits(self) -> str:
        """Return the legal values in words; empty for any of its type."""
        if self.choices:
            return ", ".join(self.choices)
        return f"{self.range[0]} to {self.range[1]}" if self.range else ""


class Described(_Strict):
    """A type; `file` is its source in the tree, `plugin` the shared object of one from outside.

    `parameters` are by the key of the configuration under which they are given.
    """

    kind: str
    name: str
    title: str
    file: str
    plugin: str | None = None
    pci_ids: tuple[str, ...] = ()
    phy: str = ""
    slot: str = ""
    rtl: bool = False
    linux_driver: catalog.LinuxDriver | None = None
    platform: catalog.PlatformNode | None = None
    parameters: dict[str, tuple[Parameter, ...]] = {}


class _Document(_Strict):
    types: tuple[Described, ...]


def everything(plugins: Iterable[Path] = ()) -> tuple[Described, ...]:
    """Return all types by kind and name; a UsageError is the simulator's word on a plug-in."""
    return ask(["--types"], _Document, plugins).types


def ask(words: Sequence[str], answer: type[Answer], plugins: Iterable[Path] = ()) -> Answer:
    """Return what the simulator prints for these options; a UsageError is what it refuses."""
    files = tuple(plugins)
    binary = plugin_simulator() if need_exports(files) else simulator()
    if not binary.is_file():
        raise LonghaulError(f"{binary} is not built; start this through ./longhaul")
    loaded = [word for path in objects(files) for word in ("--plugin", str(path))]
    done = subprocess.run(
        [str(binary), *words, *loaded],
        capture_output=True,
        text=True,
        env=os.environ | QUIET_SYSTEMC,
        check=False,
    )
    said = done.stderr.strip().splitlines()
    last = said[-1].removeprefix("longhaul: ") if said else f"exit code {done.returncode}"
    if done.returncode == BAD_CONFIG:
        raise UsageError(last)
    if done.returncode:
        raise LonghaulError(f"{binary} {' '.join(words)}: {last}")
    try:
        return answer.model_validate_json(done.stdout)
    except ValidationError as error:
        raise LonghaulError(f"{binary} {' '.join(words)}: {error.errors()[0]['msg']}") from None


def called(types: Sequence[Described], name: str) -> list[Described]:
    """Return the types of that name, one of each kind that has it; a UsageError names others."""
    found = [each for each in types if each.name == name]
    if not found:
        raise UsageError(f"no type {name!r}{did_you_mean(name, {each.name for each in types})}")
    return found


def snapshots(types: Iterable[Described]) -> dict[Path, str]:
    """Return what each types.json of the tree should hold."""
    by_file: dict[Path, list[dict[str, Any]]] = {}
    for each in types:
        if each.plugin is None:
            file = ROOT / Path(each.file).parent / catalog.FILE
            by_file.setdefault(file, []).append(_short(each))
    return {file: json.dumps(entries, indent=1) + "\n" for file, entries in by_file.items()}


def stale(types: Iterable[Described]) -> list[Path]:
    """Return the types.json of the tree that are not what the simulator says."""
    wanted = snapshots(types)
    there = {file: file.read_text() for file in catalog.files()}
    return sorted(file for file in wanted | there if wanted.get(file) != there.get(file))


def update(types: Iterable[Described]) -> list[Path]:
    """Write the types.json that are stale, remove those of no type, and return them."""
    types = tuple(types)
    wanted, changed = snapshots(types), stale(types)
    for file in changed:
        if file in wanted:
            write_text(file, wanted[file])
        else:
            file.unlink()
    return changed


def _short(each: Described) -> dict[str, Any]:
    """Return what choices and limits need, before there is a simulator."""
    entry: dict[str, Any] = {"kind": each.kind, "name": each.name, "title": each.title}
    if each.phy:
        entry |= {"phy": each.phy, "slot": each.slot}
    if each.linux_driver:
        given = dataclasses.asdict(each.linux_driver)
        entry["linux_driver"] = {name: value for name, value in given.items() if value is not None}
    parameters = each.parameters.get("params", ())
    if texts := {item.name: list(item.choices) for item in parameters if item.choices}:
        entry["choices"] = texts
    return entry
