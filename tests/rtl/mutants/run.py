# SPDX-License-Identifier: Apache-2.0
"""Runs mutants of a block's RTL through its test benches, and writes which are caught and by what.

`python tests/rtl/mutants/run.py BLOCK [--count N] [--seed N] [--only FILE...]`. BLOCK is a folder
of rtl/ whose tests are in tests/rtl/BLOCK. `suites.toml` there says which test benches are of which
module. `survivors.toml` says why a mutant cannot be caught. Results are kept in the cache by the
text of the mutant, the modules and the test bench; a kept result is not made again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from harness import BUILD, PUBLIC, ROOT, in_tests, run, verilate  # noqa: E402
from longhaul.paths import cache_dir  # noqa: E402
from suites import Suite, suites_of  # noqa: E402

from mutants.rules import Mutant, mutants, sample  # noqa: E402


@dataclass(frozen=True)
class Outcome:
    """The end of a mutant: refused by the compiler, caught by a claim, or neither."""

    refused: bool = False
    caught_by: str = ""


def trial(mutant: Mutant, suite: Suite, folder: Path) -> Outcome:
    """Build the mutant and run the suite's claims until one fails."""
    sources = suite.sources()
    (at,) = (path for path in sources if path.name == mutant.file)
    mutated = folder / mutant.file
    mutated.write_text(mutant.applied(at.read_text()))
    built = [mutated if path == at else path for path in sources]
    try:
        program = verilate(suite.top, built, PUBLIC, folder=folder / "build")
    except AssertionError:
        return Outcome(refused=True)
    for bench, claim in suite.claims():
        scratch = folder / "run"
        scratch.mkdir(exist_ok=True)
        for left in scratch.iterdir():
            left.unlink()
        try:
            run(program, bench, claim, scratch, seconds=300, quiet=True)
        except (AssertionError, subprocess.TimeoutExpired):
            return Outcome(caught_by=claim)
    return Outcome()


def key_of(mutant: Mutant, suite: Suite) -> str:
    """Return what an outcome holds for."""
    digest = hashlib.sha256(repr(mutant).encode())
    python = sorted(in_tests(f"{suite.top}.sv").parent.glob("*.py"))
    for path in (*suite.sources(), *python):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def outcome(mutant: Mutant, suite: Suite, kept: Path) -> Outcome:
    """Return an outcome that is kept, or run the mutant."""
    path = kept / f"{key_of(mutant, suite)}.json"
    if path.exists():
        return Outcome(**json.loads(path.read_text()))
    BUILD.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="mutant-") as folder:
        found = trial(mutant, suite, Path(folder))
    path.write_text(json.dumps(asdict(found)))
    return found


def chosen(block: str, only: list[str], count: int, seed: int) -> Iterator[tuple[Mutant, Suite]]:
    """Yield the mutants to run, with their suites."""
    suites = {module: suite for suite in suites_of(block) for module in suite.modules}
    found = [
        mutant
        for module in suites
        if not only or module in only
        for path in [ROOT / "rtl" / block / f"{module}.sv"]
        for mutant in mutants(path, path.name)
    ]
    for mutant in sample(found, count, seed):
        yield mutant, suites[Path(mutant.file).stem]


def main() -> None:
    """Run mutants, print each with what became of it, and the sum."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("block")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=[], metavar="MODULE")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    kept = cache_dir() / "rtl_bench_mutants"
    kept.mkdir(parents=True, exist_ok=True)
    reasons_path = HERE.parent / options.block / "survivors.toml"
    reasons = tomllib.loads(reasons_path.read_text()) if reasons_path.exists() else {}
    jobs = list(chosen(options.block, options.only, options.count, options.seed))
    counts = {"caught": 0, "refused": 0, "explained": 0, "missed": 0}

    def one(job: tuple[Mutant, Suite]) -> tuple[Mutant, Outcome]:
        return job[0], outcome(*job, kept)

    with ThreadPoolExecutor(options.jobs) as pool:
        for mutant, found in pool.map(one, jobs):
            if found.refused:
                verdict, said = "refused", "the compiler refuses it"
            elif found.caught_by:
                verdict, said = "caught", found.caught_by
            elif why := reasons.get(mutant.name):
                verdict, said = "explained", why
            else:
                verdict, said = "missed", "NOT CAUGHT"
            counts[verdict] += 1
            change = f"{mutant.old.strip()!r} -> {mutant.new.strip()!r}"
            print(f"{mutant.name} {change}: {said}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    sys.exit(counts["missed"] > 0)


if __name__ == "__main__":
    main()
