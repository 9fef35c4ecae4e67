# SPDX-License-Identifier: Apache-2.0
"""manifest.json: all that a run depended on, so that it can be repeated and its numbers weighed."""

from __future__ import annotations

import platform
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from longhaul import __version__
from longhaul.answers import sha256
from longhaul.guest import dpkg, known_versions
from longhaul.guest.parts import GuestParts
from longhaul.paths import GIT, ROOT
from longhaul.registry import ScenarioEntry
from longhaul.results import uncounted
from longhaul.results.simdata import ModelParam, SimData
from longhaul.runs.overrides import Override
from longhaul.schema import SimConfig
from longhaul.settings import changed
from longhaul.topology import Machine, Scenario
from longhaul.types import plugins


def manifest(
    entry: ScenarioEntry,
    settings: Any,
    scenario: Scenario,
    config: SimConfig,
    sim: SimData,
    overrides: Iterable[Override],
    parts: GuestParts | None,
    simulator: Path,
    changes: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Return the manifest: settings and parameters with evidence, seed, layout, versions.

    `changes` of parameters were made while it ran: each with time, parameter, before and after.
    """
    workload = scenario.check()
    ends = {"sender": workload.sender, "receiver": workload.receiver}
    return {
        "scenario": entry.name,
        **({"workspace": entry.workspace} if entry.own else {}),
        "title": entry.title,
        "changed": changed(settings),
        "reproduces": entry.reproduces,
        "seed": config.seed,
        "layout": config.layout,
        "settings": [
            {
                "name": item.name,
                "value": item.kind.plain(getattr(settings, item.name)),
                "unit": item.kind.unit,
                "evidence": "chosen"
                if getattr(settings, item.name) != item.default
                else item.evidence,
                "source": "set by the user"
                if getattr(settings, item.name) != item.default
                else item.source,
                "help": item.help,
            }
            for item in entry.settings.values()
        ],
        "parameters": parameters(sim.params, scenario, overrides, changes),
        "changed_while_running": [dict(change) for change in changes],
        **({"uncounted_programs": _uncounted(sim, config)} if parts else {}),
        **({"host_cpu_s": sim.host_s.model_dump(exclude={"programs_by"})} if parts else {}),
        **({"programs_by": sim.host_s.programs_by} if parts else {}),
        **({"guest_software": _own(parts)} if parts and parts.hosts else {}),
        "config": config.model_dump(),
        "versions": {
            "longhaul": __version__,
            "commit": git_commit(),
            **(_guest_versions(parts) if parts else {}),
            "python": platform.python_version(),
            "python_packages": python_packages(),
            "debian_packages": debian_packages(),
            "host_kernel": platform.release(),
            **({"rtl": plugins.tools(map(Path, config.plugins))} if config.plugins else {}),
        },
        "checksums": {
            "simulator": sha256(simulator),
            **({"scenario": entry.checksums()} if entry.own else {}),
            **({"plugins": plugins.checksums(map(Path, config.plugins))} if config.plugins else {}),
            **(_guest_checksums(parts) if parts else {}),
        },
        "command": sys.argv,
        "roles": {role: machine.name for role, machine in ends.items()},
        "adapters": {role: machine.workload_port.name for role, machine in ends.items()},
    }


def parameters(
    params: Iterable[ModelParam],
    scenario: Scenario,
    overrides: Iterable[Override],
    changes: Iterable[Mapping[str, Any]] = (),
) -> list[dict[str, Any]]:
    """Return the models' parameters; if a value was given, with its evidence.

    The models tell of their own values only: a preset's come with its sources, a scenario's have
    theirs among the settings.
    """
    machines = [part for part in scenario.parts.values() if isinstance(part, Machine)]
    known = {
        f"{machine.name}.{key}": source
        for machine in machines
        for key, source in machine.sources.items()
    }
    given = {
        f"{thing}.{override.name}"
        for override in overrides
        for thing in override.objects(machine.name for machine in machines)
    }
    moved = {change["parameter"] for change in changes}
    found: list[dict[str, Any]] = []
    for param in params:
        row = param.model_dump()
        name = f"{param.object}.{param.name}"
        if name in moved:
            row |= {"evidence": "chosen", "source": "changed while it ran (changed_while_running)"}
        elif name in given:
            row |= {"evidence": "chosen", "source": "set with --param"}
        elif param.set:
            of_scenario = f"set by the scenario (see its settings); by itself: {param.source}"
            evidence, source = known.get(name, ("chosen", of_scenario))
            row |= {"evidence": evidence, "source": source}
        found.append(row)
    return found


def _uncounted(sim: SimData, config: SimConfig) -> dict[str, Any]:
    return uncounted.of(sim, [machine.name for machine in config.machines if machine.guest])


def _guest_versions(parts: GuestParts) -> dict[str, Any]:
    kernel = parts.kernel
    return {
        "guest_kernel": {
            "version": kernel.version,
            "key": kernel.key,
            "package": kernel.package_version,
        },
        "guest_packages": parts.packages,
        "differing": known_versions.differences(parts),
    }


def _guest_checksums(parts: GuestParts) -> dict[str, Any]:
    modules = {name: sha256(driver.file) for name, driver in parts.drivers.items()}
    return {
        "guest_kernel": sha256(parts.kernel.path),
        "drivers": dict(parts.kernel.drivers)
        | {name: driver.sources for name, driver in parts.drivers.items()},
        **({"modules": modules} if modules else {}),
    }


def _own(parts: GuestParts) -> dict[str, Any]:
    """Return what the guests got of the user, by guest (docs/own_drivers.md)."""
    return {guest: each.described() for guest, each in sorted(parts.hosts.items())}


def git_commit() -> str:
    """Return the checkout's commit, with "+changes" where files differ from it."""
    describe = [*GIT, "describe", "--always", "--abbrev=40", "--dirty=+changes"]
    try:
        done = subprocess.run(describe, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "not a git checkout"
    return done.stdout.strip()


def python_packages() -> dict[str, str]:
    """Return the versions of the run-time packages that requirements.txt names."""
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    names = [line.partition("==")[0] for line in lines if "==" in line]
    there = _installed()
    return {name: there.get(_normal(name), "absent") for name in names}


def _installed() -> dict[str, str]:
    """Return the versions of all packages, by normal name, from the names of their metadata.

    A wheel's is in NAME-VERSION.dist-info. importlib.metadata reads each file for the same: it
    takes a tenth of a second.
    """
    folders = (found for place in sys.path for found in Path(place).glob("*.dist-info"))
    pairs = [folder.stem.rpartition("-") for folder in folders]
    return {_normal(name): version for name, _, version in reversed(pairs)}


def _normal(name: str) -> str:
    """Return a package's name as the Python packaging guide normalizes it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def debian_packages() -> dict[str, str]:
    """Return the versions of the Debian packages that platform/config/debian-packages.txt names."""
    text = (ROOT / "platform" / "config" / "debian-packages.txt").read_text()
    names = [
        line.split("|")[0].strip() for line in text.splitlines() if line and line[0] not in "# "
    ]

    def ask(command: list[str]) -> str:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    try:
        said = dpkg.query(["-W", "-f=${Package}\t${Version}\n", *names], ask)
    except OSError:
        return {}
    rows = (line.split("\t") for line in said.splitlines())
    return {name: version for name, version in rows if version}
