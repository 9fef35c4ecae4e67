# SPDX-License-Identifier: Apache-2.0
"""Pages of scenarios with every setting, and of papers with every published figure."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from longhaul.docs.staging import Figures
from longhaul.docs.tables import code, plain, table
from longhaul.published.reference import Row
from longhaul.registry import ScenarioEntry

_HEADS = ("setting", "default", "range", "meaning", "evidence")
FOLDER = "reference/scenarios"
PAPERS = "reference/papers"


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
    if not entry.references.rows:
        return ""
    return f"## Published figures\n\n{plain(entry.references.source)}.\n\n" + _table(entry)


def _table(entry: ScenarioEntry) -> str:
    rows = [line for row in entry.references.rows for line in _figures(row)]
    return table(("where", "figure", "published", "source", "a known reason"), rows)


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


def papers(entries: Iterable[ScenarioEntry], figures: Figures) -> dict[str, str]:
    """Return a page for each paper with every published figure, and the list of papers."""
    ordered = sorted((e for e in entries if e.paper), key=lambda each: (each.paper, each.name))
    text = (
        "# Published figures\n\nBy paper, with the model's figures beside them. "
        "`longhaul report --all` makes these.\n\n"
    )
    made: dict[str, str] = {}
    listed: list[tuple[str, ...]] = []
    for paper, group in groupby(ordered, lambda each: each.paper):
        members = [each for each in group if each.references.rows]
        numbers = [sum(len(row.reference) for row in each.references.rows) for each in members]
        listed.append((f"[{paper}]({paper}.md)", str(len(members)), str(sum(numbers))))
        made[f"{PAPERS}/{paper}.md"] = f"# Published figures of {paper}\n\n" + "".join(
            f"## {each.reproduces}\n\n[`{each.name}`](../scenarios/{each.name}.md): "
            f"{plain(each.title)}\n\n{plain(each.references.source)}.\n\n" + figures(each.name)
            for each in members
        )
    heads = ("paper", "scenarios", "figures")
    return made | {f"{PAPERS}/index.md": text + table(heads, listed)}
