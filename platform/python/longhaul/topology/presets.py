# SPDX-License-Identifier: Apache-2.0
"""Machine presets: the tree's in platform/config/machines, a workspace's in its `machines`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.paths import ROOT
from longhaul.units import Frequency, Size
from longhaul.workspace import current
from longhaul.workspace.toml_file import TomlFile

FOLDER = ROOT / "platform" / "config" / "machines"
PRESETS = (
    *("opteron_hdama", "xeon_533", "dl380_g2", "express5800_56wg", "piii_933"),
    *("core2duo_266", "express_r120a"),
)
FIRMWARE = ("pcix.mmrbc", "pcix.outstanding", "pcix.latency_timer")  # every adapter has them
NEEDED = ("cpu.clock", "memory.size", "pcix.clock", *FIRMWARE)
GROUPS = ("cpu", "memory", "pcix", "bridge")
PCIX = ("clock", "mmrbc", "outstanding", "latency_timer", "protocol", "width_bits")
EVIDENCE = ("datasheet", "standard", "measured", "fitted", "assumed", "chosen")
QUANTITIES = {"cpu.clock": Frequency, "pcix.clock": Frequency, "memory.size": Size}


@dataclass(frozen=True)
class PresetValue:
    """One value of a preset and how it is known."""

    value: str | int
    evidence: str
    source: str


def names() -> tuple[str, ...]:
    """Return the names of all machine presets, the tree's and those of the workspace in use."""
    return (*PRESETS, *_own())


def preset(name: str) -> Mapping[str, PresetValue]:
    """Return a machine preset as {"cpu.clock": value, ...}.

    A UsageError names the nearest preset, or says with file and line what is wrong in one.
    """
    own = _own()
    if name not in PRESETS and name not in own:
        raise UsageError(f"no machine preset {name!r}{did_you_mean(name, names())}")
    return _read(own.get(name, FOLDER / f"{name}.toml"))


def _own() -> dict[str, Path]:
    workspace = current.given()
    own = workspace.machine_presets() if workspace else {}
    taken = next((name for name in own if name in PRESETS), None)
    if taken:
        raise UsageError(f"{own[taken]}: Longhaul has a preset {taken}; give it another name")
    return own


@cache
def _read(path: Path) -> Mapping[str, PresetValue]:
    file = TomlFile.load(path)
    tables = dict(file.tables)
    if not isinstance(tables.pop("description", None), str):
        raise UsageError(f'{path}: lacks description = "..." ahead of its tables')
    found: dict[str, PresetValue] = {}
    for group, entries in tables.items():
        if group not in GROUPS or not isinstance(entries, Mapping):
            raise file.wrong(f"unknown table [{group}]{did_you_mean(group, GROUPS)}", group)
        for key, entry in cast(Mapping[str, Any], entries).items():
            if group == "pcix" and key not in PCIX:
                raise file.wrong(
                    f"unknown key {key!r} in [pcix]{did_you_mean(key, PCIX)}", group, key
                )
            found[f"{group}.{key}"] = _value(file, group, key, entry)
    missing = next((name for name in NEEDED if name not in found), None)
    if missing:
        raise UsageError(f"{path}: lacks [{missing}] with value, evidence and source")
    return found


def _value(file: TomlFile, group: str, key: str, entry: Any) -> PresetValue:
    """Return one value; it has to say how it is known."""
    name, wanted = f"{group}.{key}", ("value", "evidence", "source")
    entry = cast(Mapping[str, Any], entry if isinstance(entry, Mapping) else {})
    if set(entry) != set(wanted):
        raise file.wrong(f"[{name}] wants value, evidence and source", group, key)
    value, evidence, source = (entry[each] for each in wanted)
    if evidence not in EVIDENCE:
        near = did_you_mean(str(evidence), EVIDENCE)
        raise file.wrong(f"[{name}] evidence {evidence!r} is none{near}", group, key)
    if not isinstance(source, str) or not source:
        raise file.wrong(f"[{name}] source has to say where the value can be read", group, key)
    if name in FIRMWARE and type(value) is not int:
        raise file.wrong(f"[{name}] value has to be a whole number", group, key)
    try:
        if name in QUANTITIES:
            QUANTITIES[name].parse(str(value))
    except UsageError as error:
        raise file.wrong(f"[{name}] value: {error}", group, key) from None
    return PresetValue(value, evidence, source)
