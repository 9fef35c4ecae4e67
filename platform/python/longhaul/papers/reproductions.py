# SPDX-License-Identifier: Apache-2.0
"""Every published figure of the tree: which runs it is compared with, and how far they are off.

A scenario with reference data has a row for each published case. Its runs lie in a folder whose
name ends in a key of all that they depend on, so runs are repeated only when that has changed.
"""

from __future__ import annotations

import hashlib
import json
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from longhaul import registry, schema
from longhaul.answers import sha256
from longhaul.errors import Interrupted, LonghaulError, UsageError
from longhaul.guest import kernel
from longhaul.outdir import MANIFEST
from longhaul.published.reasons import LIMIT_PCT, is_far
from longhaul.published.reference import Row, errors_pct, lookup
from longhaul.registry import ScenarioEntry
from longhaul.sweeps import repeats, sweep
from longhaul.sweeps.intervals import Sample, welch
from longhaul.sweeps.points import Case, Point, Status, split
from longhaul.topology import Scenario
from longhaul.units import s
from longhaul.workspace import current

GOAL_PCT = 7.0  # the median of all errors


@dataclass(frozen=True)
class Compared:
    """A published figure beside the model's.

    `published` is as printed; `expected` the same in the model's unit, None for the row that a
    figure without a unit is relative to. `fitted`: a parameter was fitted to it.
    """

    point: Point
    name: str
    published: float
    expected: float | None
    model: float | None
    source: str
    note: str
    reason: str
    fitted: bool = False
    within: str = ""  # of repeated runs, as `repeats.beside` says; empty: nobody can tell
    error_ci95_pct: tuple[float, float] | None = None

    @property
    def spread(self) -> dict[str, Any] | None:
        """The figure over repeated runs."""
        return self.point.spread(self.name)

    @property
    def error_pct(self) -> float | None:
        """How far the model is off, in percent of what was published; None if nobody can tell."""
        if self.expected is None:
            return None
        return errors_pct({"it": self.model}, {"it": self.expected}).get("it")

    @property
    def is_far(self) -> bool:
        """Tell whether a reason has to be stated."""
        return is_far(self.error_pct)


@dataclass(frozen=True)
class Fitted:
    """A parameter that was fitted: to what, its value, and where it was used."""

    name: str
    value: str
    source: str


@dataclass(frozen=True)
class Reproduction:
    """A scenario with reference data, its runs, and what came of them."""

    entry: ScenarioEntry
    plan: sweep.Plan
    failed: str = ""  # why not all of its runs were done
    points: tuple[Point, ...] = ()
    figures: tuple[Compared, ...] = ()
    fitted: tuple[Fitted, ...] = field(default=())

    @property
    def paper(self) -> str:
        """The paper's short name."""
        return self.entry.paper

    def loaded(self, failed: str = "") -> Reproduction:
        """Return the same with what its folder has now."""
        entry, plan = self.entry, self.plan
        points, figures = compare(entry, plan.fixed, plan.points(entry))
        manifests = (plan.out / run.name / MANIFEST for run in plan.runs())
        fitted = _fitted(path for path in manifests if path.is_file())
        return replace(self, failed=failed, points=points, figures=figures, fitted=fitted)


def planned(
    names: Sequence[str], out: Path, *, quick: bool, simulator: Path, repeat: int = 1
) -> list[Reproduction]:
    """Return what is to be run, of the scenarios named or of all that have reference data.

    All are those of the workspace in use if it has any, else the tree's.
    """
    own = registry.of_workspace(current.given())
    all_of = own or registry.scenarios()
    entries = [registry.find(name) for name in names] if names else list(all_of.values())
    bare = next((e for e in entries if names and not e.references.rows), None)
    if bare:
        place = bare.folder if bare.own else Path("scenarios") / bare.name
        raise UsageError(f"{bare.name} has no reference data: {place / 'reference.json'}")
    checksum = sha256(simulator) if simulator.is_file() else ""
    return [
        Reproduction(entry, _plan(entry, out, quick=quick, simulator=checksum, repeat=repeat))
        for entry in entries
        if entry.references.rows and entry.reproduces
    ]


