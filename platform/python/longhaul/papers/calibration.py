# SPDX-License-Identifier: Apache-2.0
"""Fits the few free parameters of a testbed to the published figures that it may be fitted to.

`scenarios/TESTBED/calibration/calibration.toml` names parameters with bounds, and cases. The fit is
a bounded least-squares of the relative errors (scipy: a trust-region method, which needs few runs).
Every run stays in the output folder and is not repeated, so an interrupted fit goes on where it
stopped. Results: `fit.json` and `calibration.md` with value, bounds, errors and sensitivities.
"""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from rich.console import Console

from longhaul import registry
from longhaul.errors import Interrupted, LonghaulError, UsageError
from longhaul.nearest import did_you_mean
from longhaul.outdir import is_whole, write_json, write_text
from longhaul.paths import ROOT
from longhaul.process import ending_signals_raise
from longhaul.published.reference import lookup
from longhaul.runs import child_runs

MOST_STEPS = 6
STEP = 0.1  # of a parameter's range: differences must stand out of the granularity of a run
TOLERANCE = 0.01  # of the parameters' scaled change and of the sum of squares: runs are no smoother


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Parameter(_Strict):
    """A free parameter, as `--param` names it."""

    name: str
    start: float
    least: float
    most: float
    why: str
    integer: bool = False

    def text(self, value: float) -> str:
        """Return the `--param` text of a value, with the digits that are fitted."""
        return f"{self.name}={round(value) if self.integer else round(value, 3)}"


class Case(_Strict):
    """A published figure and the run that gives the model's."""

    scenario: str
    set: tuple[str, ...]
    published: float
    source: str


class Plan(_Strict):
    """All of a calibration."""

    description: str
    note: str = ""  # of the fit whose report is kept
    set: tuple[str, ...] = ()
    figure: str
    parameters: tuple[Parameter, ...] = Field(alias="parameter", min_length=1)
    cases: tuple[Case, ...] = Field(alias="case", min_length=1)


@dataclass(frozen=True)
class Fit:
    """The result: a value per parameter, the model's figures, and their slopes.

    `slopes[i][j]` is the change of case j, in percent, when parameter i rises by STEP of its range.
    """

    values: tuple[float, ...]
    figures: tuple[float, ...]
    slopes: tuple[tuple[float, ...], ...]
    runs: int


def find(testbed: str, duration: str = "1s") -> tuple[Plan, Path]:
    """Return a testbed's plan and its file; a UsageError names the nearest testbed.

    The settings of every run are checked, with the measured time that is asked for.
    """
    plans = (ROOT / "scenarios").glob("*/calibration/calibration.toml")
    known = {path.parts[-3]: path for path in plans}
    if testbed not in known:
        raise UsageError(
            f"there is nothing to calibrate for {testbed}{did_you_mean(testbed, known)}"
        )
    path = known[testbed]
    try:
        plan = Plan.model_validate(tomllib.loads(path.read_text()))
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise LonghaulError(f"{path}: {' '.join(str(error).splitlines()[:3])}") from None
    for case in plan.cases:
        entry = registry.find(case.scenario)
        settings = entry.parse([*plan.set, *case.set, f"duration={duration}"])
        entry.build(settings, seed=1)
    return plan, path


class Runs:
    """Runs cases with parameter values; points that are in the folder already are not run again."""

    def __init__(self, plan: Plan, out: Path, duration: str, say: Callable[[str], None]) -> None:
        self._plan, self._out, self._duration, self._say = plan, out, duration, say
        self.count = 0

    def figures(self, values: Sequence[float]) -> list[float]:
        """Return each case's figure at these values of the parameters."""
        params = [p.text(v) for p, v in zip(self._plan.parameters, values, strict=True)]
        return [self._figure(case, params) for case in self._plan.cases]

    def _figure(self, case: Case, params: Sequence[str]) -> float:
        label = ",".join((*case.set, *params)).replace("*.", "")
        folder = self._out / "runs" / f"{case.scenario},{label},duration={self._duration}"
        if not is_whole(folder):
            self._run(case, params, folder)
        self.count += 1
        results = json.loads((folder / "results.json").read_text())
        found = lookup(results["cases"][0]["measured"], self._plan.figure)
        if not isinstance(found, int | float):
            raise LonghaulError(f"{folder}: has no {self._plan.figure}")
        self._say(f"{label}: {self._plan.figure} {found:.3f}, published {case.published:.3f}")
        return float(found)

    def _run(self, case: Case, params: Sequence[str], folder: Path) -> None:
        sets = (*self._plan.set, *case.set, f"duration={self._duration}")
        command = child_runs.command(case.scenario, folder, sets, params)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == Interrupted("").exit_code:
            raise Interrupted("interrupted")
        if done.returncode:
            why = child_runs.complaint(done.stderr, done.returncode)
            raise LonghaulError(f"{folder.name}: {why}")


