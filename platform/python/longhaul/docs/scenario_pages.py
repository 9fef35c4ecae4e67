# SPDX-License-Identifier: Apache-2.0
"""Pages of scenarios: one list, one page each with every setting; and one of published figures."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from longhaul.docs.tables import code, plain, table
from longhaul.published.reference import Row
from longhaul.registry import ScenarioEntry

_HEADS = ("setting", "default", "range", "meaning", "evidence")
FOLDER = "reference/scenarios"


def pages(entries: Iterable[ScenarioEntry]) -> dict[str, str]:
    """Return the pages by their place in the site."""
    ordered = sorted(entries, key=lambda each: (each.question, each.name))
    text = (
        "# Scenarios\n\nBy the question that they ask, as `longhaul list` shows them. `real`\n"
        "runs real Linux guests, the others run models of operating systems.\n\n"
    )
    for question, members in groupby(ordered, lambda each: each.question):
        rows = [
            (f"[`{each.name}`]({each.name}.md)", "real" if each.has_guests else "",
             plain(each.title), each.reproduces)
            for each in members
        ]  # fmt: skip
        text += f"## {question}\n\n" + table(("scenario", "", "asks", "reproduces"), rows)
    made = {f"{FOLDER}/index.md": text}
    return made | {f"{FOLDER}/{each.name}.md": _page(each) for each in ordered}


def _page(entry: ScenarioEntry) -> str:
    text = f"# {entry.name}\n\n**{plain(entry.title)}**\n\n{plain(entry.text)}\n\n"
    if entry.reproduces:
        text += f"Reproduces: {entry.reproduces}.\n\n"
    rows: list[tuple[str, ...]] = []
    for item in entry.settings.values():
        unit = f", {item.kind.unit}" if isinstance(item.default, int) and item.kind.unit else ""
        condition = f" Only with {item.condition}." if item.condition else ""
        rows.append(
            (
                code(item.name), code(item.kind.show(item.default)) or "(none)",
                plain(item.kind.range_text() + unit), plain(item.help + condition),
                f"{item.evidence}: {plain(item.source)}",
            )
        )  # fmt: skip
    return text + "## Settings\n\n" + table(_HEADS, rows) + _published(entry)


def _published(entry: ScenarioEntry) -> str:
    rows = [line for row in entry.references.rows for line in _figures(row)]
    if not rows:
        return ""
    head = f"## Published figures\n\n{plain(entry.references.source)}.\n\n"
    return head + table(("where", "figure", "published", "source", "a known reason"), rows)


def _figures(row: Row) -> Iterable[tuple[str, ...]]:
    where = ", ".join(f"{name}={_condition(value)}" for name, value in row.where.items())
    for name, value in row.reference.items():
        fitted = " (fitted to)" if name in row.fitted else ""
        source = plain(f"{row.source}{'; ' if row.note else ''}{row.note}")
        yield code(where), code(name), f"{value:g}{fitted}", source, plain(row.reason_of(name))


def _condition(value: Any) -> str:
    match value:
        case {"min": least}:
            return f"{least} or more"
        case [*choices]:
            return " or ".join(map(str, choices))
        case _:
            return str(value)


def papers(entries: Iterable[ScenarioEntry]) -> str:
    """Return the page of all papers, with the scenarios that reproduce each figure."""
    text = (
        "# Published figures\n\nEach scenario's page has the figures with their conditions.\n"
        "`./longhaul report --all` puts the model's beside them.\n\n"
    )
    ordered = sorted((e for e in entries if e.paper), key=lambda each: (each.paper, each.name))
    for paper, members in groupby(ordered, lambda each: each.paper):
        rows: list[tuple[str, ...]] = []
        for each in members:
            number = sum(len(row.reference) for row in each.references.rows)
            link = f"[`{each.name}`](scenarios/{each.name}.md)"
            rows.append((link, plain(each.title), each.reproduces, str(number)))
        text += f"## {paper}\n\n" + table(("scenario", "asks", "reproduces", "figures"), rows)
    return text