def _plan(
    entry: ScenarioEntry, out: Path, *, quick: bool, simulator: str, repeat: int
) -> sweep.Plan:
    given = list(entry.quick) if quick else []
    cases = entry.cases(given) or _rows(entry)
    built = [entry.build(entry.parse_case(given, case), 1) for case in cases]
    folder = out / f"{entry.name}-{_key(entry, built, simulator)}"
    folder = folder.with_name(f"{folder.name}-repeated") if repeat > 1 else folder
    return sweep.plan_cases(entry.spec, cases, given, folder, 1, repeat=repeat)


def _rows(entry: ScenarioEntry) -> list[Case]:
    """Return a case for each row of the reference data, where the scenario has no cases itself."""
    references = entry.references
    return list(dict.fromkeys(references.assignments(row) for row in references.rows))


def _key(entry: ScenarioEntry, built: Iterable[Scenario], simulator: str) -> str:
    """Return a checksum of what runs depend on: simulator, kernel, machines, what is measured."""
    whole = hashlib.sha256((entry.folder / "scenario.py").read_bytes())
    whole.update(json.dumps(entry.checksums()).encode() if entry.own else b"")
    whole.update(simulator.encode())
    for scenario in built:
        config = scenario.config(
            out=Path(),
            files=Path("/"),
            kernel=None,
            kernel_blocks=None,
            guest_root=None,
            observe=schema.Observe(),
            limit=s(1),
        )
        whole.update(config.model_dump_json().encode())
        if scenario.has_guests():
            whole.update(kernel.key().encode())
            told = [scenario.guest_settings(), scenario.adapter_settings()]
            whole.update(json.dumps(told, sort_keys=True).encode())
    return whole.hexdigest()[:12]


def compare(
    entry: ScenarioEntry, fixed: Sequence[str], points: Sequence[Point]
) -> tuple[tuple[Point, ...], tuple[Compared, ...]]:
    """Return points with the reference data of today, and a comparison for each figure of theirs.

    `fixed` are the settings of all points.
    A figure without a unit is drawn and compared in the model's, by the row that it is relative to.
    """
    references = entry.references
    parsed = [entry.parse_case(fixed, split(point.case)[0]) for point in points]
    rows = [references.match(settings) for settings in parsed]
    units: dict[str, float] = {}
    bases: dict[str, Point] = {}
    for name, where in references.relative.items():
        for point, settings, row in zip(points, parsed, rows, strict=True):
            model = _number(point.measured, name)
            if row and references.fits(where, settings) and model and row.reference.get(name):
                units[name], bases[name] = model / row.reference[name], point
    shown: list[Point] = []
    figures: list[Compared] = []
    for point, row in zip(points, rows, strict=True):
        if row is None:
            shown.append(_with_reference(point, {}))
            continue
        expected = {
            name: value * units.get(name, 1.0)
            for name, value in row.reference.items()
            if name in units or name not in references.relative
        }
        shown.append(_with_reference(point, expected))
        figures += [
            _compared(point, row, name, expected.get(name), bases.get(name))
            for name in row.reference
        ]
    return tuple(shown), tuple(figures)


def _compared(
    point: Point, row: Row, name: str, expected: float | None, base: Point | None
) -> Compared:
    """Compare a figure; `base` is the point that a figure without a unit is relative to."""
    within, errors = "", None
    spread = point.spread(name)
    if spread and expected is not None and base is None:
        found = repeats.beside(Sample.from_json(spread), expected)
        within, errors = found["within"], found["error_ci95_pct"]
    elif spread and expected and base and base is not point:
        within, errors = _beside_ratio(spread, base.spread(name), expected)
    return Compared(
        point,
        name,
        row.reference[name],
        None if base is point else expected,
        _number(point.measured, name),
        row.source,
        row.note,
        row.reason_of(name),
        name in row.fitted,
        within,
        (errors[0], errors[1]) if errors else None,
    )


def _beside_ratio(
    spread: Mapping[str, Any], of_base: Mapping[str, Any] | None, expected: float
) -> tuple[str, tuple[float, float] | None]:
    """Return where a figure lies whose expected value is itself of repeated runs."""
    if not of_base or not of_base["mean"]:
        return "", None
    base = Sample.from_json(of_base).scaled(expected / of_base["mean"])
    found = welch(base, Sample.from_json(spread))
    if found is None or found.interval is None:
        return "no spread", None
    low, high = found.interval
    errors = (100 * low / expected, 100 * high / expected)
    return "interval" if low <= 0 <= high else "no", errors


