# SPDX-License-Identifier: Apache-2.0
"""Runs jobs on the workers of a Dask cluster that see the same files at the same paths.

A worker starts the command line as it stands here: checkout, Python environment, cache and results
are on a file system that all share. It needs no code of ours, but the same release of Dask.
"""

from __future__ import annotations

import logging
import os
import re
import time
import uuid
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from subprocess import DEVNULL, CompletedProcess, run
from typing import Any

from longhaul.errors import LonghaulError, UsageError
from longhaul.paths import BUILD, ROOT, cache_dir
from longhaul.runs.child_runs import LONGHAUL, Ended, Job, verdict
from longhaul.workspace.current import VARIABLE

ANSWER_S = 10.0  # for a scheduler to answer
WORKER_S = 30.0  # for the first worker to come, and for one to come back
LOOK_S = 2.0  # between looks at the cluster
_ADDRESS = re.compile(r"(?:[a-z+]+://)?(?:\[[0-9a-fA-F:]+\]|[^\s:/\[\]]+):[0-9]{1,5}")
RESUME = "the same command goes on with what is left"


class Cluster:
    """A client of a Dask scheduler, for the length of a `with`."""

    def __init__(self, address: str, witness: Path, say: Callable[[str], None]) -> None:
        """Connect; `witness` is a file of the sweep that every worker must see.

        `say` takes news of the cluster, a line each.
        """
        if not _ADDRESS.fullmatch(address):
            raise UsageError(f"--scheduler {address}: write host:port, such as tcp://host:8786")
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what ends in one line of ours
        distributed: Any = import_module("distributed")
        self.where = self._address = address
        self._say = say
        self._jobs: dict[str, tuple[Job, Any]] = {}
        self._mark = uuid.uuid4().hex[:8]
        self._looked = self._with_workers = time.monotonic()
        self._workers: dict[str, int] = {}  # threads by address
        try:
            self._client = distributed.Client(address, timeout=ANSWER_S, set_as_default=False)
        except (OSError, ValueError):
            raise LonghaulError(
                f"no Dask scheduler answers at {address}; `dask scheduler` starts one"
            ) from None
        try:
            self._meet(witness)
        except BaseException:
            self._client.close()
            raise

    def _meet(self, witness: Path) -> None:
        """Wait for a worker, and refuse workers that have other files than we have."""
        deadline = time.monotonic() + WORKER_S
        while not self._workers:
            self._workers = self._threads()
            if time.monotonic() > deadline:
                raise LonghaulError(
                    f"the scheduler at {self._address} has no worker; "
                    f"`dask worker {self._address}` starts one"
                )
            time.sleep(0.2)
        threads = sum(self._workers.values())
        self.where = f"{self._address} ({len(self._workers)} workers, {threads} runs side by side)"
        look = ["sh", "-c", 'test -x "$0" && test -d "$1" && cat "$2"']
        look += [LONGHAUL[0], str(ROOT), str(witness.absolute())]
        seen: dict[str, CompletedProcess[bytes]]
        seen = self._client.run(run, look, capture_output=True, check=False)
        strange = sorted(w for w, done in seen.items() if done.stdout != witness.read_bytes())
        if strange:
            raise LonghaulError(
                f"{strange[0]} does not see {witness.parent}, {ROOT} and {LONGHAUL[0]} as this "
                "machine does; workers need the same file system, at the same paths"
            )

    def _threads(self) -> dict[str, int]:
        workers: dict[str, Any] = self._client.scheduler_info()["workers"]
        return {name: int(worker["nthreads"]) for name, worker in workers.items()}

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        """Drop queued runs; a running one ends when it finds that its sweep has ended."""
        try:
            if self._client.status == "running":
                futures = [future for _, future in self._jobs.values()]
                self._client.cancel(futures, force=True)
        except Exception as error:  # whatever a dying cluster may raise; it is being left
            logging.getLogger(__name__).debug("%s", error)
        self._client.close(timeout=LOOK_S)

    def full(self) -> bool:
        """Tell whether every thread of the workers has a job.

        Waiting jobs stay here. The scheduler would give them to workers at once, without knowing
        how long they take: long runs would queue behind each other while other workers idle.
        """
        return len(self._jobs) >= sum(self._workers.values())

    def start(self, job: Job) -> None:
        """Give a job to the scheduler."""
        passed = {"LONGHAUL_ROOT": str(ROOT), "XDG_CACHE_HOME": str(cache_dir().parent)}
        passed |= {name: os.environ[name] for name in (BUILD, VARIABLE) if name in os.environ}
        passed["PYTHONPATH"] = os.environ.get("PYTHONPATH", "")
        words = ["sh", "-c", 'cd "$0" && log=$1 && shift && exec env "$@" >"$log" 2>&1']
        words += [str(Path.cwd()), str(job.log.absolute())]
        words += [*(f"{name}={value}" for name, value in passed.items()), *job.command]
        future = self._client.submit(
            run, words, stdin=DEVNULL, pure=False, key=f"{job.name}-{self._mark}"
        )
        self._jobs[job.name] = job, future

    def ended(self) -> list[Ended]:
        """Return the jobs that ended in the last tenth of a second.

        A LonghaulError says that the scheduler was lost, or all its workers.
        """
        time.sleep(0.1)
        self._look()
        found: list[Ended] = []
        for name, (job, future) in list(self._jobs.items()):
            if future.status in ("finished", "error"):
                del self._jobs[name]
                found.append(self._verdict(job, future))
        return found

    def _verdict(self, job: Job, future: Any) -> Ended:
        try:
            return verdict(job, future.result(timeout=ANSWER_S).returncode)
        except Exception as error:  # of Dask: the job itself raises nothing
            why = f"its workers died, or could not start it ({type(error).__name__})"
            return Ended(job.name, None, why)

    def _look(self) -> None:
        if self._client.status != "running":
            raise LonghaulError(f"the scheduler at {self._address} was lost; {RESUME}")
        now = time.monotonic()
        if now - self._looked < LOOK_S:
            return
        self._looked = now
        try:
            there = self._threads()
        except OSError:
            return  # the next look sees the client's state
        for gone in sorted(self._workers.keys() - there.keys()):
            self._say(f"lost worker {gone}; others do its runs")
        for come in sorted(there.keys() - self._workers.keys()):
            self._say(f"worker {come} joined: {there[come]} runs more side by side")
        self._workers = there
        if self._workers:
            self._with_workers = now
        elif now - self._with_workers > WORKER_S:
            raise LonghaulError(f"all workers of {self._address} were lost; {RESUME}")
