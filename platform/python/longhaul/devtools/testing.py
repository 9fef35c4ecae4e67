# SPDX-License-Identifier: Apache-2.0
"""`longhaul test`: every suite with its duration, and one closing line that counts all tests."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass
from pathlib import Path

from rich.console import Console

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.paths import ROOT, build_commands, build_folder, cache_dir


@dataclass(frozen=True)
class Outcome:
    """The counts of a suite."""

    passed: int
    failed: int
    skipped: int = 0


Runner = Callable[[Path], Outcome]
LAYOUT = "LONGHAUL_LAYOUT"  # in the environment: the layout of runs that ask for none
DEEP = "LONGHAUL_DEEP"  # in the environment: 1 asks for all depth (tests/rig/depth.py)
SHARES = 16  # parts of the C++ cases; as many run at a time as there are cores
# A line of tests/unit/main.cc on a case; it has the CPU seconds if they are more than a few.
CASE = re.compile(
    r"^(?P<name>[\w/]+\.[\w/]+): (?P<verdict>passed|failed|skipped)( \(((?P<s>[\d.]+) s|.*)\))?$",
    re.MULTILINE,
)
ON_A_LAYOUT = ("guest", "system")


def junit(path: Path, code: int) -> Outcome:
    """Count a JUnit file; a run that failed unseen or counted no test has one failure."""
    if not path.exists():
        return Outcome(0, 1)
    root = ElementTree.parse(path).getroot()
    suites = [root] if root.tag == "testsuite" else list(root.iter("testsuite"))

    def total(*names: str) -> int:
        return sum(int(suite.get(name) or 0) for suite in suites for name in names)

    tests, failed = total("tests"), total("failures", "errors")
    skipped = total("skipped", "disabled")
    if (code or not tests) and not failed:
        failed = 1
    return Outcome(max(0, tests - failed - skipped), failed, skipped)


def slowest(path: Path, most: int = 5) -> str:
    """Return the files of a JUnit file that took longest, with their seconds; empty without one."""
    if not path.exists():
        return ""
    seconds: Counter[str] = Counter()
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        name = (case.get("classname") or "").rpartition(".")[2]
        seconds[name] += round(1000 * float(case.get("time") or 0))
    return _longest(seconds, most)


def _longest(ms: Counter[str], most: int = 5) -> str:
    return ", ".join(f"{name} {each / 1000:.0f} s" for name, each in ms.most_common(most))


def _cases(preset: str) -> Runner:
    """Run all C++ cases of a build; a process forks for each case (tests/unit/main.cc)."""

    def run(scratch: Path) -> Outcome:
        if preset != "release":  # ./longhaul has built the release tree
            for command in build_commands(preset):
                if _quiet(command, scratch / f"{preset}.log"):
                    return Outcome(0, 1)
        folder = build_folder() / preset
        look = functools.partial(share, folder)
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            shares = list(pool.map(look, range(SHARES)))
        outcomes = [outcome for outcome, _ in shares]
        if long := _longest(sum((ms for _, ms in shares), Counter[str]())):
            print(f"longest cases: {long}", flush=True)
        if preset == "release":
            outcomes.append(_benchmarks(scratch))
        return Outcome(*(sum(counts) for counts in zip(*map(astuple, outcomes), strict=True)))

    return run


def _benchmarks(scratch: Path) -> Outcome:
    """Run each benchmark once, for a moment."""
    report = scratch / "ctest.xml"
    command = ["ctest", "--test-dir", str(build_folder() / "release"), "--output-on-failure"]
    command += ["-R", r"^benchmark\.", "--output-junit", str(report)]
    return junit(report, _quiet(command, scratch / "ctest.log"))


def share(folder: Path, index: int) -> tuple[Outcome, Counter[str]]:
    """Run one of SHARES parts of the cases, show what failed, and return the long ones' ms, too."""
    shares = {"GTEST_TOTAL_SHARDS": str(SHARES), "GTEST_SHARD_INDEX": str(index)}
    done = subprocess.run(
        [folder / "longhaul_unit_tests"],
        cwd=folder,
        env=os.environ | shares,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    said = done.stdout.decode(errors="replace")
    cases = list(CASE.finditer(said))
    verdicts = Counter(case["verdict"] for case in cases)
    failed = verdicts["failed"] or int(done.returncode != 0 or not verdicts)
    if failed:
        quiet = {case[0] for case in cases if case["verdict"] != "failed"}
        lines = [line for line in said.splitlines() if line not in quiet]
        print("\n".join(lines)[-20000:], flush=True)
    ms = Counter({case["name"]: round(1000 * float(case["s"])) for case in cases if case["s"]})
    return Outcome(verdicts["passed"], failed, verdicts["skipped"]), ms


def _pytest(folder: str) -> Runner:
    """Run a folder's tests, as many files at a time as there are cores; a file's stay together.

    Which begin first is in tests/rig/order.py.
    """
    cores = len(os.sched_getaffinity(0))

    def run(scratch: Path) -> Outcome:
        report = scratch / "pytest.xml"
        command = [sys.executable, "-m", "pytest", folder, f"--junitxml={report}"]
        command += ["-o", f"cache_dir={cache_dir() / 'pytest'}"]
        command += ["-n", str(cores), "--dist", "loadfile"]
        outcome = junit(report, subprocess.run(command, cwd=ROOT, check=False).returncode)
        if files := slowest(report):
            print(f"slowest files: {files}", flush=True)
        return outcome

    return run


def _lint(scratch: Path) -> Outcome:
    """Run pre-commit's hooks over the whole tree; each hook counts as one test."""
    log = scratch / "lint.log"
    tools = Path(sys.executable).parent  # the hooks find python and its tools through PATH
    path = f"{tools}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    _quiet(
        [sys.executable, "-m", "pre_commit", "run", "--all-files"],
        log,
        {"PATH": path, "RUFF_CACHE_DIR": str(cache_dir() / "ruff")},
    )
    verdicts = re.findall(r"\.(Passed|Failed|Skipped)$", log.read_text(errors="replace"), re.M)
    if not verdicts:
        print(log.read_text(errors="replace"), flush=True)
        return Outcome(0, 1)
    return Outcome(verdicts.count("Passed"), verdicts.count("Failed"), verdicts.count("Skipped"))


