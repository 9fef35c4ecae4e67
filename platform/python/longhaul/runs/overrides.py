# SPDX-License-Identifier: Apache-2.0
"""`--param OBJECT.NAME=VALUE`: any parameter of any model, as the manifest names them.

An object is `MACHINE.cpu`, `.memory`, `.pcix`, `.bridge`, `MACHINE.DEVICE`,
`MACHINE.DEVICE.firmware`, a switch, a box or a link. A modelled host also has `MACHINE.host.tcp`,
`.net`, `.kernel`, `.interrupts`, `.DEVICE` (its driver) and each program; `*` stands for every
machine. The simulator knows the parameters' names, units and ranges and refuses what does not fit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.schema import SimConfig

WITH_UNIT = 'wants a text with its unit, such as "133MHz" or "200ns"'
EXAMPLE = "--param '*.cpu.mispredict_cycles=12'"
_MACHINE_PARTS = ("cpu", "memory", "pcix", "bridge")
_HOST_PARTS = ("tcp", "net", "kernel", "interrupts")


@dataclass(frozen=True)
class Override:
    """One parameter of one object, or of the same object of every machine."""

    object: str
    name: str
    value: str | int | float | bool

    def __str__(self) -> str:
        return f"{self.object}.{self.name}={self.value}"

    def objects(self, machines: Iterable[str]) -> list[str]:
        """Return the objects that it is about, of a run with machines of these names."""
        if not self.object.startswith("*."):
            return [self.object]
        return [f"{machine}{self.object[1:]}" for machine in machines]


def parse(texts: Sequence[str]) -> tuple[Override, ...]:
    """Read `OBJECT.NAME=VALUE` texts; a UsageError says what is wrong with one."""
    found: list[Override] = []
    for text in texts:
        path, equals, value = text.partition("=")
        thing, dot, name = path.rpartition(".")
        if not equals or not dot or not thing or not name or not value:
            raise UsageError(f"--param {text}: wants OBJECT.NAME=VALUE, such as {EXAMPLE}")
        override = Override(thing, name, _value(value))
        if any((o.object, o.name) == (thing, name) for o in found):
            raise UsageError(f"--param {path}: is given twice")
        found.append(override)
    return tuple(found)


def _value(text: str) -> str | int | float | bool:
    if text in ("true", "false"):
        return text == "true"
    for read in (int, float):
        try:
            number = read(text)
        except ValueError:
            continue
        return number if math.isfinite(number) else text  # which the simulator refuses by its name
    return text


def apply(config: dict[str, Any], overrides: Sequence[Override]) -> dict[str, Any]:
    """Write the overrides into a simulator's configuration (as a dict) and return it."""
    objects = dict(_objects(config))
    for override in overrides:
        for name in override.objects(machine["name"] for machine in config["machines"]):
            if name not in objects:
                raise UsageError(
                    f"--param {override}: there is no {name}{did_you_mean(name, objects)}"
                )
            objects[name][override.name] = override.value
    return config


def applied(config: SimConfig, overrides: Sequence[Override]) -> SimConfig:
    """Return a simulator's configuration with the overrides; a UsageError names a wrong one."""
    for override in overrides:
        try:
            config = SimConfig.model_validate(apply(config.model_dump(), [override]))
        except ValidationError as error:
            first = error.errors()[0]
            cure = WITH_UNIT if first["type"] == "string_type" else first["msg"]
            raise UsageError(f"--param {override}: {cure}") from None
    return config


def _objects(config: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for machine in config["machines"]:
        for part in _MACHINE_PARTS:
            yield f"{machine['name']}.{part}", machine.setdefault(part, {})
        for device in machine["devices"]:
            yield f"{machine['name']}.{device['name']}", device["params"]
            yield f"{machine['name']}.{device['name']}.firmware", device["firmware"]
        if machine.get("host"):
            yield from _host_objects(f"{machine['name']}.host", machine["host"])
    for group in ("switches", "boxes", "links"):
        for item in config[group]:
            yield item["name"], item["params"]


def _host_objects(place: str, host: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for part in _HOST_PARTS:
        yield f"{place}.{part}", host.setdefault(part, {})
    for interface in host["interfaces"]:
        yield f"{place}.{interface['device']}", interface["driver"]
    types = [program["type"] for program in host["programs"]]
    for index, program in enumerate(host["programs"]):
        alone = types.count(program["type"]) == 1
        yield f"{place}.{program['type']}{'' if alone else index}", program["params"]