def _with_reference(point: Point, reference: Mapping[str, float]) -> Point:
    if point.result is None:
        return point
    errors = errors_pct(point.measured, reference)
    return replace(point, result=point.result | {"reference": dict(reference), "error_pct": errors})


def _number(measured: Mapping[str, Any], name: str) -> float | None:
    value = lookup(measured, name)
    return float(value) if isinstance(value, int | float) else None


def _fitted(manifests: Iterable[Path]) -> tuple[Fitted, ...]:
    """Return the fitted parameters of some runs, each object's once whatever its machine."""
    found: dict[Fitted, None] = {}
    for path in manifests:
        for param in json.loads(path.read_text())["parameters"]:
            if param["evidence"] == "fitted":
                _, _, place = param["object"].rpartition(".")
                name = f"{place}.{param['name']}"
                found[Fitted(name, str(param["value"]), param["source"])] = None
    return tuple(sorted(found, key=lambda each: (each.name, each.value)))


def _median(errors: Sequence[float]) -> float | None:
    return statistics.median(errors) if errors else None


@dataclass(frozen=True)
class Summary:
    """How far the figures of some reproductions are off, all together."""

    figures: int
    missing: int  # no run, or the run has no such figure
    fitted: int  # of the figures
    median_pct: float | None
    predicted_pct: float | None  # the median of those that nothing was fitted to
    worst: Compared | None
    far: tuple[Compared, ...]  # beyond the limit
    unreasoned: int  # of those, without a stated reason
    told: int = 0  # figures of repeated runs that tell error from chance
    chance: int = 0  # of those, whose published figure lies in the mean's interval

    @classmethod
    def of(cls, all_of: Iterable[Reproduction]) -> Summary:
        """Sum up."""
        figures = [each for one in all_of for each in one.figures]
        compared = [each for each in figures if each.error_pct is not None]
        errors = [abs(each.error_pct or 0.0) for each in compared]
        predicted = [abs(each.error_pct or 0.0) for each in compared if not each.fitted]
        far = tuple(each for each in compared if each.is_far)
        return cls(
            len(compared),
            sum(each.model is None for each in figures),
            len(errors) - len(predicted),
            _median(errors),
            _median(predicted),
            max(compared, key=lambda each: abs(each.error_pct or 0.0), default=None),
            far,
            sum(not each.reason for each in far),
            sum(each.within in ("interval", "run", "no") for each in compared),
            sum(each.within == "interval" for each in compared),
        )

    def text(self) -> str:
        """Return it as one line."""
        if self.median_pct is None or self.worst is None:
            return f"no figures yet; {self.missing} missing"
        worst = f"{self.worst.source}, {self.worst.error_pct:+.1f} %"
        far = f"{len(self.far)} beyond {LIMIT_PCT:.0f} %"
        unreasoned = f" ({self.unreasoned} without a stated reason)" if self.unreasoned else ""
        missing = f"; {self.missing} missing" if self.missing else ""
        median = f"median error {self.median_pct:.1f} %"
        if self.fitted and self.predicted_pct is not None:
            median += f" ({self.predicted_pct:.1f} % without {self.fitted} that were fitted to)"
        chance = f"; {self.chance} of {self.told} within chance (95 %)" if self.told else ""
        return (
            f"{self.figures} figures, {median}, worst {worst}; {far}{unreasoned}{chance}{missing}"
        )


def run(
    all_of: Sequence[Reproduction],
    carry_out: Callable[[sweep.Plan], None],
    write: Callable[[Sequence[Reproduction]], None],
) -> list[Reproduction]:
    """Run what is missing, one scenario after the other, and write the page after each.

    A scenario whose runs fail does not keep others from theirs.
    """
    done = [one.loaded() for one in all_of]
    for index, one in enumerate(all_of):
        failed = ""
        try:
            if any(point.status is not Status.DONE for point in done[index].points):
                carry_out(one.plan)
        except Interrupted:
            raise
        except LonghaulError as error:
            failed = str(error)
        finally:
            done[index] = one.loaded(failed)
            write(done)
    return done
