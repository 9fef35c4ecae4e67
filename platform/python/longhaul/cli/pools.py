# SPDX-License-Identifier: Apache-2.0
"""Where commands run what they have many of: on this machine's cores, or on a Dask cluster."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import typer

from longhaul.runs import child_runs
from longhaul.runs.child_runs import Pool


def opener(jobs: int, scheduler: str) -> Callable[[Path], Pool]:
    """Return what opens the pool for the holder of a lock: `jobs` side by side, 0 is one a core."""

    def pool(lock: Path) -> Pool:
        if scheduler:
            from longhaul.sweeps.cluster import Cluster  # for Dask, which few ask for

            return Cluster(scheduler, lock, lambda line: typer.echo(line, err=True))
        return child_runs.Local(jobs or len(os.sched_getaffinity(0)))

    return pool
