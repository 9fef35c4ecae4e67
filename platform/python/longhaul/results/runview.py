# SPDX-License-Identifier: Apache-2.0
"""A finished run as reports and comparisons read it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from longhaul import json_file
from longhaul.errors import UsageError
from longhaul.outdir import MANIFEST, RESULTS, is_whole, partial_path
from longhaul.results import directions
from longhaul.results.repetition import Repetition, finished_in

SWEEP = "sweep.json"  # in a sweep's folder: what it is a sweep of


class _Shape(BaseModel):
    """The model that a file is read with; built at its first use, so never in a run's process."""

    model_config = ConfigDict(defer_build=True)


class _Verdict(_Shape):
    what: str
    why: str
    evidence: dict[str, float]


class _Case(_Shape):
    case: dict[str, Any]
    measured: dict[str, Any]
    own: list[str] = []
    own_of: str = ""
    reference: dict[str, float]
    error_pct: dict[str, float]
    error_reason: dict[str, str] = {}
    bottleneck: _Verdict
    bottleneck_by_direction: dict[str, _Verdict] = {}


class _Results(_Shape):
    """The keys of results.json that reports and comparisons rely on."""

    scenario: str
    simulated_s: float
    wall_s: float
    window_wall_s: float = 0.0
    cases: list[_Case] = Field(min_length=1)


class _Kernel(_Shape):
    version: str
    key: str


class _Versions(_Shape):
    longhaul: str
    commit: str
    guest_kernel: _Kernel | None = None


class _Checksums(_Shape):
    simulator: str
    drivers: dict[str, str] = {}


class _Window(_Shape):
    begin_ps: int
    end_ps: int


class _Setting(_Shape):
    name: str
    value: str | bool | int | float
    evidence: str
    source: str
    help: str


class _Parameter(_Shape):
    object: str
    name: str
    value: str | bool | int | float
    unit: str
    evidence: str
    source: str
    set: bool


class _Manifest(_Shape):
    """The keys of manifest.json that they rely on."""

    title: str
    seed: int
    layout: int = 0
    settings: list[_Setting]
    parameters: list[_Parameter]
    versions: _Versions
    checksums: _Checksums
    changed: dict[str, Any]
    window: _Window | None = None
    roles: dict[str, str] = {}
    adapters: dict[str, str] = {}


def _read(path: Path, shape: type[BaseModel]) -> dict[str, Any]:
    """Read a file of a run; a UsageError says what is wrong with it and where."""
    try:
        data: Any = json_file.read(path)
        shape.model_validate(data)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise UsageError(
            f"{path}: not as a run writes it ({place or 'all'}: {first['msg']})"
        ) from None
    except ValueError as error:  # no JSON, no UTF-8
        raise UsageError(f"{path}: no JSON ({error})") from None
    return data


# Further figures of modelled hosts, beside those of the first workload's two hosts.
OF_ALL_WORKLOADS = ("all_goodput_gbps", "transactions_per_s", "connections_per_s")


@dataclass(frozen=True)
class RunView:
    """One run's folder with its results and manifest."""

    folder: Path
    results: dict[str, Any]
    manifest: dict[str, Any]

    @classmethod
    def load(cls, folder: Path) -> RunView:
        """Read a finished run; a UsageError says why a folder is none."""
        if not is_whole(folder):
            if partial_path(folder).is_dir():
                raise UsageError(f"{folder}: this run was interrupted; it has no results")
            if (folder / SWEEP).is_file():
                raise UsageError(f"{folder}: a sweep; name one of the runs in it")
            if finished_in(folder):
                raise UsageError(f"{folder}: repeated runs; name one of the runs in it")
            missing = MANIFEST if (folder / RESULTS).is_file() else RESULTS
            raise UsageError(f"{folder}: no finished run (there is no {missing})")
        return cls(folder, _read(folder / RESULTS, _Results), _read(folder / MANIFEST, _Manifest))

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.absolute().name

    @property
    def case(self) -> dict[str, Any]:
        """The run's (first) case."""
        return self.results["cases"][0]

    @property
    def measured(self) -> dict[str, Any]:
        """The run's figures."""
        return self.case["measured"]

    @property
    def console(self) -> str:
        """A note on the figures if a console was open; empty if none was."""
        return self.results.get("console", {}).get("note", "")

    @property
    def headline(self) -> tuple[str, ...]:
        """Names of the figures to show first; the scenario's own are the last."""
        together = (name for name in OF_ALL_WORKLOADS if name in self.measured)
        main, *others = directions.notable(self.measured)
        timed = main.of(self.measured, "rtt_ms") is not None
        on_path = main.of(self.measured, "path_rtt_ms") is not None
        rtt = "path_rtt_ms" if on_path and not timed else "rtt_ms"
        first = ("goodput_gbps", "wire_gbps", rtt, "retransmits")
        figures = [main.key(name) for name in first]
        figures += [other.key("goodput_gbps") for other in others]
        return tuple(dict.fromkeys((*together, *figures, *self.case.get("own", ()))))

    @property
    def direction(self) -> str:
        """The direction of the main figure, "sender to receiver"; empty where no data are."""
        main = directions.main(self.measured)
        return main.name if main.of(self.measured, "goodput_gbps") is not None else ""

    @property
    def other_verdicts(self) -> dict[str, dict[str, Any]]:
        """The verdict of the other direction, if that carried user data, too."""
        found: dict[str, dict[str, Any]] = self.case.get("bottleneck_by_direction", {})
        main = directions.main(self.measured).name  # a ping's too, which carries no user data
        return {name: each for name, each in found.items() if name != main}

    @property
    def window_speed(self) -> float | None:
        """Seconds of wall for a simulated second of the measured window; None if not known."""
        wall: float = self.results.get("window_wall_s", 0.0)
        seconds = self.measured.get("window_s")
        return wall / seconds if wall and seconds else None

    @property
    def own_heading(self) -> str:
        """The words ahead of the scenario's own figures if they are not of the window."""
        of = self.case.get("own_of")
        return f"of {of}:" if of else ""

    @property
    def roles(self) -> dict[str, str]:
        """Machine names by role."""
        return self.manifest.get("roles", {"sender": "sender", "receiver": "receiver"})

    @property
    def adapters(self) -> dict[str, str]:
        """Names of the adapters that the workload was on, by role."""
        return self.manifest.get("adapters", dict.fromkeys(self.roles, "eth0"))


def flatten(measured: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, float]]:
    """Yield every number of `measured` under its dotted name; texts and nulls are left out."""
    for name, value in measured.items():
        if isinstance(value, Mapping):
            yield from flatten(value, f"{prefix}{name}.")  # pyright: ignore[reportUnknownArgumentType]
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield f"{prefix}{name}", value


def runs_in(folder: Path) -> list[RunView]:
    """Return the run in a folder, or all finished runs of a sweep or of repetitions."""
    if (folder / SWEEP).is_file() or finished_in(folder):
        points = sorted(child for child in folder.iterdir() if not Repetition.named(child.name))
        children = [child for child in points if is_whole(child)]
        children += [run for point in (folder, *points) for run in finished_in(point)]
        if not children:
            raise UsageError(f"{folder}: no run of this sweep has finished")
        return [RunView.load(child) for child in children]
    return [RunView.load(folder)]
