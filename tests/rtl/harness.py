# SPDX-License-Identifier: Apache-2.0
"""Builds a test bench with Verilator and runs one of its cocotb tests in a process of its own."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import Path

import cocotb
import find_libpython
from longhaul.paths import build_folder

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = build_folder() / "rtl"
CORNER_TABLE = BUILD / "corners.txt"
PUBLIC = HERE / "bench" / "public.vlt"
COCOTB = Path(cocotb.__file__).parent
# --timing: the test benches make their own clocks. Random start values show what a reset forgets.
VERILATOR = [
    "verilator", "-cc", "--exe", "--vpi", "--prefix", "Vtop", "--assert", "--timing", "-Wall",
    "-Wno-fatal", "-Wno-DECLFILENAME", "--x-initial", "unique", "-O3", "-CFLAGS", "-O1",
    "--coverage-user",
    "-LDFLAGS", f"-Wl,-rpath,{COCOTB / 'libs'} -L{COCOTB / 'libs'} -lcocotbvpi_verilator",
]  # fmt: skip


def rtl_files(*folders: str) -> list[Path]:
    """Return the sources of these folders of rtl/, packages first."""
    found = [path for folder in folders for path in sorted((ROOT / "rtl" / folder).glob("*.sv"))]
    return sorted(found, key=lambda path: not path.stem.endswith("_pkg"))


def in_tests(name: str) -> Path:
    """Return a file of tests/rtl or of a block's folder in it; names are unique."""
    (found,) = HERE.rglob(name)
    return found


def rtl_folders() -> list[str]:
    """Return the names of the folders of rtl/ that have modules."""
    return sorted({path.parent.name for path in (ROOT / "rtl").glob("*/*.sv")})


def claims(bench: str) -> list[str]:
    """Return the names of a test bench's tests, in order, without importing it."""
    tree = ast.parse(in_tests(f"{bench}.py").read_text())
    tests = [node for node in tree.body if isinstance(node, ast.AsyncFunctionDef)]
    return [
        test.name
        for test in tests
        if any("cocotb.test" in ast.unparse(mark) for mark in test.decorator_list)
    ]


def sources_of(top: str, *folders: str) -> list[Path]:
    """Return the sources of a top level of the test benches, packages first."""
    bench = sorted((HERE / "bench").glob("bench_*.sv"))
    return [*rtl_files(*folders), *bench, in_tests(f"{top}.sv")]


@cache
def build(top: str, *folders: str) -> Path:
    """Verilate a top level of the test benches with these folders of rtl/; return the program.

    make and ccache skip what has not changed.
    """
    return verilate(top, sources_of(top, *folders), PUBLIC)


def verilate(
    top: str, sources: list[Path], public: Path, *options: str, folder: Path | None = None
) -> Path:
    """Verilate sources whose signals `public` shows to Python; return the program."""
    folder = folder or BUILD / top
    folder.mkdir(parents=True, exist_ok=True)
    driver = COCOTB / "share" / "lib" / "verilator" / "verilator.cpp"
    steps = (
        [*VERILATOR, *options, "-Mdir", str(folder), "--top-module", top, "-o", top,
         str(public), str(driver), *map(str, sources)],
        ["make", "-C", str(folder), "-f", "Vtop.mk", "OBJCACHE=ccache"],
    )  # fmt: skip
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{done.stdout}{done.stderr}"[-6000:]
    return folder / top


def run(
    program: Path,
    bench: str,
    claim: str,
    scratch: Path,
    seconds: float | None = None,
    quiet: bool = False,
) -> dict[str, int]:
    """Run one test of a test bench module; return how often it met each `cover property`.

    What it prints and writes stays in `scratch`. LONGHAUL_RTL_SEED sets other
    traffic. A failed SVA assertion fails the test, and so does the end of its time in `seconds`.
    """
    results = scratch / "results.xml"
    environment = os.environ | {
        "LIBPYTHON_LOC": find_libpython.find_libpython() or "",
        "PYTHONPATH": os.pathsep.join([str(in_tests(f"{bench}.py").parent), str(HERE), *sys.path]),
        "PYTHONHOME": sys.prefix,
        "TOPLEVEL_LANG": "verilog",
        "TOPLEVEL": program.name,
        "MODULE": bench,
        "TESTCASE": claim,
        "RANDOM_SEED": os.environ.get("LONGHAUL_RTL_SEED", "1"),
        "COCOTB_RESULTS_FILE": str(results),
        "COCOTB_ANSI_OUTPUT": "0",
        "LONGHAUL_SCRATCH": str(scratch),
    }
    environment.pop("PYTEST_CURRENT_TEST", None)
    command = [str(program), f"+dir={scratch}"]
    done = subprocess.run(
        command,
        cwd=scratch,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
    )
    output = f"{done.stdout}{done.stderr}"
    if not quiet:
        print(output)
    assert results.exists(), output[-6000:]
    cases = list(ElementTree.parse(results).getroot().iter("testcase"))
    failed = [case for case in cases if case.find("failure") is not None]
    assert len(cases) == 1 and not failed and "Assertion failed" not in output, output[-6000:]
    return cover_points(scratch / "coverage.dat")


def cover_points(path: Path) -> dict[str, int]:
    """Read Verilator's coverage file; the instances of a module count together, FIFOs by size."""
    counts: dict[str, int] = {}
    for line in path.read_text(errors="replace").splitlines():
        if not line.startswith("C "):
            continue
        entry, count = line[2:].rsplit(" ", 1)
        fields = dict(part.split("\x02", 1) for part in entry.strip("'").split("\x01") if part)
        module = fields["page"].removeprefix("v_user/")  # with its parameters, if it has any
        if not module.startswith("async_fifo"):
            module = Path(fields["f"]).stem
        counts_key = f"{module}.{fields['o']}"
        counts[counts_key] = counts.get(counts_key, 0) + int(count)
    return counts
