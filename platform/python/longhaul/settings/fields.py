# SPDX-License-Identifier: Apache-2.0
"""Settings as fields of a frozen dataclass: one declaration gives type, range and evidence."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean, nearest
from longhaul.settings.kinds import Choice, Kind

SettingsT = TypeVar("SettingsT")


@dataclass(frozen=True)
class Setting:
    """One settable quantity of a scenario."""

    name: str
    kind: Kind
    default: Any
    help: str
    evidence: str
    source: str
    only: Mapping[str, tuple[str, ...]]
    condition: str  # its users, as "workload=iperf" or "any system but guest"; empty: everything


def setting(
    kind: Kind,
    default: str,
    *,
    help: str,
    evidence: str = "chosen",
    source: str,
    only: Mapping[str, tuple[str, ...]] | None = None,
) -> Any:
    """Declare a setting as a dataclass field; `default` is text, read as a user's would be.

    `only` names other settings with the values that make use of this one, all of them; given by a
    user where one has another value, it is refused. Settings that a scenario lacks count as met.
    """
    value = kind.parse(default, "default")
    meta = {"kind": kind, "help": help, "evidence": evidence, "source": source, "only": only or {}}
    return dataclasses.field(default=value, metadata=meta)


def settings_of(cls: type[Any]) -> dict[str, Setting]:
    """Return the settings that a dataclass declares, in order."""
    fields = dataclasses.fields(cls)
    kinds: dict[str, Kind] = {field.name: field.metadata["kind"] for field in fields}
    found: dict[str, Setting] = {}
    for field in fields:
        only: dict[str, tuple[str, ...]] = {
            name: texts for name, texts in field.metadata["only"].items() if name in kinds
        }
        found[field.name] = Setting(
            field.name,
            field.metadata["kind"],
            field.default,
            field.metadata["help"],
            field.metadata["evidence"],
            field.metadata["source"],
            only,
            ", ".join(_condition(name, texts, kinds[name]) for name, texts in only.items()),
        )
    return found


def _condition(name: str, texts: tuple[str, ...], kind: Kind) -> str:
    """Say for which values of another setting: these, or all but a few."""
    others = [each for each in kind.names if each not in texts] if isinstance(kind, Choice) else []
    if others and len(others) < len(texts):
        return f"any {name} but {' or '.join(others)}"
    return f"{name}={' or '.join(texts)}"


class UnknownSettingError(UsageError):
    """A scenario has no setting of this name; the message names the nearest one, or all."""

    def __init__(self, name: str, known: Mapping[str, Setting], scenario: str) -> None:
        self.name, self.is_near = name, nearest(name, known) is not None
        self.what = f"{scenario} has no setting {name!r}"
        super().__init__(f"{self.what}{did_you_mean(name, known)}")


def setting_called(name: str, known: Mapping[str, Setting], scenario: str) -> Setting:
    """Return one of the known settings, or raise an UnknownSettingError."""
    if name not in known:
        raise UnknownSettingError(name, known, scenario)
    return known[name]


def with_default(cls: type[Any], name: str, default: str, **what: Any) -> Any:
    """Declare again a setting of `cls`, with another default and its own `evidence` and `source`.

    Kind, range and help stay those of the first declaration, and `only` unless it is said again.
    """
    field = _declared(cls, name)
    kept = {key: field.metadata[key] for key in ("help", "only")}
    return setting(field.metadata["kind"], default, **kept | what)


def as_in(cls: type[Any], name: str, **what: Any) -> Any:
    """Declare again a setting of `cls`, default and source too; only `what` is changed."""
    field = _declared(cls, name)
    return dataclasses.field(default=field.default, metadata={**field.metadata, **what})


def _declared(cls: type[Any], name: str) -> dataclasses.Field[Any]:
    return next(field for field in dataclasses.fields(cls) if field.name == name)


def parse(cls: type[SettingsT], assignments: Iterable[str], scenario: str) -> SettingsT:
    """Read `name=value` texts over the defaults; a later one wins.

    A setting that the others make no use of is refused.
    """
    known = settings_of(cls)
    given: dict[str, Any] = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        if not equals or not name:
            raise UsageError(f"--set {assignment}: write name=value, such as --set mtu=1500")
        given[name] = setting_called(name, known, scenario).kind.parse(text, name)
    found = cls(**given)
    for name in given:
        _check_use(known, name, found)
    return found


def _check_use(known: Mapping[str, Setting], name: str, settings: object) -> None:
    item = known[name]
    for other, texts in item.only.items():
        text = known[other].kind.show(getattr(settings, other))
        if text not in texts:
            value = item.kind.show(getattr(settings, name))
            raise UsageError(
                f"{name}={value}: {other}={text} does not use it; it is for {item.condition}"
            )


def values(settings: object) -> dict[str, Any]:
    """Return every setting's value as JSON shows it (quantities as text with their unit)."""
    return {
        name: item.kind.plain(getattr(settings, name))
        for name, item in settings_of(type(settings)).items()
    }


def changed(settings: object) -> dict[str, str]:
    """Return the settings that differ from their defaults, as text."""
    return {
        name: item.kind.show(getattr(settings, name))
        for name, item in settings_of(type(settings)).items()
        if getattr(settings, name) != item.default
    }
