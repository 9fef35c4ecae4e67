# SPDX-License-Identifier: Apache-2.0
"""Settings as fields of a frozen dataclass: one declaration gives type, range and evidence."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.settings.kinds import Kind

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


def setting(kind: Kind, default: str, *, help: str, evidence: str = "chosen", source: str) -> Any:
    """Declare a setting as a dataclass field; `default` is text, read as a user's would be."""
    value = kind.parse(default, "default")
    meta = {"kind": kind, "help": help, "evidence": evidence, "source": source}
    return dataclasses.field(default=value, metadata=meta)


def settings_of(cls: type[Any]) -> dict[str, Setting]:
    """Return the settings that a dataclass declares, in order."""
    return {
        field.name: Setting(
            field.name,
            field.metadata["kind"],
            field.default,
            field.metadata["help"],
            field.metadata["evidence"],
            field.metadata["source"],
        )
        for field in dataclasses.fields(cls)
    }


def setting_called(name: str, known: Mapping[str, Setting], scenario: str) -> Setting:
    """Return one of the known settings; a UsageError names the nearest one."""
    if name not in known:
        raise UsageError(f"{scenario} has no parameter {name!r}{did_you_mean(name, known)}")
    return known[name]


def with_default(cls: type[Any], name: str, default: str, **what: str) -> Any:
    """Declare again a setting of `cls`, with another default and its own `evidence` and `source`.

    Kind, range and help stay those of the first declaration.
    """
    first = settings_of(cls)[name]
    return setting(first.kind, default, help=first.help, **what)


def parse(cls: type[SettingsT], assignments: Iterable[str], scenario: str) -> SettingsT:
    """Read `name=value` texts over the defaults; a later one wins."""
    known = settings_of(cls)
    given: dict[str, Any] = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        if not equals or not name:
            raise UsageError(f"--set {assignment}: write name=value, such as --set mtu=1500")
        given[name] = setting_called(name, known, scenario).kind.parse(text, name)
    return cls(**given)


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
