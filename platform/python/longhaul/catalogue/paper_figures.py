# SPDX-License-Identifier: Apache-2.0
"""A paper's figures on pages of the site: drawn, in a table with errors, and why they are far off.

Published figures are the reference data of a scenario, the model's are the kept values of
`longhaul results`. The plots are those of `report --all`, as SVG in the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from html import escape

from longhaul.catalogue import entry, values
from longhaul.catalogue.recorded import Recorded, recorded
from longhaul.docs.tables import code, plain, table
from longhaul.errors import LonghaulError
from longhaul.nearest import did_you_mean
from longhaul.papers.reproductions import Compared
from longhaul.published.reasons import LIMIT_PCT, NO_REASON, grouped
from longhaul.report import svg
from longhaul.results.words import figure_text, split_unit
from longhaul.sweeps import axis_plots
from longhaul.sweeps.spread import spread_text


@cache
def _all() -> Mapping[str, tuple[Recorded, ...]]:
    """Return what is kept of each scenario: of single runs first, then of repeated ones."""
    there = values.load()
    found: dict[str, list[Recorded]] = {}
    for one in entry.everything(entry.load()):
        for each in recorded(one, there[one.name]) if one.name in there else []:
            found.setdefault(each.entry.name, []).append(each)
    return {name: tuple(sorted(e, key=lambda r: r.repeated)) for name, e in found.items()}


@cache
def section(scenario: str) -> str:
    """Return a scenario's plots, table and reasons in Markdown; a LonghaulError: none are kept."""
    if scenario not in _all():
        near = did_you_mean(scenario, _all())
        raise LonghaulError(f"there are no kept figures of {scenario!r}{near}")
    there = _all()[scenario]
    one = there[0]
    rows = table(_heads(there), _rows(there))
    below = f'<div class="paper-table" markdown="1">\n\n{rows}</div>\n'
    return "\n".join(part for part in (_plots(one), below, _reasons(one), _command(one)) if part)


def _plots(one: Recorded) -> str:
    drawn = axis_plots.of_paper(one.points, one.entry, one.entry.references.figures)
    if drawn is None:
        return ""
    figures = [
        f"<figure>\n<figcaption>{escape(_title(plot['title'], drawn.heading))}</figcaption>\n"
        + svg.drawn(plot, f"{one.entry.name}-{number}", escape(plot["title"], quote=True))
        + "</figure>"
        for number, plot in enumerate(drawn.plots)
    ]
    return '<div class="paper-figures" data-search-exclude>\n' + "\n".join(figures) + "\n</div>\n"


def _title(words: str, over: str) -> str:
    return f"{words[0].upper()}{words[1:]} over {over}"


def _heads(there: Sequence[Recorded]) -> tuple[str, ...]:
    repeated = [f"mean of {_runs(each)} runs" for each in there[1:]]
    return ("case", "figure", "paper", "model", "error, %", *repeated, "limited by", "source")


def _runs(one: Recorded) -> int:
    return max(each.spread["n"] for each in one.kept if each.spread)


def _rows(there: Sequence[Recorded]) -> list[tuple[str, ...]]:
    one = there[0]
    rows: list[tuple[str, ...]] = []
    compared = {(each.point.case, each.name): each for each in one.figures}
    order = list(dict.fromkeys(each.case for each in one.kept))
    for kept in sorted(one.kept, key=lambda each: order.index(each.case)):
        words, unit = split_unit(kept.figure)
        each = compared.get((kept.case, kept.figure))
        rows.append(
            (
                code(" ".join(kept.case)),
                f"{words}, {unit}" if unit else words,
                _paper(each, one) if each else "",
                figure_text(kept.value, unit),
                _error(each),
                *(_mean(more, kept.case, kept.figure) for more in there[1:]),
                plain(kept.limited_by),
                plain(each.source) if each else "",
            )
        )
    return rows


def _paper(each: Compared, one: Recorded) -> str:
    """Return the published figure as printed, and in the model's unit where it has none."""
    unit = split_unit(each.name)[1]
    if each.name not in one.entry.references.relative:
        return figure_text(each.published, unit) + (" (fitted to)" if each.fitted else "")
    if each.expected is None:
        return f"{figure_text(each.published)}: others are relative to it"
    return f"{figure_text(each.published)}: here {figure_text(each.expected, unit)}"


def _error(each: Compared | None) -> str:
    if each is None or each.error_pct is None:
        return ""
    return f"**{each.error_pct:+.1f}**" if each.is_far else f"{each.error_pct:+.1f}"


def _mean(one: Recorded, case: Sequence[str], figure: str) -> str:
    kept = one.of(case, figure)
    return spread_text(kept.spread, split_unit(figure)[1]) if kept and kept.spread else ""


def _reasons(one: Recorded) -> str:
    """Return why figures are beyond the limit, each reason once with all that it is of."""
    far = (
        (f"{code(' '.join(each.point.case))} {split_unit(each.name)[0]} {_error(each)} %".strip(),
         each.reason or NO_REASON)
        for each in one.figures if each.is_far
    )  # fmt: skip
    lines = [f"- {'; '.join(places)}: {plain(why)}." for why, places in grouped(far).items()]
    return f"Over {LIMIT_PCT:.0f} % off:\n\n" + "\n".join(lines) + "\n" if lines else ""


def _command(one: Recorded) -> str:
    short = " --quick" if one.entry.quick else ""
    return (
        f"Made by `./longhaul report --all{short} --of {one.entry.name}` "
        f"({one.values.date}, {one.values.commit[:8]}).\n"
    )
