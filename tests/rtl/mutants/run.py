# SPDX-License-Identifier: Apache-2.0
"""Runs mutants of a block's RTL through its test benches, and writes which are caught and by what.

`python tests/rtl/mutants/run.py BLOCK [--count N] [--seed N] [--only MODULE...] [--table]`. BLOCK
is a folder of rtl/ whose tests are in tests/rtl/BLOCK. `suites.toml` there says which test benches
are of which module. All mutants of `hand_mutants.toml` are run, and --count mutants by rule, evenly
over the modules. The module's own suite runs first, then the one of the whole block.
`survivors.toml` says why a mutant cannot be caught. --table writes docs/rtl_mutants.md.

A mutant that was caught is not run again while its file is the same. A mutant that was not caught
is not run again while RTL and test benches are the same.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]

from harness import BUILD, PUBLIC, ROOT, run, verilate  # noqa: E402
from longhaul.paths import cache_dir  # noqa: E402
from rtl_mutants.rows import Row, put  # noqa: E402
from suites import Suite, suites_of  # noqa: E402

from mutants import hand, rules  # noqa: E402
from mutants.inputs import inputs_of  # noqa: E402
from mutants.mutant import Mutant  # noqa: E402
from mutants.reasons import reasons  # noqa: E402

WALL_LIMIT_S = 300  # of one claim, whose unmutated run takes some seconds


@dataclass(frozen=True)
class Outcome:
    """The end of a mutant: refused by the compiler, caught by a claim of a suite, or neither."""

    refused: bool = False
    suite: str = ""
    caught_by: str = ""
    message: str = ""


def trial(mutant: Mutant, suites: Iterable[Suite], folder: Path) -> Outcome:
    """Build the mutant and run the suites' claims until one fails."""
    for suite in suites:
        sources = suite.sources()
        (at,) = (path for path in sources if path.name == mutant.file)
        mutated = folder / mutant.file
        mutated.write_text(mutant.applied(at.read_text()))
        built = [mutated if path == at else path for path in sources]
        try:
            program = verilate(suite.top, built, PUBLIC, folder=folder / suite.top)
        except AssertionError:
            return Outcome(refused=True)
        for bench, claim in suite.claims():
            with tempfile.TemporaryDirectory(dir=folder, prefix="run-") as scratch:
                try:
                    run(program, bench, claim, Path(scratch), seconds=WALL_LIMIT_S, quiet=True)
                except AssertionError as error:
                    return Outcome(False, suite.top, claim, message_of(str(error)))
                except subprocess.TimeoutExpired:
                    return Outcome(False, suite.top, claim, "the claim does not end")
    return Outcome()


def message_of(output: str) -> str:
    """Return the line that says why a claim failed: an assertion of the RTL, or of Python."""
    if found := re.search(r"Assertion failed in [\w.]*?(\w+): ", output):
        return f"assertion {found[1]}"
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"[\w.]*(?:Error|Exception|Failure)\b", line)]
    return (errors or lines or ["it said nothing"])[-1]


class Kept:
    """Outcomes in the cache, by the mutant and the text of its file."""

    def __init__(self) -> None:
        self._folder = cache_dir() / "rtl_bench_mutants"
        self._folder.mkdir(parents=True, exist_ok=True)

    def outcome(self, mutant: Mutant, suites: list[Suite]) -> Outcome:
        """Return an outcome that is kept, or run the mutant."""
        (at,) = (ROOT / "rtl").glob(f"*/{mutant.file}")
        change = repr((mutant.file, mutant.begin, mutant.old, mutant.new))
        path = self._folder / f"{_digest([at], change)}.json"
        tried = _digest(inputs_of(suites))
        if path.exists():
            held = json.loads(path.read_text())
            found = Outcome(**held["outcome"])
            if found.refused or found.caught_by or held["tried"] == tried:
                return found
        BUILD.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BUILD, prefix="mutant-") as folder:
            found = trial(mutant, suites, Path(folder))
        path.write_text(json.dumps({"tried": tried, "outcome": asdict(found)}, indent=2) + "\n")
        return found


