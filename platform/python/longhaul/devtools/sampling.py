# SPDX-License-Identifier: Apache-2.0
"""Where the simulator's time goes in a run with RTL: samples of `perf`, by part.

The block is what Verilator made. The glue is what stands between it and the models: clocks,
transactors, protocol checkers, the port map's function.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from longhaul.errors import LonghaulError
from longhaul.paths import ROOT, simulator
from longhaul.runs.child_runs import LONGHAUL
from longhaul.workspace import current
from longhaul.workspace.folder import FILE

BLOCK, GLUE, KERNEL, REST = "block", "glue", "SystemC's kernel", "models and the rest"
PARTS = (BLOCK, GLUE, KERNEL, REST)
RATE_HZ = 2000
# The RTL object's template that the glue brings into it.
_GLUE = re.compile(r"longhaul::(cosim|portmap)::")


def need_perf(name: str) -> None:
    """Raise a LonghaulError if benchmark `name` cannot sample."""
    if shutil.which("perf") is None:
        raise LonghaulError(f"the benchmark '{name}' needs perf; apt-get install linux-perf")


def seconds(run: Sequence[str], block: str, out: Path, cwd: Path) -> dict[str, float]:
    """Make a run in the folder `out`; return the simulator's CPU seconds in each of PARTS.

    `run` is what stands behind `longhaul run`, `block` the name of the port map's block, `cwd` the
    folder to run in. A LonghaulError if the run or perf fails.
    """
    scratch = out.parent
    sampled = scratch / "simulator"
    options = f"-q -F {RATE_HZ} -o {scratch}/perf.$$"
    sampled.write_text(f'#!/bin/sh\nexec perf record {options} -- {simulator()} "$@"\n')
    sampled.chmod(0o755)
    command = [*LONGHAUL, "run", *run, "--out", str(out)]
    environment = os.environ | {
        "LONGHAUL_SIMULATOR": str(sampled),
        "PYTHONPATH": str(ROOT / "platform" / "python"),
        # `longhaul results` takes no workspace, and says so to its children.
        current.VARIABLE: str(cwd) if (cwd / FILE).is_file() else current.NONE,
    }
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise LonghaulError(f"{' '.join(command)} failed: {done.stderr.strip()[-500:]}")
    profile = max(scratch.glob("perf.*"), key=lambda path: path.stat().st_size)
    report = ["perf", "report", "-i", str(profile), "--stdio", "-n", "-t", ";"]
    report += ["--sort", "dso,symbol"]
    told = subprocess.run(report, capture_output=True, text=True, check=False)
    if told.returncode:
        raise LonghaulError(f"perf report failed: {told.stderr.strip()[-300:]}")
    return split(told.stdout.splitlines(), block)


def split(lines: Iterable[str], block: str) -> dict[str, float]:
    """Return the seconds of each part in perf's `percent;samples;object;symbol` lines.

    A LonghaulError where there is none of the block.
    """
    found = dict.fromkeys(PARTS, 0)
    for line in lines:
        if line.startswith("#") or line.count(";") < 3:
            continue
        _, samples, place, symbol = (word.strip() for word in line.split(";", 3))
        if _GLUE.search(symbol):
            part = GLUE
        elif place.startswith(f"{block}-"):
            part = BLOCK
        elif place.startswith("libsystemc"):
            part = KERNEL
        else:
            part = REST
        found[part] += int(samples)
    if not found[BLOCK]:
        raise LonghaulError("perf has no sample of the RTL object; is sampling allowed here?")
    return {part: samples / RATE_HZ for part, samples in found.items()}
