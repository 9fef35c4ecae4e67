# SPDX-License-Identifier: Apache-2.0
"""Real PCs, from presets (`presets`)."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict, Unpack

from longhaul.guest import software
from longhaul.parts.machine import Machine, Nic, PcixSettings, System
from longhaul.parts.part import ParamValue
from longhaul.topology.presets import FIRMWARE, PRESETS, PresetValue, names, preset
from longhaul.units import Frequency, Size

__all__ = ["PRESETS", "SLOTS", "PresetValue", "from_preset", "names", "preset"]


class Changes(TypedDict, total=False):
    """Values that differ from a preset's; None: the preset's."""

    cpu_clock: Frequency | None
    memory: Size | None
    pcix_clock: Frequency | None
    pcix_protocol: str | None
    pcix_subphases: int
    bridge: str
    mmrbc: int | None
    outstanding: int | None
    latency_timer: int | None
    system: System | None
    modules: tuple[str | Path, ...]
    module_params: Mapping[str, str]
    packages: tuple[str, ...]
    files: Mapping[str, str | Path]
    commands_before: tuple[str, ...]
    commands_after: tuple[str, ...]
    kernel_args: tuple[str, ...]
    kernel_config: tuple[str, ...]
    platform_bus: Mapping[str, ParamValue]


# The buses that adapters are made for (models/nic/adapter_type.h).
SLOTS: Mapping[str, Changes] = {
    "pcix-133": {"pcix_protocol": "pcix", "pcix_clock": Frequency(133_333_333)},
    "pcix-100": {"pcix_protocol": "pcix", "pcix_clock": Frequency(100_000_000)},
    "pcix-66": {"pcix_protocol": "pcix", "pcix_clock": Frequency(66_666_667)},
    "pci-66": {"pcix_protocol": "pci", "pcix_clock": Frequency(66_666_667)},
    "pci-33": {"pcix_protocol": "pci", "pcix_clock": Frequency(33_333_333)},
    "": {},  # of a platform device
}
CHANGED_BY = {
    "cpu.clock": "cpu_clock",
    "memory.size": "memory",
    "pcix.clock": "pcix_clock",
    "pcix.protocol": "pcix_protocol",
    "pcix.mmrbc": "mmrbc",
    "pcix.outstanding": "outstanding",
    "pcix.latency_timer": "latency_timer",
    "bridge.type": "bridge",
}
AS_GIVEN = (*software.FIELDS, "platform_bus")  # fields of Machine, which no preset has
NAMED = ("cpu.clock", "memory.size")  # values of a preset that are fields of Machine


def from_preset(
    kind: str, name: str, *, nic: Nic | tuple[Nic, ...], **changes: Unpack[Changes]
) -> Machine:
    """Return the PC that preset `kind` describes; `changes` stand in for its values."""
    values = preset(kind)

    def number(key: str, own: int | None) -> int:
        return int(values[key].value) if own is None else own

    def text(key: str, own: str) -> str:
        return str(values[key].value) if key in values else own

    def parts(group: str) -> dict[str, ParamValue]:
        return {
            key.removeprefix(f"{group}."): value.value
            for key, value in values.items()
            if key.startswith(f"{group}.") and key not in NAMED
        }

    own: dict[str, Any] = {key: given for key, given in changes.items() if key in AS_GIVEN}
    machine = Machine(
        name=name,
        cpu_clock=changes.get("cpu_clock") or Frequency.parse(str(values["cpu.clock"].value)),
        memory=changes.get("memory") or Size.parse(str(values["memory.size"].value)),
        pcix=PcixSettings(
            clock=changes.get("pcix_clock") or Frequency.parse(str(values["pcix.clock"].value)),
            mmrbc=number("pcix.mmrbc", changes.get("mmrbc")),
            outstanding=number("pcix.outstanding", changes.get("outstanding")),
            latency_timer=number("pcix.latency_timer", changes.get("latency_timer")),
            protocol=changes.get("pcix_protocol") or text("pcix.protocol", "pcix"),
            width_bits=int(text("pcix.width_bits", "64")),
            data_subphases=changes.get("pcix_subphases", 1),
        ),
        nics=nic if isinstance(nic, tuple) else (nic,),
        system=changes.get("system"),
        cpu=parts("cpu"),
        memory_parts=parts("memory"),
        bridge=parts("bridge") | ({"type": changes["bridge"]} if "bridge" in changes else {}),
        sources={
            place: (value.evidence, value.source)
            for key, value in values.items()
            if changes.get(CHANGED_BY.get(key, "")) is None
            for place in _places(key, nic if isinstance(nic, tuple) else (nic,))
        },
    )
    return dataclasses.replace(machine, **own)


def _places(key: str, nics: tuple[Nic, ...]) -> list[str]:
    """Return the parameters of the machine that a preset's value is for."""
    if key not in FIRMWARE:
        return [key]
    return [f"{nic.name}.firmware.{key.removeprefix('pcix.')}" for nic in nics]


def opteron_hdama(name: str, *, nic: Nic | tuple[Nic, ...], **changes: Unpack[Changes]) -> Machine:
    """Return OPTERON-10G's PC; the preset has all values that `changes` lack."""
    return from_preset("opteron_hdama", name, nic=nic, **changes)


def xeon_533(name: str, *, nic: Nic | tuple[Nic, ...], **changes: Unpack[Changes]) -> Machine:
    """Return GNET-1's PC; the preset has all values that `changes` lack."""
    return from_preset("xeon_533", name, nic=nic, **changes)


def dl380_g2(name: str, *, nic: Nic | tuple[Nic, ...], **changes: Unpack[Changes]) -> Machine:
    """Return GBE-TUNING's server, the measured one; `changes` stand above the preset."""
    return from_preset("dl380_g2", name, nic=nic, **changes)


def express5800_56wg(
    name: str, *, nic: Nic | tuple[Nic, ...], **changes: Unpack[Changes]
) -> Machine:
    """Return GBE-TUNING's workstation; the preset has all values that `changes` lack."""
    return from_preset("express5800_56wg", name, nic=nic, **changes)


def piii_933(name: str, *, nic: Nic | tuple[Nic, ...], **changes: Unpack[Changes]) -> Machine:
    """Return NEC-TOE's PC; the preset has all values that `changes` lack."""
    return from_preset("piii_933", name, nic=nic, **changes)


def core2duo_266(name: str, *, nic: Nic | tuple[Nic, ...], **changes: Unpack[Changes]) -> Machine:
    """Return the PC at BOOSTER's ends; the preset has all values that `changes` lack."""
    return from_preset("core2duo_266", name, nic=nic, **changes)


def express_r120a(name: str, *, nic: Nic | tuple[Nic, ...], **changes: Unpack[Changes]) -> Machine:
    """Return BOOSTER's relay machine; the preset has all values that `changes` lack."""
    return from_preset("express_r120a", name, nic=nic, **changes)
