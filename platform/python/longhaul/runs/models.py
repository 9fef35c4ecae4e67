# SPDX-License-Identifier: Apache-2.0
"""`MACHINE.DEVICE.model=rtl`: an adapter's TLM type with its RTL in its place.

The topology keeps the TLM type: the guest's driver, names and addresses are those of it. Only the
simulator's configuration has the block's type, and those of the parameters that the block has.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from longhaul import schema
from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.results import adapter_models
from longhaul.runs.overrides import Override
from longhaul.topology import Machine, Scenario
from longhaul.types import adapters, rtl_models
from longhaul.types.described import Described
from longhaul.types.rtl_models import PARAMETER, RTL, TLM, RtlModel
from longhaul.types.workspace_plugins import UNBUILT


def chosen(
    config: schema.SimConfig, overrides: Sequence[Override], plugins: Sequence[Path]
) -> schema.SimConfig:
    """Return the configuration with each adapter's `model` carried out.

    A UsageError for a model that there is not, for a map that differs from its TLM type, and for a
    parameter of `overrides` that the RTL does not have.
    """
    if not any(PARAMETER in device.params for each in config.machines for device in each.devices):
        return config
    known = rtl_models.among(plugins)
    names = [machine.name for machine in config.machines]
    machines: list[schema.Machine] = []
    for machine in config.machines:
        devices: list[schema.Device] = []
        for device in machine.devices:
            place = f"{machine.name}.{device.name}"
            given = {each.name: each for each in overrides if place in each.objects(names)}
            devices.append(_chosen(device, place, given, known, plugins))
        machines.append(machine.model_copy(update={"devices": devices}))
    return config.model_copy(update={"machines": machines})


def _chosen(
    device: schema.Device,
    place: str,
    given: Mapping[str, Override],
    known: Mapping[str, RtlModel],
    plugins: Sequence[Path],
) -> schema.Device:
    if PARAMETER not in device.params:
        return device
    value, rtl = device.params[PARAMETER], known.get(device.type)
    params = {name: each for name, each in device.params.items() if name != PARAMETER}
    if rtl is None:
        if value in (TLM, RTL):
            raise rtl_models.without(place, device.type, known)
        return device  # the type's own parameter, or the simulator refuses it
    if value not in (TLM, RTL):
        near = did_you_mean(str(value), (TLM, RTL))
        raise UsageError(f"{place}.{PARAMETER}: {value!r} is no model{near}")
    if value == TLM or os.environ.get(UNBUILT):  # a check, and nothing that knows the types
        return device.model_copy(update={"params": params})
    of_tlm, of_rtl = (_names(each) for each in rtl_models.checked(rtl, plugins))
    for name in params:
        if name in given and name not in of_rtl:
            raise UsageError(
                f"--param {given[name]}: {rtl.name}, the RTL of {rtl.twin} ({rtl.path}), has no "
                f"parameter {name!r}{did_you_mean(name, of_rtl)}"
            )
    kept = {name: each for name, each in params.items() if name in of_rtl or name not in of_tlm}
    return device.model_copy(update={"type": rtl.name, "params": kept})


def _names(each: Described) -> set[str]:
    return {item.name for item in each.parameters["params"]}


def told(scenario: Scenario, config: schema.SimConfig) -> dict[str, dict[str, Any]]:
    """Return type and model of each adapter, for results and manifest.

    For RTL in the place of a TLM type also the block, and what the scenario sets of the TLM model
    alone: that was left out.
    """
    devices = {
        f"{machine.name}.{device.name}": device
        for machine in config.machines
        for device in machine.devices
    }
    found: dict[str, dict[str, Any]] = {}
    for machine in (each for each in scenario.parts.values() if isinstance(each, Machine)):
        for nic in machine.nics:
            place = f"{machine.name}.{nic.name}"
            device = devices[place]
            rtl_itself = adapters.find(nic.type).rtl
            if rtl_itself or device.type == nic.type:
                found[place] = {"type": nic.type, "model": RTL if rtl_itself else TLM}
                continue
            left_out = {
                name: value
                for name, value in nic.params.items()
                if name != PARAMETER and name not in device.params
            }
            found[place] = adapter_models.replaced(nic.type, device.type, left_out)
    return found


def parameters(
    models: Mapping[str, Mapping[str, Any]], overrides: Iterable[Override], plugins: Sequence[Path]
) -> list[dict[str, Any]]:
    """Return the manifest's rows of `model`, of the adapters whose types have a map."""
    known = rtl_models.among(plugins)
    machines = list(dict.fromkeys(place.partition(".")[0] for place in models))
    given = {
        place
        for each in overrides
        if each.name == PARAMETER
        for place in each.objects(machines)
    }  # fmt: skip
    rows: list[dict[str, Any]] = []
    for place, each in models.items():
        if each["type"] not in known:
            continue
        item = rtl_models.parameter(known[each["type"]])
        by_user, by_scenario = place in given, each["model"] != TLM
        source = item.source
        if by_user or by_scenario:
            source = "set with --param" if by_user else "set by the scenario (see its settings)"
        rows.append(
            {
                "object": place,
                "name": PARAMETER,
                "value": each["model"],
                "unit": "",
                "evidence": item.evidence,
                "source": source,
                "set": by_user or by_scenario,
            }
        )
    return rows