def fit(plan: Plan, runs: Runs) -> Fit:
    """Fit; every parameter is scaled to its range."""
    known: dict[tuple[str, ...], list[float]] = {}

    def values(scaled: Sequence[float]) -> list[float]:
        return [
            p.least + min(max(x, 0.0), 1.0) * (p.most - p.least)
            for p, x in zip(plan.parameters, scaled, strict=True)
        ]

    def errors(scaled: Sequence[float]) -> list[float]:
        at = values(scaled)
        key = tuple(p.text(v) for p, v in zip(plan.parameters, at, strict=True))
        if key not in known:
            known[key] = [
                (figure - case.published) / case.published
                for figure, case in zip(runs.figures(at), plan.cases, strict=True)
            ]
        return known[key]

    def slopes(scaled: Sequence[float]) -> list[list[float]]:
        """Return each case's change of error by each parameter, over STEP of the range."""
        here = [float(x) for x in scaled]
        columns: list[list[float]] = []
        for index, at in enumerate(here):
            step = STEP if at + STEP <= 1 else -STEP
            moved = errors([*here[:index], at + step, *here[index + 1 :]])
            columns.append(
                [(there - e) / step for there, e in zip(moved, errors(here), strict=True)]
            )
        return [list(row) for row in zip(*columns, strict=True)]

    start = [(p.start - p.least) / (p.most - p.least) for p in plan.parameters]
    scipy: Any = import_module("scipy.optimize")  # it has no types
    found: Any = scipy.least_squares(
        errors,
        start,
        jac=slopes,  # scipy's own would take steps relative to a value, too small near a bound
        bounds=(0, 1),
        xtol=TOLERANCE,
        ftol=TOLERANCE,
        max_nfev=MOST_STEPS,
    )
    best_at = [float(x) for x in found.x]
    best = errors(best_at)
    by_case = slopes(best_at)
    by_parameter = tuple(
        tuple(100 * STEP * slope for slope in column) for column in zip(*by_case, strict=True)
    )
    rounded = (
        float(p.text(v).partition("=")[2])
        for p, v in zip(plan.parameters, values(best_at), strict=True)
    )
    figures = (c.published * (1 + error) for c, error in zip(plan.cases, best, strict=True))
    return Fit(tuple(rounded), tuple(figures), by_parameter, runs.count)


def report(testbed: str, plan: Plan, found: Fit, duration: str) -> str:
    """Return calibration.md."""
    lines = [f"# Calibration of {testbed}", "", f"{plan.description}.", ""]
    fixed = ", ".join((*plan.set, f"duration={duration}"))
    lines += [f"Settings of all cases: {fixed}.", ""]
    lines += [f"`./longhaul calibrate {testbed}` repeats this.", ""]
    lines += [plan.note.strip(), ""] if plan.note else []
    lines += ["| parameter | value | bounds | why it is free |", "| --- | --- | --- | --- |"]
    for parameter, value in zip(plan.parameters, found.values, strict=True):
        bounds = f"{parameter.least:g} to {parameter.most:g}"
        lines.append(f"| `{parameter.name}` | {value:g} | {bounds} | {parameter.why} |")
    moves = [f"`{p.name}` + {STEP * (p.most - p.least):g}" for p in plan.parameters]
    grows = f"The last columns are the change of `{plan.figure}` in percent when a parameter grows:"
    lines += ["", grows, ""]
    lines.append("| case | published | model | error, % | " + " | ".join(moves) + " |")
    lines.append("| --- " * (4 + len(moves)) + "|")
    for j, case in enumerate(plan.cases):
        error = 100 * (found.figures[j] - case.published) / case.published
        slopes = " | ".join(f"{found.slopes[i][j]:+.1f}" for i in range(len(moves)))
        figures = f"{case.published:g} | {found.figures[j]:.3f} | {error:+.1f}"
        lines.append(f"| {case.source} | {figures} | {slopes} |")
    return "\n".join(lines) + "\n"


def run(testbed: str, out: Path, duration: str, console: Console) -> Path:
    """Fit and write `fit.json` and `calibration.md` into `out`; return the latter."""
    plan, _ = find(testbed, duration)
    runs = Runs(
        plan, out, duration, lambda line: console.print(line, markup=False, highlight=False)
    )
    with ending_signals_raise():
        found = fit(plan, runs)
    out.mkdir(parents=True, exist_ok=True)
    record: Mapping[str, Any] = {
        "testbed": testbed,
        "duration": duration,
        "parameters": {
            p.name: value for p, value in zip(plan.parameters, found.values, strict=True)
        },
        "cases": [
            {"source": case.source, "published": case.published, "model": figure}
            for case, figure in zip(plan.cases, found.figures, strict=True)
        ],
        "runs": found.runs,
    }
    write_json(out / "fit.json", record)
    write_text(out / "calibration.md", report(testbed, plan, found, duration))
    return out / "calibration.md"
