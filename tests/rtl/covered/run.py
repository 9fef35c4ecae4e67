# SPDX-License-Identifier: Apache-2.0
"""Runs the test benches of a block with coverage, and shows what of its RTL they reach together.

`python tests/rtl/covered/run.py BLOCK [--no-toggles] [--jobs N] [--out DIR]`. BLOCK is a folder of
rtl/ whose tests are in tests/rtl/BLOCK, with their `suites.toml`. All claims of all suites are
merged: lines, branches, toggles and covers of each module, and fields of the registers. DIR
(out/coverage-BLOCK) has the page, coverage.json and files for other tools, as `longhaul coverage`
makes them, and never.txt: all that no claim reaches. Lines, covers and fields that cannot be
reached have their reasons in `uncovered.toml`; the command ends with 1 if one is without.

A suite whose RTL and test benches are as before is not run again.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import accesses  # noqa: E402
from harness import BUILD, PUBLIC, ROOT, rtl_files, run, verilate  # noqa: E402
from longhaul.cli import consoles  # noqa: E402
from longhaul.coverage import page, points  # noqa: E402
from longhaul.coverage.kept import Design, Source  # noqa: E402
from longhaul.coverage.merge import Merged  # noqa: E402
from longhaul.coverage.points import Point  # noqa: E402
from longhaul.outdir import write_text  # noqa: E402
from longhaul.paths import cache_dir  # noqa: E402
from mutants.inputs import inputs_of  # noqa: E402
from suites import Suite, suites_of  # noqa: E402

from covered.fields import Fields  # noqa: E402
from covered.never import Never  # noqa: E402
from covered.waivers import Waivers  # noqa: E402

RTL = ROOT / "rtl"
OPTIONS = ("--coverage-line", "--coverage-toggle")
POINTS = "points.dat"
# For make: gcc takes minutes to optimize the code that runs once, which is long with toggles.
MAKEFLAGS = "OPT_SLOW=-O0"
# FIFOs of other sizes are other corners, as in harness.cover_points.
BY_SIZE = ("async_fifo",)


class Run:
    """The claims of a suite with coverage; each leaves its points and its register accesses."""

    def __init__(self, suite: Suite, block: str, options: tuple[str, ...]) -> None:
        self._suite, self._block, self._options = suite, block, options
        self.folder = cache_dir() / "rtl_coverage" / self._key()

    def _key(self) -> str:
        digest = hashlib.sha256(repr((self._suite, self._options)).encode())
        for path in inputs_of([self._suite]):
            digest.update(path.read_bytes())
        return digest.hexdigest()[:32]

    def make(self) -> None:
        """Run the claims, unless what they leave is kept."""
        if (self.folder / "done").exists():
            return
        suite = self._suite
        with tempfile.TemporaryDirectory(dir=BUILD, prefix="coverage-") as scratch:
            without = Path(scratch) / "tests.vlt"
            without.write_text(f'`verilator_config\ncoverage_off -file "{HERE.parent}/*"\n')
            sources = [without, *suite.sources()]
            built = BUILD / "coverage" / suite.top
            program = verilate(suite.top, sources, PUBLIC, *self._options, folder=built)
            for bench, claim in suite.claims():
                at = Path(scratch) / claim
                at.mkdir()
                run(program, bench, claim, at, quiet=True)
                self._keep(at, self.folder / bench / claim)
                print(f"{suite.top}: {claim}", flush=True)
        (self.folder / "done").touch()

    def _keep(self, scratch: Path, into: Path) -> None:
        counts: dict[Point, int] = {}
        for point, count in points.read_verilators(scratch / "coverage.dat").items():
            if Path(point.file).parent == RTL / self._block:
                there = self._of_module(point)
                counts[there] = counts.get(there, 0) + count
        into.mkdir(parents=True, exist_ok=True)
        points.write(into / POINTS, counts)
        written = scratch / accesses.FILE
        write_text(into / accesses.FILE, written.read_text() if written.exists() else "")

    def _of_module(self, point: Point) -> Point:
        """Return the point in whichever instance of its module, and with whichever parameters."""
        path = Path(point.file)
        module = point.module if point.module.startswith(BY_SIZE) else path.stem
        return Point(
            path.name,
            point.line,
            point.column,
            f"{point.kind}/{module}",
            point.name,
            f"{self._block}.{module}",
            point.lines,
        )

    def claims(self) -> Iterator[tuple[str, Path]]:
        """Yield each claim's name with the folder of what it left."""
        for bench, claim in self._suite.claims():
            yield f"{bench}: {claim}", self.folder / bench / claim


def design(block: str) -> Design:
    """Return the RTL of a block: its own folder, not that of `rtl/common`."""
    sources: dict[str, Source] = {}
    for path in rtl_files(block):
        data = path.read_bytes()
        sources[path.name] = Source(path.name, hashlib.sha256(data).hexdigest(), data.decode())
    return Design(block, RTL / block, sources)


def main() -> None:
    """Run what is not kept, merge it, and show it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("block")
    parser.add_argument("--no-toggles", action="store_true", help="half of the time")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    block: str = options.block
    os.environ["MAKEFLAGS"] = MAKEFLAGS
    BUILD.mkdir(parents=True, exist_ok=True)
    wanted = OPTIONS[:1] if options.no_toggles else OPTIONS
    runs = [Run(suite, block, wanted) for suite in suites_of(block)]
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(Run.make, runs))
    merged = Merged(design(block))
    fields = Fields(RTL, block) if (RTL / block / f"{block}.rdl").exists() else None
    for each in runs:
        for claim, folder in each.claims():
            merged.add_counts(points.read(folder / POINTS), claim)
            if fields:
                fields.add((folder / accesses.FILE).read_text().splitlines(), claim)
    if fields:
        merged.buses["fields of registers"] = fields.bus()
    out: Path = options.out or ROOT / "out" / f"coverage-{block}"
    views = page.write(out, [merged])
    page.show(consoles.printed(), views)
    never = Never(views[0], fields, Waivers(HERE.parent / block / "uncovered.toml"))
    write_text(out / "never.txt", never.text())
    print(never.sum())
    print(out / page.PAGE)
    sys.exit(bool(never.unexplained))


if __name__ == "__main__":
    main()
