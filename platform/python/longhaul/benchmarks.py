# SPDX-License-Identifier: Apache-2.0
"""`longhaul bench`: the Google Benchmark programs of the build tree."""

import subprocess

from rich.console import Console

from longhaul.errors import LonghaulError
from longhaul.paths import ROOT


def run(only: str, console: Console) -> None:
    """Run every benchmark program, filtered by a regular expression."""
    folder = ROOT / "build" / "release" / "benchmarks"
    programs = sorted(p for p in folder.glob("*_bench") if p.is_file())
    if not programs:
        raise LonghaulError(f"no benchmark program in {folder}")
    for program in programs:
        console.print(program.name, style="bold")
        arguments = [f"--benchmark_filter={only}"] if only else []
        if subprocess.run([str(program), *arguments], check=False).returncode:
            raise LonghaulError(f"{program.name} failed")
