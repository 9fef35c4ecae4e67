# SPDX-License-Identifier: Apache-2.0
"""Reads figures again, one command after the other, and keeps each as soon as it is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from longhaul.catalogue import check, commands, machine, values
from longhaul.catalogue.entry import Measurement
from longhaul.catalogue.values import Values
from longhaul.errors import Interrupted, LonghaulError

Say = Callable[[str], None]
Make = Callable[[Measurement], Values]


def update(
    wanted: Sequence[Measurement],
    commit: str,
    make: Make,
    say: Say,
    *,
    force: bool,
    file: Path = values.FILE,
) -> list[str]:
    """Run commands and write their figures; return why some failed.

    What has all its figures of this commit (measured ones: of this machine, too) is left alone
    unless `force` is given, so an update goes on where it was interrupted.
    """
    failed: list[str] = []
    for number, one in enumerate(wanted, 1):
        place = f"{number} of {len(wanted)}, {one.name}"
        if not force and is_current(one, values.load(file).get(one.name), commit):
            say(f"{place}: is of this commit already")
            continue
        say(f"{place}: {one.command} ({one.takes}; {commands.log(one)})")
        try:
            found = make(one)
        except Interrupted:
            raise
        except LonghaulError as error:
            failed.append(str(error))
            say(f"{place}: {error}")
            continue
        values.add(one.name, found, file)
    return failed


def is_current(one: Measurement, there: Values | None, commit: str) -> bool:
    """Tell whether values are of this commit without changes, and of all of the figures."""
    if there is None or there.commit != commit or commit.endswith("+changes"):
        return False
    if one.kind == "measured" and there.machine != machine.described():
        return False
    return bool(there.published) if one.published else set(there.figures) == _names(one)


def _names(one: Measurement) -> set[str]:
    return {each.what for each in one.figures}


def repeat(
    wanted: Sequence[Measurement], recorded: dict[str, Values], make: Make, say: Say
) -> list[str]:
    """Run commands and compare their figures with the values; return what differs or failed.

    A measurement without a value that could be compared here is not run, and said to be so.
    """
    wrong: list[str] = []
    here = machine.described()
    for number, one in enumerate(wanted, 1):
        place = f"{number} of {len(wanted)}, {one.name}"
        there = recorded.get(one.name)
        if there is None:
            wrong.append(f"{one.name}: has no values; ./longhaul results --update {one.name}")
            say(f"{place}: has no values")
            continue
        if not check.comparable(one, there, here):
            say(f"{place}: is of another machine, {there.machine}; not compared")
            continue
        say(f"{place}: {one.command} ({one.takes}; {commands.log(one)})")
        try:
            found = check.differences(one, there, make(one), here)
        except Interrupted:
            raise
        except LonghaulError as error:
            found = [str(error)]
        wrong += found
        say(f"{place}: {'; '.join(found) or 'as on the page'}")
    return wrong
