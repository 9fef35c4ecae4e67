# SPDX-License-Identifier: Apache-2.0
"""Rows of a published table, or points of a figure, as the cases of a scenario."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from longhaul.settings import settings_of


@dataclass(frozen=True)
class Row:
    """A row of a table: the settings that name it, and others that it was measured with."""

    names: Mapping[str, str]
    beside: Mapping[str, str] = field(default_factory=dict[str, str])


def left_open(
    settings: type[Any], rows: Iterable[Row], given: Mapping[str, str]
) -> list[tuple[str, ...]]:
    """Return the rows that what is given does not contradict, each as assignments.

    What is given stands above the settings that a row was measured with.
    """
    known = settings_of(settings)

    def same(name: str, text: str) -> bool:
        kind = known[name].kind
        return kind.parse(given.get(name, text), name) == kind.parse(text, name)

    return [
        tuple(
            f"{name}={text}"
            for name, text in {**row.names, **row.beside}.items()
            if name in row.names or name not in given
        )
        for row in rows
        if all(same(name, text) for name, text in row.names.items())
    ]


def listed(
    settings: type[Any], given: Mapping[str, str], name: str, values: Iterable[str]
) -> tuple[str, ...]:
    """Return the published values of a setting, or the one given in their place.

    A published value is written as the table has it: `0ms` given is the table's `0s`.
    """
    if name not in given:
        return tuple(values)
    kind = settings_of(settings)[name].kind
    wanted = kind.parse(given[name], name)
    return tuple(text for text in values if kind.parse(text, name) == wanted) or (given[name],)


def not_given(given: Mapping[str, str], assignments: Iterable[str]) -> tuple[str, ...]:
    """Return those of `assignments` whose settings are not given."""
    return tuple(text for text in assignments if text.partition("=")[0] not in given)
