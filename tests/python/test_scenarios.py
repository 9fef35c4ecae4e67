# SPDX-License-Identifier: Apache-2.0
"""Scenarios are found, built and refused; the one of scenarios/README.md is as it says."""

import re
from pathlib import Path

import pytest
from longhaul import registry
from longhaul.errors import LonghaulError
from longhaul.paths import ROOT
from longhaul.units import ms

README = ROOT / "scenarios" / "README.md"
MINIMAL = """from dataclasses import dataclass
from longhaul.testbeds import opteron_10g as testbed
from longhaul.topology import Scenario
SETTINGS = testbed.HostSettings
def build(settings, seed):
    {body}
"""


def entry_of(tmp_path: Path, text: str, name: str) -> registry.ScenarioEntry:
    folder = tmp_path / "scenarios" / name
    folder.mkdir(parents=True)
    (folder / "scenario.py").write_text(text)
    return registry.scenarios(tmp_path)[name]


@pytest.mark.parametrize("name", sorted(registry.scenarios()))
def test_every_scenario_builds_with_its_defaults(name: str) -> None:
    entry = registry.find(name)
    for case in entry.cases([]) or [()]:
        assert entry.build(entry.parse_case([], case), seed=1).name == name


def test_the_readmes_scenario_is_built_with_its_own_setting(tmp_path: Path) -> None:
    code = re.search(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    assert code
    entry = entry_of(tmp_path, code[1], "hello_readme")
    assert entry.title == "Two hosts and a delay box between them."
    scenario = entry.build(entry.parse(["delay=5ms", "system=linux-2.6.6"]), seed=1)
    (box,) = [part for part in scenario.parts.values() if part.name == "box"]
    assert box.one_way_delay == ms(5)
    assert not scenario.has_guests()


@pytest.mark.parametrize(
    ("body", "line", "what"),
    [
        ("return Scenario(nonsense=1)", 6, "TypeError: .*unexpected keyword argument 'nonsense'"),
        ("return settings.nothing", 6, "AttributeError: .*has no attribute 'nothing'"),
        ("return (", 6, r"SyntaxError: '\(' was never closed"),
    ],
)
def test_a_mistake_in_its_code_is_told_with_file_and_line(
    tmp_path: Path, body: str, line: int, what: str
) -> None:
    name = f"wrong_{line}_{len(body)}"
    entry = entry_of(tmp_path, MINIMAL.format(body=body), name)
    path = re.escape(str(tmp_path / "scenarios" / name / "scenario.py"))
    with pytest.raises(LonghaulError, match=f"^{path}:{line}: {what}"):
        entry.build(entry.parse([]), seed=1)


def test_one_that_does_not_load_can_be_mended(tmp_path: Path) -> None:
    entry = entry_of(tmp_path, "import nothing_of_that_name\n", "mended")
    with pytest.raises(LonghaulError, match="scenario.py:1: ModuleNotFoundError"):
        entry.build(None, seed=1)
    (entry.folder / "scenario.py").write_text("SETTINGS = object\n")
    with pytest.raises(LonghaulError, match="does not define build"):
        entry.build(None, seed=1)
    (entry.folder / "scenario.py").write_text("SETTINGS = object\nbuild = SETTINGS\n")
    assert entry.module.SETTINGS is object
