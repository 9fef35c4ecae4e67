# SPDX-License-Identifier: Apache-2.0
"""Runs the command of a measurement and reads its figures."""

from __future__ import annotations

import datetime
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from longhaul import json_file
from longhaul.catalogue import machine, reading
from longhaul.catalogue.entry import Measurement
from longhaul.catalogue.values import Published, Values
from longhaul.errors import Interrupted, LonghaulError
from longhaul.paths import ROOT
from longhaul.process import ending_signals_raise, no_strays
from longhaul.runs.child_runs import LONGHAUL, complaint
from longhaul.workspace import creation, current, kinds

FIGURES = "figures.json"
WITH_OUT = ("run", "report", "golden", "validate", "attack", "sweep", "study", "calibrate")
_NAME = "mynic"  # of a fresh workspace


def make(one: Measurement, commit: str, *, kept: Path | None = None) -> Values:
    """Run a command and return its figures; a LonghaulError says why there are none.

    `kept` is the folder of a report's runs, which are made once; else all is made again.
    Meanwhile `log(one)` shows what the command says of its progress.
    """
    today = datetime.date.today().isoformat()
    with tempfile.TemporaryDirectory(prefix="longhaul-results-") as scratch:
        folder = Path(scratch) / "out"
        text = _run(one, folder, Path(scratch), kept)
        output = reading.Output(folder, text)
        figures = {each.what: reading.value(each, output) for each in one.figures}
        published = _published(folder / FIGURES) if one.published else ()
    return Values(
        date=today,
        commit=commit,
        machine=machine.described(),
        figures=figures,
        published=published,
    )


def log(one: Measurement) -> Path:
    """Return the file that takes what a measurement's command says beside its results."""
    return ROOT / "out" / "results" / f"{one.name}.log"


def kept() -> Path:
    """Return the folder in which `report --all` keeps its runs."""
    return ROOT / "out" / "report"


def words(one: Measurement, folder: Path, kept: Path | None = None) -> list[str]:
    """Return the command that gives the figures, with its results in `folder` if it has any.

    A report's page and figures are there, too, but its runs in `kept` if that is given.
    """
    asked = one.words()[1]
    out = ["--out", str(folder)] if asked[0] in WITH_OUT else []
    if asked[0] == "report" and kept:
        out = ["--out", str(kept), "--html", str(folder / "report.html")]
    return [*LONGHAUL, *asked, *out]


def _run(one: Measurement, folder: Path, scratch: Path, kept: Path | None) -> str:
    """Run the command; return what it printed. Nothing that it started outlives this call."""
    if one.needs and shutil.which(one.needs) is None:
        raise LonghaulError(f"{one.name}: needs {one.needs}, which is not here")
    place = ROOT
    if one.workspace:
        place = scratch / _NAME
        creation.make(kinds.find(one.workspace), _NAME, place)
    command, told = words(one, folder, kept), log(one)
    told.parent.mkdir(parents=True, exist_ok=True)
    with ending_signals_raise(), no_strays(), told.open("w") as errors:
        process = subprocess.Popen(
            command,
            cwd=place,
            env=_environment(one, place),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        )
        try:
            text, _ = process.communicate()
        except BaseException:
            process.terminate()
            process.wait()
            raise
    if process.returncode == Interrupted.exit_code:
        raise Interrupted(f"{one.name}: was interrupted")
    if process.returncode and not (one.verdict and process.returncode == 1):
        why = complaint(told.read_text(errors="replace") or text, process.returncode)
        raise LonghaulError(f"{one.name}: {why}")
    return text


def _environment(one: Measurement, place: Path) -> dict[str, str]:
    """Return the environment as ./longhaul makes it of what the command says.

    A command that is typed in a workspace takes that one, whatever this process is in.
    """
    given = one.words()[0]
    package = str(ROOT / "platform" / "python")
    path = os.pathsep.join(filter(None, [package, given.get("PYTHONPATH", "")]))
    python = str(Path(sys.executable).parent)
    programs = f"{python}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    mine = {current.VARIABLE: str(place)} if one.workspace else {}
    return os.environ | given | mine | {"PYTHONPATH": path, "PATH": programs}


def _published(path: Path) -> tuple[Published, ...]:
    try:
        listed: Sequence[dict[str, Any]] = json_file.read(path)
    except (OSError, ValueError) as error:
        raise LonghaulError(f"{path}: cannot be read ({error})") from None
    missing = [each for each in listed if each["model"] is None]
    if missing:
        first = missing[0]
        raise LonghaulError(f"{path}: {first['scenario']} {first['case']} has no {first['figure']}")
    return tuple(
        Published(
            scenario=each["scenario"],
            case=tuple(each["case"]),
            figure=each["figure"],
            value=each["model"],
            limited_by=each["limited_by"],
            spread=_spread(each),
        )
        for each in listed
    )


def _spread(each: dict[str, Any]) -> dict[str, Any] | None:
    """Return the part of a repeated figure's spread that a comparison needs."""
    if "runs" not in each:
        return None
    return {"n": each["runs"], "mean": each["model"], "sd": each["sd"], "ci95": each["ci95"]}