def _quiet(command: Sequence[str], log: Path, environment: Mapping[str, str] | None = None) -> int:
    """Run a command with its output in a file, and show the file when it fails."""
    with log.open("wb") as stream:
        code = subprocess.run(
            command,
            cwd=ROOT,
            stdout=stream,
            stderr=subprocess.STDOUT,
            env=os.environ | dict(environment or {}),
            check=False,
        ).returncode
    if code:
        print(log.read_text(errors="replace")[-20000:], flush=True)
    return code


SUITES: dict[str, tuple[str, Runner]] = {
    "lint": ("one style: ruff, pyright, clang-format, clang-tidy, codespell, prose", _lint),
    "unit": ("C++ models and platform, release build", _cases("release")),
    "asan": ("the same under AddressSanitizer and UBSan", _cases("asan")),
    "rtl": ("RTL: Verilator lint, cocotb test benches", _pytest("tests/rtl")),
    "python": ("command line, topology, results, reports", _pytest("tests/python")),
    "guest": ("real guests: boot, probe, traffic", _pytest("tests/guest")),
    "system": ("the command line end to end", _pytest("tests/system")),
}


def present() -> list[str]:
    """Return the suites that this checkout can run; style is judged in a git checkout only."""
    there = {
        "lint": (ROOT / ".git").exists(),
        "guest": any((ROOT / "tests" / "guest").glob("test_*.py")),
        "system": any((ROOT / "tests" / "system").glob("test_*.py")),
    }
    return [name for name in SUITES if there.get(name, True)]


def chosen(only: Sequence[str]) -> list[str]:
    """Return the suites to run: those named, or all that this checkout can run."""
    for name in only:
        if name not in SUITES:
            raise UsageError(f"no suite is called {name!r}{did_you_mean(name, SUITES)}")
    return list(only) or present()


def run(suites: Sequence[str], console: Console, layout: int = 0, deep: bool = False) -> int:
    """Run the suites and return the exit code; those of whole runs are on the layout."""
    if deep:
        os.environ[DEEP] = "1"
    outcomes: dict[str, tuple[Outcome, float]] = {}
    for name in suites:
        text, runner = SUITES[name]
        console.print(f"[bold]{name}[/bold]: {text}{_usual(name)}")
        os.environ[LAYOUT] = str(layout if name in ON_A_LAYOUT else 0)
        start = time.monotonic()
        scratch = Path(tempfile.mkdtemp(prefix=f"longhaul-{name}-"))
        try:
            outcome = runner(scratch)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        seconds = time.monotonic() - start
        outcomes[name] = (outcome, seconds)
        _remember(name, seconds)
    console.print()
    for name, (outcome, seconds) in outcomes.items():
        skipped = f", {outcome.skipped} skipped" if outcome.skipped else ""
        console.print(
            f"{name:8} {outcome.passed} passed, {outcome.failed} failed{skipped}"
            f"  in {seconds:.0f} s"
        )
    passed = sum(outcome.passed for outcome, _ in outcomes.values())
    failed = sum(outcome.failed for outcome, _ in outcomes.values())
    console.print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def _usual(name: str) -> str:
    path = cache_dir() / "durations" / f"test-{name}"
    return f" (last time {path.read_text().strip()} s)" if path.exists() else ""


def _remember(name: str, seconds: float) -> None:
    path = cache_dir() / "durations" / f"test-{name}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{seconds:.0f}\n")
