# SPDX-License-Identifier: Apache-2.0
"""Writes what a run hands to its guests (docs/guest-files.md)."""

import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from longhaul.guest import claims
from longhaul.guest import image as guest_image
from longhaul.guest.host_parts import HostParts

IMAGE = "files.erofs"
"""The disk that holds a machine's files, beside their folder."""

LOADER = Path(__file__).with_name("load_modules.sh")
"""What a guest loads drivers with; on the disk of the run, not in the root of all guests."""

OWN_LOADER, OWN_ROOT, OWN_COMMANDS = (
    LOADER.with_name(f"{name}.sh") for name in ("load_own_modules", "own_root", "own_commands")
)
"""What a guest reads if it has modules, a root or commands of the user's."""

CONSOLE_HERE, CONSOLE_ELSEWHERE = (
    LOADER.with_name(f"console_{where}.sh") for where in ("here", "elsewhere")
)
"""What the guest with the console reads, and what the others do."""

OWN_PROGRAMS = LOADER.with_name("own_programs.sh")
ANSWER = LOADER.with_name("answer_programs.sh")
ON_FAILURE = "failure"
Assignments = Mapping[str, str]


@dataclass(frozen=True)
class Console:
    """The console of one guest: when it opens, its terminal's module, the user's kind of terminal.

    `term` is empty where the user is at no terminal.
    """

    host: str
    when: str
    module: Path
    term: str


class Program(Protocol):
    """A program of the user's (topology.Program)."""

    @property
    def command(self) -> str: ...  # noqa: D102
    @property
    def wait_port(self) -> int | None: ...  # noqa: D102


def write_guest_files(
    raw: Path,
    settings: Mapping[str, Assignments],
    adapters: Mapping[str, Mapping[str, Assignments]],
    modules: Mapping[str, Mapping[str, Path]] | None = None,
    hosts: Mapping[str, HostParts] | None = None,
    names: str = "",
    programs: Mapping[str, Sequence[Program]] | None = None,
    console: Console | None = None,
) -> None:
    """Write `guests/NAME/files` under the raw folder, and its image, for every machine.

    They are `settings`, `adapters/NAME` for each adapter that the workload is not on, and
    `modules/NAME.ko` for each driver that the guest loads: `modules` has these files by machine
    and name. The last line of such a guest's settings loads them. `hosts` has what users
    give; `names` is the text of their etc/hosts. `programs` has each guest's programs. `console`
    is the run's, if it has one.
    """
    for machine, assignments in settings.items():
        folder = raw / "guests" / machine / "files"
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / "settings", assignments)
        for name, each in adapters.get(machine, {}).items():
            (folder / "adapters").mkdir(exist_ok=True)
            _write(folder / "adapters" / name, each)
        if drivers := (modules or {}).get(machine):
            _add_modules(folder, drivers)
        if console and console.when == ON_FAILURE:  # of what follows, too
            _add_console(folder, console, machine)
        if own := (hosts or {}).get(machine):
            _add_own(folder, own, names)
        if console and console.when != ON_FAILURE:  # the user's commands are there already
            _add_console(folder, console, machine)
        if listed := (programs or {}).get(machine):
            _add_programs(folder, listed, names)
        guest_image.of_folder(folder, folder.with_name(IMAGE))


def _add_modules(folder: Path, drivers: Mapping[str, Path]) -> None:
    (folder / "modules").mkdir(exist_ok=True)
    shutil.copy(LOADER, folder / "modules")
    for name, module in drivers.items():
        shutil.copy(module, folder / "modules" / f"{name}.ko")
    with (folder / "settings").open("a") as settings:
        settings.write(f"LH_MODULES={shlex.quote(' '.join(drivers))}\n")
        settings.write(f'. "$LH_FILES/modules/{LOADER.name}"\n')


def _add_console(folder: Path, console: Console, machine: str) -> None:
    if machine != console.host:
        _read_at_start(folder, CONSOLE_ELSEWHERE)
        return
    (folder / "console").mkdir()
    shutil.copyfile(console.module, folder / "console" / "longhaul_console.ko")
    with (folder / "settings").open("a") as settings:
        settings.write(f"LH_CONSOLE={console.when}\n")
        settings.write(f"LH_CONSOLE_TERM={shlex.quote(console.term)}\n")
    _read_at_start(folder, CONSOLE_HERE)


def _add_own(folder: Path, parts: HostParts, names: str) -> None:
    """Add what the user gives; the last lines of the settings make it so."""
    if parts.root:
        (folder / "hosts").write_text(names)
        _read_at_start(folder, OWN_ROOT)
    if parts.modules:
        _add_own_modules(folder, parts)
    commands = {"before": parts.software.commands_before, "after": parts.software.commands_after}
    if any(commands.values()):
        _add_commands(folder / "commands", commands)
        _read_at_start(folder, OWN_COMMANDS)


def _read_at_start(folder: Path, script: Path) -> None:
    shutil.copy(script, folder)
    with (folder / "settings").open("a") as settings:
        settings.write(f'. "$LH_FILES/{script.name}"\n')


def _add_commands(place: Path, commands: Mapping[str, Sequence[str]]) -> None:
    """Write a script for each; one whose text begins with a hyphen may fail."""
    place.mkdir()
    for when, texts in commands.items():
        for number, text in enumerate(texts, 1):
            script = place / f"{when}-{number:03}"
            script.write_text(f"{text.removeprefix('-').strip()}\n")
            if text.startswith("-"):
                script.with_name(f"{script.name}.may_fail").touch()


def _add_programs(folder: Path, listed: Sequence[Program], names: str) -> None:
    """Write a script for each program and their list; the last line of the settings runs them."""
    place = folder / "programs"
    place.mkdir()
    (folder / "hosts").write_text(names)
    shutil.copy(ANSWER, place / "answer")
    rows: list[str] = []
    for number, program in enumerate(listed, 1):
        script = place / f"{number:03}"
        script.write_text(f"{program.command.removeprefix('-').strip()}\n")
        if program.command.startswith("-"):
            script.with_name(f"{script.name}.may_fail").touch()
        kind = "client" if program.wait_port is None else "server"
        rows.append(f"{script.name} {kind} {program.wait_port or 0}\n")
    (place / "list").write_text("".join(rows))
    _read_at_start(folder, OWN_PROGRAMS)


def _add_own_modules(folder: Path, parts: HostParts) -> None:
    place = folder / "modules"
    place.mkdir(exist_ok=True)
    shutil.copy(OWN_LOADER, place)
    for each in parts.modules:
        shutil.copyfile(each.module.file, place / f"{each.module.name}.ko")
        if each.parameters:
            (place / f"{each.module.name}.parameters").write_text(f"{each.parameters}\n")
        if each.takes:
            patterns = claims.patterns(each.module.file)
            (place / f"{each.module.name}.claims").write_text("".join(f"{p}\n" for p in patterns))
    names = " ".join(each.module.name for each in parts.modules)
    with (folder / "settings").open("a") as settings:
        settings.write(f"LH_OWN_MODULES={shlex.quote(names)}\n")
        settings.write(f'. "$LH_FILES/modules/{OWN_LOADER.name}"\n')


def _write(file: Path, assignments: Assignments) -> None:
    lines = [f"{name}={shlex.quote(value)}\n" for name, value in sorted(assignments.items())]
    file.write_text("".join(lines))
