# SPDX-License-Identifier: Apache-2.0
"""`python -m longhaul.prose [FILE...]`: check the tree's English.

Ends with 1 if a file breaks a rule more often than `platform/config/prose/known.toml` says.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from longhaul.errors import LonghaulError
from longhaul.paths import ROOT
from longhaul.prose import check, terms


def main(words: Sequence[str]) -> int:
    """Check, or write what is made of the rules' data; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m longhaul.prose", description=__doc__)
    parser.add_argument("files", nargs="*", help="files to check; none: the whole tree")
    parser.add_argument("--all", action="store_true", help="show known findings, too")
    parser.add_argument("--shrink", action="store_true", help="take what is mended out of the list")
    parser.add_argument("--update", action="store_true", help=f"write {terms.PAGE}")
    asked = parser.parse_args(words)
    try:
        return _carry_out(asked)
    except LonghaulError as error:
        print(f"longhaul: {error}", file=sys.stderr)
        return 2


def _carry_out(asked: argparse.Namespace) -> int:
    page = ROOT / terms.PAGE
    written = terms.page(terms.load())
    if asked.update:
        page.write_text(written)
    stale = page.read_text() != written
    if stale:
        print(f"{terms.PAGE}: is stale; run: python -m longhaul.prose --update")
    names = [_of_tree(name) for name in asked.files] or check.files()
    found = check.of_tree(names)
    stand = {name: rules for name, rules in check.known().items() if name in names}
    if asked.shrink:
        every = found if not asked.files else check.of_tree(check.files())
        left = check.shrunk(every, check.known() if check.KNOWN.exists() else None)
        check.KNOWN.write_text(check.as_toml(left))
        stand = {name: rules for name, rules in left.items() if name in names}
    differ = {(each.path, each.rule): each for each in check.compared(found, stand)}
    more = {where for where, each in differ.items() if each.found > each.known}
    for each in found:
        if asked.all or (each.path, each.rule) in more:
            print(each)
    mended = sum(max(0, each.known - each.found) for each in differ.values())
    if mended:
        print(f"{mended} findings of {check.KNOWN.name} are mended; --shrink takes them out")
    return 1 if more or stale else 0


def _of_tree(name: str) -> str:
    path = Path(name).absolute()
    if not path.is_file() or not path.is_relative_to(ROOT):
        raise LonghaulError(f"{name}: is no file of {ROOT}")
    return path.relative_to(ROOT).as_posix()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
