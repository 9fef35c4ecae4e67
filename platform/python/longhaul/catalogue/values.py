# SPDX-License-Identifier: Apache-2.0
"""Values of the catalogue's figures as they were last read: platform/config/results/values.json."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, RootModel, ValidationError

from longhaul import file_lock, json_file
from longhaul.catalogue.entry import FOLDER
from longhaul.errors import LonghaulError
from longhaul.outdir import write_json
from longhaul.paths import cache_dir

FILE = FOLDER / "values.json"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Published(_Strict):
    """The model's figure of a scenario's case, which a paper prints or draws.

    `limited_by` is the run's verdict. `spread` is what repeated runs have of the figure, as in
    results.json.
    """

    scenario: str
    case: tuple[str, ...]
    figure: str
    value: float
    limited_by: str = ""
    spread: dict[str, Any] | None = None

    @property
    def key(self) -> str:
        """What the figure is, for a message."""
        return f"{self.scenario} {' '.join(self.case)}: {self.figure}"


class Values(_Strict):
    """What one measurement gave: when, at which commit, on which machine, and its figures.

    `printed` ones were entered from what a command printed, and have no more digits than that.
    """

    date: str
    commit: str
    machine: str
    printed: bool = False
    figures: dict[str, float] = {}
    published: tuple[Published, ...] = ()


class _File(RootModel[dict[str, Values]]):
    pass


def load(path: Path = FILE) -> dict[str, Values]:
    """Return the values by name of the measurement; none without the file."""
    if not path.exists():
        return {}
    try:
        return _File.model_validate(json_file.read(path)).root
    except (ValueError, ValidationError) as error:
        said = " ".join(str(error).splitlines()[:3])
        raise LonghaulError(f"{path}: holds no values of figures ({said})") from None


def save(values: Mapping[str, Values], path: Path = FILE) -> None:
    """Write all values; the same values give the same bytes."""
    plain = {
        name: each.model_dump(exclude_defaults=True, mode="json")
        for name, each in sorted(values.items())
    }
    write_json(path, plain)


def add(name: str, found: Values, path: Path = FILE) -> None:
    """Put a measurement's values beside the others; another process may do so at the same time."""
    with file_lock.held(cache_dir() / "results.lock"):
        save(load(path) | {name: found}, path)
