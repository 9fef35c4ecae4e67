# SPDX-License-Identifier: Apache-2.0
"""Published figures beside a scenario, and which of them a run may be compared with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from longhaul.errors import LonghaulError
from longhaul.settings import Setting


@dataclass(frozen=True)
class Row:
    """Figures that hold where the settings are as `where` says.

    A condition is one value, a list of values, or {"min": value}, each written as a user would.
    `reason` says why a model is far from the figures, if it is, and where a reader can check that:
    one text, or one for each figure. `fitted` names the figures that a parameter was fitted to.
    """

    where: Mapping[str, Any]
    reference: Mapping[str, float]
    source: str
    note: str = ""
    reason: str | Mapping[str, str] = ""
    fitted: tuple[str, ...] = ()

    def reason_of(self, figure: str) -> str:
        """Return the reason that is stated for a figure, empty if there is none."""
        return self.reason if isinstance(self.reason, str) else self.reason.get(figure, "")


@dataclass(frozen=True)
class Axes:
    """The settings that a paper's figure or table is over, and those that its lines differ in.

    Several settings as `x` are the rows of a table: each combination of values has a bar.
    """

    x: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class References:
    """All rows of one scenario and where they come from.

    `relative` names figures whose unit a paper does not say, each with the conditions of a row:
    they are compared as multiples of that row's figure. `drawn` names figures that a paper draws
    without numbers: the model's are kept and shown beside nothing.
    """

    source: str
    rows: tuple[Row, ...]
    settings: Mapping[str, Setting]
    relative: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    axes: Axes = Axes()
    drawn: tuple[str, ...] = ()

    @classmethod
    def load(cls, path: Path, settings: Mapping[str, Setting]) -> References:
        """Read reference.json; a missing file has no rows, an unknown setting is an error."""
        if not path.exists():
            return cls("", (), settings)
        data = json.loads(path.read_text())
        rows = tuple(
            Row(
                r["where"],
                r["reference"],
                r["source"],
                r.get("note", ""),
                r.get("reason", ""),
                tuple(r.get("fitted", ())),
            )
            for r in data["rows"]
        )
        for row in rows:
            for name in set(row.fitted) - set(row.reference):
                raise LonghaulError(f"{path}: {name!r} is fitted to, but no figure of its row")
        relative: dict[str, dict[str, Any]] = data.get("relative", {})
        axes = Axes(*(tuple(data.get("axes", {}).get(key, ())) for key in ("x", "lines")))
        for conditions in (*(row.where for row in rows), *relative.values(), axes.x, axes.lines):
            for name in conditions:
                if name not in settings:
                    raise LonghaulError(f"{path}: {name!r} is no setting of this scenario")
        return cls(data["source"], rows, settings, relative, axes, tuple(data.get("drawn", ())))

    @property
    def figures(self) -> tuple[str, ...]:
        """The names of all figures that a paper prints or draws."""
        printed = (name for row in self.rows for name in row.reference)
        return tuple(dict.fromkeys([*printed, *self.drawn]))

    def match(self, values: Any) -> Row | None:
        """Return the first row whose every condition these settings meet."""
        return next((row for row in self.rows if self.fits(row.where, values)), None)

    def fits(self, where: Mapping[str, Any], values: Any) -> bool:
        """Tell whether settings meet every one of some conditions."""
        return all(
            self._holds(self.settings[name], condition, getattr(values, name))
            for name, condition in where.items()
        )

    def errors_pct(self, measured: Mapping[str, Any], row: Row | None) -> dict[str, float]:
        """Return the errors of the figures of a row that one run can be compared by."""
        if row is None:
            return {}
        absolute = {name: v for name, v in row.reference.items() if name not in self.relative}
        return errors_pct(measured, absolute)

    def assignments(self, row: Row) -> tuple[str, ...]:
        """Return settings, as `name=value`, under which a row holds.

        They are those that tell rows apart or differ from the defaults; one at least.
        """
        texts: dict[str, str] = {}
        for name, condition in row.where.items():
            match condition:
                case {"min": value} | [value, *_] | value:
                    texts[name] = f"{name}={value}"
        needed = [
            text
            for name, text in texts.items()
            if any(other.where.get(name) != row.where[name] for other in self.rows)
            or not self._holds(self.settings[name], row.where[name], self.settings[name].default)
        ]
        return tuple(needed or [*texts.values()][:1])

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


def figure(measured: Mapping[str, Any], name: str) -> Any:
    """Return a figure of `measured` by its name there, or by its dotted name; or None."""
    return measured[name] if name in measured else lookup(measured, name)


def lookup(measured: Mapping[str, Any], dotted: str) -> Any:
    """Return `measured["receiver"]["irq_per_s"]` for "receiver.irq_per_s", or None."""
    here: Any = measured
    for key in dotted.split("."):
        if not isinstance(here, Mapping) or key not in here:
            return None
        here = here[key]  # pyright: ignore[reportUnknownVariableType]
    return here  # pyright: ignore[reportUnknownVariableType]
