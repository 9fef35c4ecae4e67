# SPDX-License-Identifier: Apache-2.0
"""Real PCs, from the presets in platform/config/machines."""

import tomllib
from dataclasses import dataclass
from functools import cache

from longhaul.paths import ROOT
from longhaul.topology.parts import Machine, Nic, PcixSettings
from longhaul.units import Frequency, Size


@dataclass(frozen=True)
class PresetValue:
    """One value of a preset and how it is known."""

    value: str | int
    evidence: str
    source: str


@cache
def preset(name: str) -> dict[str, PresetValue]:
    """Read a machine preset as {"cpu.clock": value, ...}."""
    path = ROOT / "platform" / "config" / "machines" / f"{name}.toml"
    tables = tomllib.loads(path.read_text())
    tables.pop("description")
    return {
        f"{group}.{key}": PresetValue(entry["value"], entry["evidence"], entry["source"])
        for group, entries in tables.items()
        for key, entry in entries.items()
    }


def opteron_hdama(
    name: str,
    *,
    nic: Nic,
    cpu_clock: Frequency | None = None,
    memory: Size | None = None,
    pcix_clock: Frequency | None = None,
    mmrbc: int | None = None,
    outstanding: int | None = None,
    latency_timer: int | None = None,
) -> Machine:
    """Return OPTERON-10G's PC; arguments left out come from the preset."""
    values = preset("opteron_hdama")

    def number(key: str, given: int | None) -> int:
        return int(values[key].value) if given is None else given

    return Machine(
        name=name,
        cpu_clock=cpu_clock or Frequency.parse(str(values["cpu.clock"].value)),
        memory=memory or Size.parse(str(values["memory.size"].value)),
        pcix=PcixSettings(
            clock=pcix_clock or Frequency.parse(str(values["pcix.clock"].value)),
            mmrbc=number("pcix.mmrbc", mmrbc),
            outstanding=number("pcix.outstanding", outstanding),
            latency_timer=number("pcix.latency_timer", latency_timer),
        ),
        nics=(nic,),
    )
