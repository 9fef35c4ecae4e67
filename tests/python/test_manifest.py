# SPDX-License-Identifier: Apache-2.0
"""Parameters that were given a value, in the manifest."""

from importlib import metadata

import pytest
from longhaul import registry
from longhaul.results.simdata import ModelParam
from longhaul.runs import overrides
from longhaul.runs.manifest import parameters, python_packages


def row_of(thing: str, name: str, *settings: str, param: str = "", given: bool = True) -> list[str]:
    """Evidence and source of one parameter of a run of ixgb_wan."""
    entry = registry.find("ixgb_wan")
    scenario = entry.build(entry.parse(["system=linux-2.6.6", *settings]), 1)
    own = ModelParam(
        object=thing, name=name, value=1, evidence="measured", source="its own", set=given
    )
    [row] = parameters([own], scenario, overrides.parse([param] if param else []))
    return [row["evidence"], row["source"]]


def test_what_nobody_has_set_keeps_its_own_source() -> None:
    assert row_of("sender.cpu", "mispredict_cycles", given=False) == ["measured", "its own"]


def test_a_presets_value_has_the_presets_source() -> None:
    evidence, source = row_of("sender.memory", "size")
    assert evidence == "datasheet"
    assert source.startswith("OPTERON-10G 2.1")


@pytest.mark.parametrize("settings", [["cpu_ghz=2.1"], []])
def test_a_scenarios_value_is_the_scenarios(settings: list[str]) -> None:
    evidence, source = row_of("sender.cpu", "clock", *settings)
    assert evidence == "chosen"
    assert source == "set by the scenario (see its settings); by itself: its own"


@pytest.mark.parametrize("param", ["*.cpu.clock=2GHz", "sender.cpu.clock=2GHz"])
def test_a_value_from_the_command_line_says_so(param: str) -> None:
    assert row_of("sender.cpu", "clock", param=param) == ["chosen", "set with --param"]


def test_one_machines_is_not_the_other_ones() -> None:
    evidence, source = row_of("receiver.memory", "size", param="sender.memory.size=1GiB")
    assert (evidence, source[:11]) == ("datasheet", "OPTERON-10G")


def test_packages_have_the_versions_of_their_metadata() -> None:
    found = python_packages()
    assert len(found) > 10
    assert found == {name: metadata.version(name) for name in found}
