# SPDX-License-Identifier: Apache-2.0
"""docs/results.md: a table of figures and one of their commands for each area."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from longhaul.catalogue.entry import Area, Catalogue, Measurement
from longhaul.catalogue.rows import Row, rows
from longhaul.catalogue.values import Values
from longhaul.docs.markdown import slug
from longhaul.docs.tables import line
from longhaul.outdir import write_text
from longhaul.paths import ROOT
from longhaul.published.reasons import LIMIT_PCT

FILE = ROOT / "docs" / "results.md"

_HEAD = f"""\
<!-- Written by `./longhaul results --update` from platform/config/results; do not edit. -->

# Results

Current figures of this tree, each with the command that gives it. What is far off stands beside
what is near: an error of more than {LIMIT_PCT:.0f} % or an aim that is missed is **bold**, with its
reason. Earlier figures are in git's history of this page.

## To repeat a figure

Type its command in the tree. Or let Longhaul type it, and compare:

```sh
./longhaul results                       # all figures, with their age in commits
./longhaul results --check {{example}}
./longhaul results --update rtl          # an area or a measurement anew, and this page
```

- A *simulated* figure is the same on every host, to the last digit, with the guests' packages of
  `platform/config/known-versions.json`. `--check` allows no difference.
- A *measured* figure is a time, a memory size or a count of this machine. It names its machine.
  `--check` allows the spread that stands beside its command. On another machine it compares ratios
  only.
- A value *as printed* was entered from a command's output, with the digits of that output.
- ± is the 95 % interval of the mean of repeated runs. "Within chance" means that the published
  figure lies in that interval.
- Commands that begin with `longhaul` are typed in a fresh workspace (`docs/workspaces.md`).
"""


def markdown(catalogue: Catalogue, values: Mapping[str, Values]) -> str:
    """Return the page of these values."""
    example = next(iter(catalogue.values())).measurements[0].name
    head = _HEAD.format(example=example)
    made = {
        one.name: rows(one, values.get(one.name))
        for area in catalogue.values()
        for one in area.measurements
    }
    parts = [head, *_overview(catalogue, made)]
    for area in catalogue.values():
        parts += ["", f"## {area.title}", ""]
        parts += [area.about.strip(), ""] if area.about else []
        parts += [*_figures(area, made), "", *_commands(area, values)]
    return "\n".join(parts).rstrip() + "\n"


def write(catalogue: Catalogue, values: Mapping[str, Values]) -> None:
    """Write docs/results.md."""
    write_text(FILE, markdown(catalogue, values))


def _overview(catalogue: Catalogue, made: Mapping[str, Sequence[Row]]) -> list[str]:
    lines = ["## At a glance", "", line("area", "figures", "with a reference", "far off")]
    lines.append(line(*["---"] * 4))
    for area in catalogue.values():
        all_of = [row for one in area.measurements for row in made[one.name]]
        beside = sum(bool(row.reference) for row in all_of)
        far = sum(row.far for row in all_of)
        title = f"[{area.title}](#{slug(area.title)})"
        lines.append(line(title, str(len(all_of)), str(beside), str(far)))
    return lines


def _figures(area: Area, made: Mapping[str, Sequence[Row]]) -> list[str]:
    lines = [line("figure", "value", "beside", "error", "why", "by"), line(*["---"] * 6)]
    for number, one in enumerate(area.measurements, 1):
        for row in made[one.name]:
            lines.append(
                line(row.what, row.value, row.reference, _error(row), row.why, str(number))
            )
    return lines


def _error(row: Row) -> str:
    error = f"**{row.error}**" if row.far else row.error
    return f"{error}, within chance" if row.chance else error


def _commands(area: Area, values: Mapping[str, Values]) -> list[str]:
    heads = ("by", "command", "name", "kind", "takes", "date", "commit", "machine")
    lines = [line(*heads), line(*["---"] * len(heads))]
    for number, one in enumerate(area.measurements, 1):
        there = values.get(one.name)
        told = (there.date, _short(there.commit), there.machine) if there else ("", "", "")
        command = f"`{one.command}`{_more(one)}"
        lines.append(
            line(str(number), command, f"`{one.name}`", _kind(one, there), one.takes, *told)
        )
    return lines


def _more(one: Measurement) -> str:
    """Return what a reader has to know beside the command."""
    place = (
        f"in a workspace of `./longhaul new mynic --kind {one.workspace}`" if one.workspace else ""
    )
    needs = f"needs `{one.needs}`" if one.needs else ""
    told = "; ".join(filter(None, (place, needs, one.note)))
    return f" ({told})" if told else ""


def _kind(one: Measurement, there: Values | None) -> str:
    printed = ", as printed" if there and there.printed else ""
    if one.kind == "simulated":
        return f"simulated{printed}"
    spreads = sorted({one.spread(each) for each in one.figures})
    spread = " to ".join(f"{each:g}" for each in dict.fromkeys((spreads[0], spreads[-1])))
    return f"measured, within {spread} %{printed}"


def _short(commit: str) -> str:
    sha, plus, changes = commit.partition("+")
    return f"{sha[:8]}{plus}{changes}"
