# SPDX-License-Identifier: Apache-2.0
"""TCP of a T110's chip against scripts after the RFCs, beside Linux' own TCP."""

import re
from pathlib import Path

import pytest
from longhaul.guest.software import GuestSoftware
from longhaul.units import s
from rig.scenarios import Run, command, pair, script, simulate

PROGRAMS = Path(__file__).with_name("programs")
TABLE = Path(__file__).parents[2] / "sw" / "drivers" / "toe" / "conformance.md"
SCRIPTS = 37


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The receiver's stacks are tested. The sender's own stack has nothing to do with it."""
    scenario, sender, receiver = pair(
        "conformance",
        adapter="n110",
        params={"board": "t110"},
        kernel_args=("t110.offload=1",),
        mtu=1500,
    )
    names = ("socket_agent.py", "tcp_wire.py", "tcp_scripts.py", "tcp_data_scripts.py")
    files = {f"/root/{name}": PROGRAMS / name for name in names}
    for end in ("sender", "receiver"):
        scenario.give(end, GuestSoftware(packages=("python3-minimal",), files=files))
    out = tmp_path_factory.mktemp("conformance") / "out"
    agent = "exec python3 /root/socket_agent.py 5999"
    text = script("t110_conformance.sh")
    return simulate(scenario, command(sender, receiver, text, agent, about=s(100)), out)


def said(run: Run, stack: str) -> dict[str, str]:
    return dict(row.split(": ", 1) for row in run.text(stack).splitlines())


@pytest.mark.parametrize("stack", ["chip", "software"])
def test_both_stacks_keep_the_rules(run: Run, stack: str) -> None:
    found = said(run, stack)
    assert {name: what for name, what in found.items() if not what.startswith("[")} == {}
    assert len(found) == SCRIPTS


def test_what_differs_is_in_the_table(run: Run) -> None:
    rows = re.findall(r"^\| `(\w+)` \| `(.*?)` \| `(.*?)` \|", TABLE.read_text(), re.M)
    chip, software = said(run, "chip"), said(run, "software")
    differ = {name: (chip[name], software[name]) for name in chip if chip[name] != software[name]}
    assert differ == {name: (of_chip, of_software) for name, of_chip, of_software in rows}


def test_the_chip_ran_its_connections(run: Run) -> None:
    opened = run.until_end("receiver.eth0.path.toe.opened")
    assert opened > 30
    assert opened == run.until_end("receiver.eth0.path.toe.released")
    assert run.checks["quiet"] == ""
    assert run.complaints() == []
