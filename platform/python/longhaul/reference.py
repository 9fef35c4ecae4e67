# SPDX-License-Identifier: Apache-2.0
"""Published figures beside a scenario, and which of them a run may be compared with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longhaul.errors import LonghaulError
from longhaul.settings import Setting


@dataclass(frozen=True)
class Row:
    """Figures that hold where the settings are as `where` says.

    A condition is one value, a list of values, or {"min": value}, each written as a user would.
    """

    where: Mapping[str, Any]
    reference: Mapping[str, float]
    source: str
    note: str = ""


@dataclass(frozen=True)
class References:
    """All rows of one scenario and where they come from."""

    source: str
    rows: tuple[Row, ...]
    settings: Mapping[str, Setting]

    @classmethod
    def load(cls, path: Path, settings: Mapping[str, Setting]) -> References:
        """Read reference.json; a missing file has no rows, an unknown setting is an error."""
        if not path.exists():
            return cls("", (), settings)
        data = json.loads(path.read_text())
        rows = tuple(
            Row(r["where"], r["reference"], r["source"], r.get("note", "")) for r in data["rows"]
        )
        for row in rows:
            for name in row.where:
                if name not in settings:
                    raise LonghaulError(f"{path}: {name!r} is no setting of this scenario")
        return cls(data["source"], rows, settings)

    def match(self, values: Any) -> Row | None:
        """Return the first row whose every condition these settings meet."""
        return next((row for row in self.rows if self._fits(row, values)), None)

    def _fits(self, row: Row, values: Any) -> bool:
        return all(
            self._holds(self.settings[name], condition, getattr(values, name))
            for name, condition in row.where.items()
        )

    @staticmethod
    def _holds(setting: Setting, condition: Any, value: Any) -> bool:
        def read(text: object) -> Any:
            return setting.kind.parse(str(text), setting.name)

        match condition:
            case {"min": least}:
                return value >= read(least)
            case [*choices]:
                return value in [read(each) for each in choices]
            case _:
                return value == read(condition)


def errors_pct(measured: Mapping[str, Any], reference: Mapping[str, float]) -> dict[str, float]:
    """Return how far each measured figure is from its reference, in percent of the reference."""
    errors: dict[str, float] = {}
    for name, published in reference.items():
        value = lookup(measured, name)
        if isinstance(value, int | float) and published:
            errors[name] = round(100.0 * (value - published) / published, 2)
    return errors


def lookup(measured: Mapping[str, Any], dotted: str) -> Any:
    """Return `measured["receiver"]["irq_per_s"]` for "receiver.irq_per_s", or None."""
    here: Any = measured
    for key in dotted.split("."):
        if not isinstance(here, Mapping) or key not in here:
            return None
        here = here[key]  # pyright: ignore[reportUnknownVariableType]
    return here  # pyright: ignore[reportUnknownVariableType]