def _digest(paths: Iterable[Path], start: str = "") -> str:
    digest = hashlib.sha256(start.encode())
    for path in sorted(paths):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class Runs:
    """Runs the mutants of a block, and says what became of each."""

    def __init__(self, block: str, jobs: int) -> None:
        self._block = block
        self._jobs = jobs
        self._kept = Kept()
        self._suites = suites_of(block)
        (self._whole,) = (suite for suite in self._suites if suite.whole)
        self._reasons = reasons(block)
        self._counts = dict.fromkeys(("caught", "explained", "missed", "refused"), 0)

    @property
    def missed(self) -> int:
        """How many were not caught without a reason."""
        return self._counts["missed"]

    def rows(self, only: list[str], count: int, seed: int) -> Iterator[Row]:
        """Yield a row for each mutant; the compiler's refusals give none, and others come."""

        def wanted(each: Mutant) -> bool:
            return not only or Path(each.file).stem in only

        yield from self._run(filter(wanted, hand.mutants(self._block)))
        modules = [module for suite in self._suites for module in suite.modules]
        found = (
            mutant
            for module in modules
            for mutant in rules.mutants(ROOT / "rtl" / self._block / f"{module}.sv")
        )
        waiting = rules.in_turn(filter(wanted, found), seed)
        rows: list[Row] = []
        while batch := list(islice(waiting, count - len(rows))):
            rows += self._run(batch)
        yield from sorted(rows, key=lambda row: _place(row.name))

    def sum(self) -> str:
        """Return how many of what there were."""
        counts = self._counts
        run = counts["caught"] + counts["explained"] + counts["missed"]
        return (
            f"{run} mutants: {counts['caught']} caught, {counts['explained']} not caught with a "
            f"reason, {counts['missed']} not caught without; {counts['refused']} more are refused "
            "by the compiler"
        )

    def _run(self, mutants: Iterable[Mutant]) -> Iterator[Row]:
        def one(mutant: Mutant) -> tuple[Mutant, Outcome]:
            return mutant, self._kept.outcome(mutant, self._tried_by(mutant))

        with ThreadPoolExecutor(self._jobs) as pool:
            for mutant, found in pool.map(one, mutants):
                row = self._judged(mutant, found)
                print(f"{mutant.name}: {row.by if row else 'refused'}", flush=True)
                if row:
                    yield row

    def _tried_by(self, mutant: Mutant) -> list[Suite]:
        """Return the suite of the mutant's module, and that of the whole block."""
        module = Path(mutant.file).stem
        own = [each for each in self._suites if module in each.modules and not each.whole]
        return [*own, self._whole]

    def _judged(self, mutant: Mutant, found: Outcome) -> Row | None:
        if found.refused:
            self._counts["refused"] += 1
            return None
        if found.caught_by:
            self._counts["caught"] += 1
            return Row(mutant.name, mutant.what, found.suite, found.caught_by, found.message)
        reason = next((each.why for each in self._reasons if each.is_of(mutant)), "")
        self._counts["explained" if reason else "missed"] += 1
        return Row(mutant.name, mutant.what, "all", "**not caught**", reason, is_message=False)


def _place(name: str) -> tuple[str, int, str]:
    module, line, rule = name.split(":")
    return module, int(line), rule


def main() -> None:
    """Run mutants, print each with what became of it, and the sum."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("block")
    parser.add_argument("--count", type=int, default=45, help="mutants by rule")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=[], metavar="MODULE")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--table", action="store_true", help="write docs/rtl_mutants.md")
    options = parser.parse_args()
    runs = Runs(options.block, options.jobs)
    rows = list(runs.rows(options.only, options.count, options.seed))
    if options.table:
        put(f"<!-- tests/rtl/mutants/run.py {options.block} -->\n", rows)
    print(runs.sum())
    sys.exit(runs.missed > 0)


if __name__ == "__main__":
    main()
