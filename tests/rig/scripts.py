# SPDX-License-Identifier: Apache-2.0
"""Scripts of `longhaul.api`, each in a process of its own: SystemC begins once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from longhaul.paths import ROOT

HEAD = """
import json, os, signal, sys, threading, time
from pathlib import Path
from longhaul import api
from longhaul.errors import LonghaulError, UsageError
from longhaul.gnet1 import control
from longhaul.topology import *
from longhaul.units import *

# Whoever is started in the background of a shell has it ignored, which Python leaves as it is.
signal.signal(signal.SIGINT, signal.default_int_handler)

LINUX = System(profile="linux-2.6.6")

def tell(**found):
    print(json.dumps(found, default=str))

def line(box, workload, *, nic=lambda: nics.ixgb(), phy="10gbase-r", host=machines.opteron_hdama):
    scenario = Scenario("script", seed=1)
    a, b = (scenario.add(host(name, nic=nic(), system=LINUX)) for name in ("a", "b"))
    middle = scenario.add(box)
    near, far = middle.port_names()[:2]
    scenario.link(a.port("eth0"), middle.port(near), name="near", phy=phy)
    scenario.link(middle.port(far), b.port("eth0"), name="far", phy=phy)
    scenario.run_workload(workload(a, b))
    return scenario
"""


def start(
    arguments: list[str],
    *,
    cwd: Path | None = None,
    timeout: float | None = 300,
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run Python with the package, as `./longhaul python` does."""
    return subprocess.run(
        [sys.executable, *arguments],
        env=os.environ
        | {"PYTHONPATH": str(ROOT / "platform" / "python")}
        | dict(environment or {}),
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def script(body: str) -> dict[str, Any]:
    """Run a script and return the last line that it tells."""
    done = start(["-c", HEAD + textwrap.dedent(body)])
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def longhaul(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of Longhaul in a folder, without this process's plug-ins; it has to succeed."""
    done = start(
        ["-m", "longhaul", *words], cwd=folder, timeout=None, environment={"LONGHAUL_PLUGINS": ""}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done
