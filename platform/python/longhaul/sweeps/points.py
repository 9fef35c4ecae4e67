# SPDX-License-Identifier: Apache-2.0
"""The points of a sweep: where each one's run is, and what came of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from longhaul.outdir import is_whole, write_json
from longhaul.published import reasons
from longhaul.published.reference import figure
from longhaul.registry import ScenarioEntry
from longhaul.results.runview import RunView
from longhaul.settings import Quantities, values
from longhaul.sweeps.axes import is_parameter
from longhaul.units import Frequency, Quantity, Rate, Size, Time

Case = tuple[str, ...]  # the NAME=VALUE texts that set a point apart

LONGEST_NAME = 180  # characters of a folder's name; file systems take 255, and the run adds to it


class Status(StrEnum):
    """The state of a point; missing: its run was not begun, or did not end."""

    DONE = "done"
    FAILED = "failed"
    MISSING = "missing"


def names(cases: Iterable[Case]) -> list[str]:
    """Return what cases set, each name once, in their order."""
    return list(dict.fromkeys(text.partition("=")[0] for case in cases for text in case))


def split(case: Sequence[str]) -> tuple[Case, Case]:
    """Return a case's settings and its parameters of models."""
    parameters = tuple(text for text in case if is_parameter(text.partition("=")[0]))
    return tuple(text for text in case if text not in parameters), parameters


def folder_name(case: Sequence[str]) -> str:
    """Return the name of a case's folder: its values; a long name ends in a checksum."""
    whole = ",".join(case)
    name = whole.replace("*.", "").replace("/", "-").replace(" ", "_")
    if len(name.encode()) <= LONGEST_NAME:
        return name
    kept = name.encode()[: LONGEST_NAME - 13].decode(errors="ignore")
    return f"{kept}~{hashlib.sha256(whole.encode()).hexdigest()[:12]}"


def log_path(folder: Path) -> Path:
    """Return where what a point's run said is kept."""
    return folder.with_name(f"{folder.name}.log")


def failure_path(folder: Path) -> Path:
    """Return where the failure of a point is kept, so that it is not forgotten nor repeated."""
    return folder.with_name(f"{folder.name}.failed.json")


def note_failure(folder: Path, why: str, code: int) -> None:
    """Remember that a point's run failed."""
    write_json(failure_path(folder), {"why": why, "exit_code": code})


def forget_failure(folder: Path) -> None:
    """Forget that a point's run failed."""
    failure_path(folder).unlink(missing_ok=True)


def status(folder: Path) -> tuple[Status, str]:
    """Return what came of the point of a folder, and why it failed."""
    if is_whole(folder):
        return Status.DONE, ""
    try:
        return Status.FAILED, str(json.loads(failure_path(folder).read_text())["why"])
    except FileNotFoundError:
        return Status.MISSING, ""
    except (ValueError, KeyError, TypeError):
        return Status.FAILED, f"{failure_path(folder)} cannot be read"


@dataclass(frozen=True)
class Point:
    """One point with what its run left; `result` is its case of results.json, None without one.

    `settings` are as JSON shows them (quantities with their unit), `parameters` those of the models
    by `OBJECT.NAME`, empty for a point that is not done.
    """

    case: Case
    name: str
    status: Status
    why: str
    settings: Mapping[str, Any]
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])
    result: dict[str, Any] | None = None
    headline: tuple[str, ...] = ()
    simulated_s: float | None = None
    wall_s: float | None = None
    window_wall_s: float | None = None

    @classmethod
    def load(cls, entry: ScenarioEntry, folder: Path, fixed: Sequence[str], case: Case) -> Point:
        """Read the results that a point has."""
        found, why = status(folder)
        if found is not Status.DONE:
            settings = values(entry.parse_case(fixed, split(case)[0]))
            return cls(case, folder.name, found, why, settings)
        run = RunView.load(folder)
        return cls(
            case,
            folder.name,
            found,
            why,
            {item["name"]: item["value"] for item in run.manifest["settings"]},
            {f"{p['object']}.{p['name']}": p["value"] for p in run.manifest["parameters"]},
            run.case,
            run.headline,
            run.results["simulated_s"],
            run.results["wall_s"],
            run.results.get("window_wall_s"),
        )

    @property
    def measured(self) -> dict[str, Any]:
        """The point's figures; empty if it is not done."""
        return self.result["measured"] if self.result else {}

    @property
    def reference(self) -> dict[str, Any]:
        """The published figures for the point's conditions."""
        return self.result["reference"] if self.result else {}

    @property
    def error_pct(self) -> dict[str, float]:
        """How far the figures are from the published ones."""
        return self.result["error_pct"] if self.result else {}

    @property
    def far(self) -> dict[str, str]:
        """Why figures are far from the published ones, by figure (`reasons`)."""
        return reasons.of_case(self.result) if self.result else {}

    @property
    def steady(self) -> dict[str, Any] | None:
        """Whether the window is of a steady rate (`steadiness`); None where nobody can tell."""
        return self.result.get("steady") if self.result else None

    @property
    def repeat(self) -> dict[str, Any] | None:
        """The values behind the figures of several runs (`repeats`); None for a single run."""
        return self.result.get("repeat") if self.result else None

    def figure(self, name: str) -> Any:
        """Return a measured figure by its dotted name; None where the point has none."""
        return figure(self.measured, name)

    def number(self, name: str) -> float | None:
        """Return a measured figure that is a number; None where the point has none."""
        value = self.figure(name)
        return float(value) if isinstance(value, int | float) else None

    def spread(self, name: str) -> dict[str, Any] | None:
        """Return the spread of a figure by its dotted name; None for a single run."""
        return self.repeat["figures"].get(name) if self.repeat else None

    def within(self, name: str) -> str:
        """Return where the published figure lies (`repeats.beside`); empty for a single run."""
        found = self.repeat["published"].get(name) if self.repeat else None
        return found["within"] if found else ""

    @property
    def verdict(self) -> str:
        """The stage that limited the run, or another remark on the point."""
        if self.result:
            return self.result["bottleneck"]["what"]
        return f"{self.status}: {self.why}" if self.why else str(self.status)

    def text(self, entry: ScenarioEntry, name: str) -> str:
        """Return the point's value of a setting or parameter that was varied, as one text.

        What the case does not say is the setting's own value, or empty for a parameter.
        """
        given = dict(text.split("=", 1) for text in self.case)
        if is_parameter(name):
            return given.get(name, "")
        item = entry.settings.get(name)
        if name not in given:
            value = self.settings.get(name, "")
            return ("on" if value else "off") if isinstance(value, bool) else str(value)
        return item.kind.show(item.kind.parse(given[name], name)) if item else given[name]


_SUFFIXES: dict[type[Quantity], tuple[str, float]] = {
    Time: ("s", 1e12),
    Size: ("bytes", 1),
    Rate: ("bps", 1),
    Frequency: ("hz", 1),
}


def numbers(entry: ScenarioEntry, settings: Mapping[str, Any]) -> dict[str, float]:
    """Return the settings that have a unit as plain numbers, named `rtt_s`, `window_bytes`, ..."""
    found: dict[str, float] = {}
    for name, item in entry.settings.items():
        if isinstance(item.kind, Quantities) and isinstance(settings.get(name), str):
            suffix, base = _SUFFIXES[type(item.kind.least)]
            found[f"{name}_{suffix}"] = item.kind.parse(settings[name], name).count / base
    return found
