# SPDX-License-Identifier: Apache-2.0
"""Sockets over the chip of a T110, beside the same over Linux' own TCP."""

import re
from pathlib import Path

import pytest
from longhaul.guest.software import GuestSoftware
from longhaul.units import s
from rig.scenarios import Run, command, counted, pair, script, simulate

PROGRAMS = Path(__file__).with_name("programs")
README = Path(__file__).parents[2] / "sw" / "drivers" / "toe" / "README.md"
CHECKS = 2 * 21 + 12
PYTHON = GuestSoftware(
    packages=("python3-minimal",),
    files={f"/root/{name}": PROGRAMS / name for name in ("socket_agent.py", "socket_semantics.py")},
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    scenario, sender, receiver = pair(
        "sockets",
        adapter="n110",
        params={"board": "t110"},
        kernel_args=("t110.offload=1",),
        mtu=1500,
    )
    for end in ("sender", "receiver"):
        scenario.give(end, PYTHON)
    out = tmp_path_factory.mktemp("sockets") / "out"
    agent = "exec python3 /root/socket_agent.py 5999"
    text = script("t110_sockets.sh")
    return simulate(scenario, command(sender, receiver, text, agent, about=s(100)), out)


def said(run: Run, stack: str) -> dict[str, str]:
    """Return what the program's checks saw of one stack."""
    return dict(row.split(": ", 1) for row in run.text(stack).splitlines())


def documented() -> dict[str, tuple[str, str]]:
    """Return the README's table of differences: outcomes of chip and software, by check."""
    rows = re.findall(r"^\| `(unlike_\w+)` \| `(.*?)` \| `(.*?)` \|", README.read_text(), re.M)
    return {name: (chip, software) for name, chip, software in rows}


def test_every_check_ended(run: Run) -> None:
    for stack in ("chip", "software"):
        failed = {name: what for name, what in said(run, stack).items() if "failed" in what}
        assert failed == {}
    assert len(said(run, "chip")) == CHECKS


def test_sockets_of_the_chip_do_what_tcps_do(run: Run) -> None:
    chip, software = said(run, "chip"), said(run, "software")
    assert chip.keys() == software.keys()
    differ = {name: (chip[name], software[name]) for name in chip if chip[name] != software[name]}
    assert differ == documented()


def test_the_software_does_what_the_program_says(run: Run) -> None:
    """A few outcomes by name, so that two stacks that both do nothing are not alike."""
    software = said(run, "software")
    assert software["is_refused"].startswith("['ECONNREFUSED'")
    assert "'ECONNRESET', b'', 'EPIPE'" in software["peer_resets/active"]
    assert software["lingers_not/passive"] == "['ECONNRESET', 'EPIPE']"
    assert software["many_ways/active"] == "[True, True]"
    assert software["is_interrupted/active"] == "['EINTR', b'x']"


def test_the_chip_has_had_and_lost_all_connections(run: Run) -> None:
    statistics = counted(run.text("statistics"))
    assert statistics["toe_opened"] == statistics["toe_closed"] > 50
    assert statistics["toe_software"] == statistics["toe_no_memory"] == 0
    assert run.until_end("sender.eth0.path.toe.opened") == run.until_end(
        "sender.eth0.path.toe.released"
    )
    # The receiver's sockets did not ask.
    assert run.until_end("receiver.eth0.path.toe.opened") == 0


def test_no_kernel_complains(run: Run) -> None:
    assert run.checks["quiet"] == ""
    assert run.complaints() == []
