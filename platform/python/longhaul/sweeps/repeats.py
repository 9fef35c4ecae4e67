# SPDX-License-Identifier: Apache-2.0
"""Repetitions of a run: other seeds and layouts, told as means with spreads and intervals.

Each repetition is a run in a folder of its own, named after its seed and layout. Together they are
a point like any other: its figures are means, and its case has a `repeat` with what is behind them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from longhaul.published.reference import errors_pct
from longhaul.results.repetition import Repetition
from longhaul.results.runview import flatten
from longhaul.results.steadiness import STEADY
from longhaul.sweeps.intervals import Sample
from longhaul.sweeps.points import Point, Status


def merged(name: str, points: Mapping[Repetition, Point]) -> Point:
    """Return a point's repetitions as one point, whose figures are means of those that are done.

    It is failed if one of them is, else missing if one of them is.
    """
    first = next(iter(points.values()))
    done = {each: point for each, point in points.items() if point.result}
    status, why = Status.DONE, ""
    for wanted in (Status.FAILED, Status.MISSING):
        found = [(each, point) for each, point in points.items() if point.status is wanted]
        if found:
            each, point = found[0]
            status, why = wanted, f"{each.folder}: {point.why}" if point.why else each.folder
            break
    shown = next(iter(done.values()), first)
    return Point(
        first.case,
        name,
        status,
        why,
        shown.settings,
        shown.parameters,
        combined({each: point.result or {} for each, point in done.items()}) if done else None,
        tuple(dict.fromkeys(name for point in done.values() for name in point.headline)),
        sum(point.simulated_s or 0.0 for point in done.values()) if done else None,
        sum(point.wall_s or 0.0 for point in done.values()) if done else None,
        sum(point.window_wall_s or 0.0 for point in done.values()) if done else None,
    )


def combined(cases: Mapping[Repetition, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the cases of results.json of some repetitions as one case, of means."""
    each = list(cases.values())
    first = each[0]
    samples = samples_of([case["measured"] for case in each])
    measured = _means("", [case["measured"] for case in each], samples)
    compared = {name for case in each for name in case["error_pct"]}
    reference: dict[str, float] = dict(first["reference"])
    published = {name: value for name, value in reference.items() if name in compared}
    own = dict.fromkeys(name for case in each for name in case.get("own", ()))
    found: dict[str, Any] = {
        "case": first["case"],
        "measured": measured,
        "own": list(own),
        "own_of": next((case["own_of"] for case in each if case.get("own_of")), ""),
        "reference": reference,
        "error_pct": errors_pct(measured, published),
        "bottleneck": _verdict(each),
        "repeat": {
            "number": len(each),
            "seeds": [one.seed for one in cases],
            "layouts": [one.layout for one in cases],
            "confidence_pct": 95,
            "figures": {name: sample.as_json() for name, sample in samples.items()},
            "bottleneck": dict(_verdicts(each)),
            "published": {
                name: beside(samples[name], value)
                for name, value in published.items()
                if name in samples
            },
        },
    }
    found["error_reason"] = first.get("error_reason", {})
    if "reference_source" in first:
        found["reference_source"] = first["reference_source"]
    steady = [case["steady"] for case in each if case.get("steady")]
    if steady:
        found["steady"] = next((one for one in steady if one["verdict"] != STEADY), steady[0])
        found["repeat"]["steady"] = dict(Counter(one["verdict"] for one in steady))
    return found


def samples_of(measured: Sequence[Mapping[str, Any]]) -> dict[str, Sample]:
    """Return every figure that a repetition has, by its dotted name.

    A counter of drops that a repetition does not name dropped nothing there.
    """
    flat = [dict(flatten(each)) for each in measured]
    names = dict.fromkeys(name for figures in flat for name in figures)
    found: dict[str, Sample] = {}
    for name in names:
        missing = 0.0 if is_drops(name) else None
        sample = Sample.of([figures.get(name, missing) for figures in flat])
        if sample:
            found[name] = sample
    return found


def is_drops(name: str) -> bool:
    """Tell whether a figure is a counter of drops, which a run without drops does not name."""
    return name.startswith(("drops.", "before_window.drops."))


def beside(sample: Sample, published: float) -> dict[str, Any]:
    """Return where a published figure lies: its error's 95 % interval, and what it is within.

    - `interval`: within that of the mean, so the error is chance.
    - `run`: where 95 % of single runs lie. One of them may have been published.
    - `no`: neither.
    - `no spread`: all runs are alike, or there is one run. They tell nothing of chance.
    """
    mean, one = sample.interval(), sample.next_value()
    if mean is None or one is None:
        return {"within": "no spread", "error_ci95_pct": None}
    within = "no"
    if not sample.sd:
        within = "no spread"
    elif mean[0] <= published <= mean[1]:
        within = "interval"
    elif one[0] <= published <= one[1]:
        within = "run"
    errors = [100.0 * (edge - published) / abs(published) for edge in mean] if published else None
    return {"within": within, "error_ci95_pct": errors}


def _means(prefix: str, parts: Sequence[Any], samples: Mapping[str, Sample]) -> dict[str, Any]:
    """Return means under the names of the parts; of texts those that all parts agree in."""
    found: dict[str, Any] = {}
    for name in dict.fromkeys(name for part in parts for name in part):
        values: list[Any] = [part.get(name) for part in parts]
        dotted = f"{prefix}{name}"
        if any(isinstance(value, Mapping) for value in values):
            maps: list[Any] = [value for value in values if isinstance(value, Mapping)]
            found[name] = _means(f"{dotted}.", maps, samples)
        elif dotted in samples:
            found[name] = samples[dotted].mean
        elif all(value == values[0] for value in values):
            found[name] = values[0]
    return found


def _verdicts(cases: Sequence[Mapping[str, Any]]) -> list[tuple[str, int]]:
    """Return every verdict with how many runs have it, the most frequent first."""
    return Counter(case["bottleneck"]["what"] for case in cases).most_common()


def _verdict(cases: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the verdicts as one: how many of the runs each holds for."""
    counts = _verdicts(cases)
    number = len(cases)
    texts = [f"{what} in {count} of {number}" for what, count in counts]
    first = next(c for c in cases if c["bottleneck"]["what"] == counts[0][0])["bottleneck"]
    evidence = samples_of([case["bottleneck"]["evidence"] for case in cases])
    return {
        "what": texts[0],
        "why": "; ".join([*texts[1:], f"{counts[0][0]}, in the first such run: {first['why']}"]),
        "evidence": {name: sample.mean for name, sample in evidence.items()},
    }
