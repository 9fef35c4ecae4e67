# SPDX-License-Identifier: Apache-2.0
"""Several simulations from one script: a process for each, since SystemC cannot begin again."""

# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar, cast

import cloudpickle

from longhaul.errors import LonghaulError
from longhaul.paths import ROOT

PointT = TypeVar("PointT")
FoundT = TypeVar("FoundT")


def each(
    study: Callable[[PointT], FoundT], points: Iterable[PointT], *, jobs: int | None = None
) -> list[FoundT]:
    """Return what `study(point)` returns for each point, every one in a new process of its own.

    `jobs` run side by side, as many as there are cores unless said. `study` may be a function of a
    script or of a notebook's cell. Its arguments and its result must be picklable. The first
    point that fails ends all: a LonghaulError has the point and its last words.
    """
    with ThreadPoolExecutor(jobs or len(os.sched_getaffinity(0))) as pool:
        futures = [pool.submit(_one, study, point) for point in points]
        try:
            return [future.result() for future in futures]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _one(study: Callable[[PointT], FoundT], point: PointT) -> FoundT:
    with tempfile.TemporaryDirectory(prefix="longhaul-each-") as folder:
        asked, found = Path(folder) / "asked", Path(folder) / "found"
        asked.write_bytes(cloudpickle.dumps((study, point)))
        done = subprocess.run(
            [sys.executable, "-m", __name__, str(asked), str(found)],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "LONGHAUL_ROOT": str(ROOT)},
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
            raise LonghaulError(f"point {point!r} failed: {last[0]}")
        return cast(FoundT, pickle.loads(found.read_bytes()))


def _work(asked: Path, found: Path) -> None:
    """Be the process of one point."""
    study, point = pickle.loads(asked.read_bytes())
    found.write_bytes(cloudpickle.dumps(study(point)))


if __name__ == "__main__":
    _work(Path(sys.argv[1]), Path(sys.argv[2]))
