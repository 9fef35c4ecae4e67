# SPDX-License-Identifier: Apache-2.0
"""Workspaces for tests, with scenarios of two hosts on a cable."""

from pathlib import Path

SCENARIO = '''"""Two hosts and a cable.

Question: what does a cable carry?
"""

from dataclasses import dataclass

from longhaul.testbeds import opteron_10g as bench
from longhaul.topology import Scenario

QUESTION = "What does a cable carry?"


@dataclass(frozen=True, kw_only=True)
class SETTINGS(bench.HostSettings):
    """Those of the hosts."""


def build(settings, seed):
    """Sender and receiver."""
    scenario = Scenario("cable", seed=seed)
    sender, receiver = bench.add_hosts(scenario, settings)
    scenario.link(sender.port("eth0"), receiver.port("eth0"))
    scenario.run_workload(bench.workload(settings, sender, receiver))
    return scenario
'''
PRESET = """description = "a PC"
[cpu]
clock = {value = "1.5GHz", evidence = "assumed", source = "as an example"}
[memory]
size = {value = "1GiB", evidence = "assumed", source = "as an example"}
[pcix]
clock = {value = "133MHz", evidence = "assumed", source = "as an example"}
mmrbc = {value = 512, evidence = "assumed", source = "as an example"}
outstanding = {value = 3, evidence = "assumed", source = "as an example"}
latency_timer = {value = 64, evidence = "assumed", source = "as an example"}
"""


def make(folder: Path, *scenarios: str, name: str = "mine", more: str = "") -> Path:
    """Make a workspace with scenarios of these names; return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "longhaul.toml").write_text(f'[workspace]\nname = "{name}"\n{more}')
    for each in scenarios:
        add(folder / "scenarios" / each)
    return folder


def add(folder: Path, text: str = SCENARIO) -> Path:
    """Make a scenario's folder; return it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "scenario.py").write_text(text)
    return folder
