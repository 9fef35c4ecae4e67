# SPDX-License-Identifier: Apache-2.0
"""Crowds of connections of a T110's chip (tests/guest/programs/socket_crowd.py), and their end."""

from collections.abc import Mapping
from pathlib import Path

from longhaul.guest.software import GuestSoftware
from longhaul.parts.part import ParamValue
from longhaul.topology import Box, Scenario
from longhaul.units import Time, s

from rig.scenarios import SCRIPTS, Run, command, host, script, simulate

PROGRAMS = Path(__file__).parents[1] / "guest" / "programs"
AGENT = "ulimit -n 4096; exec python3 /root/socket_agent.py 5999"


def run_crowds(
    out: Path,
    text: str,
    *,
    params: Mapping[str, ParamValue] | None = None,
    kernel_config: tuple[str, ...] = (),
    cuts: Mapping[str, ParamValue] | None = None,
    kernel_args: tuple[str, ...] = (),
) -> Run:
    """Run a script at a host with a chip; the peer is Linux' own TCP.

    `kernel_args` are those of the host with the chip, beside the offload's mode.
    With `cuts`, a box in the cable makes it dark now and then (models/wan/frame_injector).
    """
    scenario = Scenario("faults")
    ends = [
        scenario.add(
            host(
                name,
                adapter="n110",
                params={"board": "t110", **(params or {} if mode else {})},
                kernel_args=(f"t110.offload={mode}", *(kernel_args if mode else ())),
                mtu=1500,
            )
        )
        for name, mode in (("sender", 1), ("receiver", 0))
    ]
    near, far = (end.port("eth0") for end in ends)
    if cuts is not None:
        box = scenario.add(
            Box(name="box", type="frame_injector", one_way_delay=Time(0), params=dict(cuts))
        )
        scenario.link(box.port("east"), far, name="far_cable", phy="10gbase-r")
        far = box.port("west")
    scenario.link(near, far, name="cable", phy="10gbase-r")
    names = ("socket_agent.py", "socket_crowd.py", "socket_churn.py")
    files = {f"/root/{name}": PROGRAMS / name for name in names}
    for name in ("sender", "receiver"):
        scenario.give(name, GuestSoftware(packages=("python3-minimal",), files=files))
    scenario.give("sender", GuestSoftware(kernel_config=kernel_config))
    return simulate(scenario, command(ends[0], ends[1], text, AGENT, about=s(100)), out)


def crowd(run: Run, name: str) -> dict[str, str]:
    """Return how a crowd of connections ended, by the first word of each line."""
    return dict(line.split(" ", 1) for line in run.text(f"{name}-crowd").splitlines())


def check_nothing_is_lost(run: Run, name: str, count: int) -> None:
    """Assert that the peer's program got what its TCP acknowledged, and all numbers are free."""
    for step in (f"{name}-opens", name, f"{name}-back", f"{name}-none-left"):
        assert run.checks[step] == ""
    ended = crowd(run, name)
    assert int(ended["acked"]) >= 500 * count
    assert ended["lost"] == "0"
    assert ended["wrong"] == "0 closed True 0"
    assert ended["unanswered"] == "0"


def text_of(name: str, count: int, **variables: str) -> str:
    library = script("t110_crowd.sh", COUNT=str(count), **variables)
    return library + (SCRIPTS / name).read_text()
