# SPDX-License-Identifier: Apache-2.0
"""Shows a validation: on the terminal, as results.json, and as one page."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from rich.console import Console
from rich.table import Table

from longhaul.coverage.page import View
from longhaul.outdir import partial_path, write_json, write_text
from longhaul.report.page import template
from longhaul.runs import given
from longhaul.validation import catalog, coverage
from longhaul.validation.outcome import PASSED, SKIPPED, Outcome, shortened
from longhaul.validation.run import SCENARIO, Plan, waves_words
from longhaul.validation.twins.comparison import TWIN


def show_tests(console: Console) -> None:
    """Print the tests that there are."""
    table = Table("test", "what it looks at", box=None, pad_edge=False)
    for name, each in catalog.tests().items():
        table.add_row(name, each.title)
    console.print(table, highlight=False, markup=False)


def show(
    console: Console, plan: Plan, done: Sequence[Outcome], covered: Sequence[View] = ()
) -> None:
    """Print a line for each test, and what is wrong."""
    table = Table("test", "", "checks", "skipped", "what is wrong", box=None, pad_edge=False)
    for each in done:
        counts = each.counts()
        first = each.findings[0] if each.findings else None
        more = f" (and {len(each.findings) - 1} more)" if len(each.findings) > 1 else ""
        table.add_row(
            each.test,
            "passed" if each.passed else "FAILED",
            f"{counts[PASSED]} of {len(each.checks) - counts[SKIPPED]}",
            str(counts[SKIPPED] or ""),
            f"{first.by}: {shortened(first.message)}{more}" if first else "",
        )
    console.print(table, highlight=False, markup=False)
    failed = [each for each in done if not each.passed]
    console.print(
        f"{plan.adapter}: {len(done) - len(failed)} of {len(done)} tests passed",
        highlight=False,
        markup=False,
    )
    if plan.twin:
        console.print(_twin_line(plan), highlight=False, markup=False, soft_wrap=True)
    for line in coverage.lines(covered):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    for each in failed:
        for found in each.findings:  # both sides are longer than a row
            if found.by.startswith(TWIN):
                line = f"{each.test}: {found.by}: {found.message}"
                console.print(line, highlight=False, markup=False, soft_wrap=True)
        line = f"{each.test}: {how_to_see(plan, each)}"
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def _twin_line(plan: Plan) -> str:
    assert plan.twin is not None
    names = ", ".join(each.name for each in plan.tests if plan.has_twin(each)) or "no test"
    return f"against {plan.twin.name}: {names}; the page says what is compared and what is not"


def again_with_waves(plan: Plan, each: Outcome) -> str:
    """Return the command that repeats a test's run and traces it from its first finding on."""
    test = catalog.find(each.test)
    words = ["longhaul", "run", SCENARIO]
    words += [word for text in plan.settings(test) for word in ("--set", text)]
    words += ["--seed", str(plan.seed)] if plan.seed != 1 else []
    words += ["--layout", str(plan.layout)] if plan.layout else []
    words += given.words(plan.software)
    return shlex.join([*words, "--pcap", *waves_words(each)])


def how_to_see(plan: Plan, each: Outcome) -> str:
    """Return the command that shows a failure's waves, or makes them where there are none."""
    if each.waves:
        return f"its waves: longhaul waves {shlex.quote(str(plan.out / each.waves))}"
    return f"again, with waves: {again_with_waves(plan, each)}"


def write(plan: Plan, done: Sequence[Outcome], covered: Sequence[View] = ()) -> None:
    """Write results.json and report.html."""
    write_json(
        plan.out / "results.json",
        {
            "adapter": plan.adapter,
            "twin": plan.twin.name if plan.twin else None,
            "passed": all(each.passed for each in done),
            "tests": [dataclasses.asdict(each) for each in done],
            **coverage.record(covered),
        },
    )
    write_text(plan.out / "report.html", _page(plan, done, covered))


def _page(plan: Plan, done: Sequence[Outcome], covered: Sequence[View]) -> str:
    failed = [each for each in done if not each.passed]
    return template("validation.html.j2").render(
        adapter=plan.adapter,
        twin=plan.twin.name if plan.twin else "",
        sets=plan.sets,
        passed=len(done) - len(failed),
        skipped=sum(each.counts()[SKIPPED] for each in done),
        failed=[
            (each.test, catalog.find(each.test).title, each.findings, how_to_see(plan, each))
            for each in failed
        ],
        not_run=[each.name for each in plan.tests if each.name not in {d.test for d in done}],
        tests=[_view(plan, each) for each in done],
        covered=covered,
    )


def _view(plan: Plan, each: Outcome) -> dict[str, Any]:
    folder = plan.out / each.test
    there = folder if folder.is_dir() else partial_path(folder)
    files = [name for name in ("report.html", "line.pcapng", "simulator.log", "waves.fst")
             if (there / name).exists()]  # fmt: skip
    return {
        "outcome": each,
        "title": catalog.find(each.test).title,
        "counts": each.counts(),
        "files": [(name, f"{quote(there.name)}/{name}") for name in files],
    }
