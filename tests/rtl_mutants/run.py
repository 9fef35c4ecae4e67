# SPDX-License-Identifier: Apache-2.0
"""Runs mutants of the template NIC and writes docs/rtl_mutants.md.

`python tests/rtl_mutants/run.py [NAME...]`: those named, or all. Results lie in the cache, or in
--work DIR: a result there is taken, unless its mutant or the tests have changed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from longhaul.paths import cache_dir
from longhaul.validation import catalog

from rtl_mutants import table, trial
from rtl_mutants.trial import UNMUTATED, Mutant
from rtl_mutants.verdict import Finding


def _digest(paths: Iterable[Path], start: str) -> str:
    digest = hashlib.sha256(start.encode())
    for path in sorted(each for each in paths if each.is_file() and each.suffix != ".pyc"):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def key(mutant: Mutant, caught: bool) -> str:
    """Return what a result holds for.

    A bug that was caught stays so while it and the file that it is in are the same. A bug
    that was not caught is tried again after any change of the template or the tests.
    """
    start = repr((mutant.file, mutant.edits))
    if caught:
        return _digest([trial.TEMPLATE / mutant.file], start)
    return _digest((*trial.TEMPLATE.rglob("*"), *catalog.HERE.rglob("*")), start)


def known(mutant: Mutant, work: Path) -> tuple[bool, Finding | None]:
    """Return whether there is a result, and the result."""
    path = work / f"{mutant.name}.json"
    if not path.exists():
        return False, None
    held = json.loads(path.read_text())
    if held["key"] != key(mutant, caught=held["finding"] is not None):
        return False, None
    return True, Finding(**held["finding"]) if held["finding"] else None


def make(mutant: Mutant, work: Path, again: bool) -> Finding | None:
    """Return the result of a mutant, from an earlier time if it may be."""
    there, finding = known(mutant, work)
    if there and not again:
        return finding
    finding = trial.run(mutant, work / mutant.name)
    held = {
        "key": key(mutant, finding is not None),
        "finding": asdict(finding) if finding else None,
    }
    (work / f"{mutant.name}.json").write_text(json.dumps(held, indent=2) + "\n")
    said = f"{finding.stage}, {finding.by}: {finding.message}" if finding else "not caught"
    print(f"{mutant.name}: {said}", flush=True)
    return finding


def main() -> None:
    """Run what is asked for, and write the table of all that there are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--work", type=Path, default=cache_dir() / "rtl_mutants")
    parser.add_argument("--again", action="store_true", help="run those too that have a result")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    every = trial.mutants()
    if unknown := [name for name in options.names if name not in every]:
        parser.error(f"no mutant is called {', '.join(unknown)}")
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    if make(every[UNMUTATED], work, again=options.again):
        sys.exit("the unmutated NIC does not pass")
    chosen = [every[name] for name in dict.fromkeys(options.names or every) if name != UNMUTATED]
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda each: make(each, work, options.again), chosen))
    results = {name: known(each, work) for name, each in every.items()}
    table.write(every, {name: found for name, (there, found) in results.items() if there})


if __name__ == "__main__":
    main()
