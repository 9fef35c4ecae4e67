# SPDX-License-Identifier: Apache-2.0
"""Many pairs of modelled hosts through one switch or delay box.

Question: what do hosts get that share a switch, or a long path, and what does a simulation of so
many cost? Each pair runs every workload of the mix; each begins `stagger` after the one before.
"""

from dataclasses import dataclass

from longhaul.boxes.delay_box import DelayBox
from longhaul.errors import UsageError
from longhaul.settings import Choice, Count, Quantities, changed, setting, with_default
from longhaul.testbeds import mixes
from longhaul.testbeds import opteron_10g as testbed
from longhaul.testbeds.opteron_paths import WanSettings
from longhaul.topology import Port, Scenario, Switch
from longhaul.units import Time, ps, s

NOT_USED = ("serve", "rate")  # of the testbed's settings: what udp and command lines are told


@dataclass(frozen=True, kw_only=True)
class PairSettings(testbed.HostSettings):
    """Settings of the hosts, all alike, on their workloads and on what joins them."""

    pairs: int = setting(
        Count(1, 64, "pairs"), "2", help="pairs of hosts", source="the least that share anything"
    )
    path: str = setting(
        Choice(("switch", "delay")),
        "switch",
        help="one switch for all, or a switch on either side of a delay box that all share",
        source="the shorter one",
    )
    rtt: Time = with_default(
        WanSettings, "rtt", "10ms", source="as ixgb_wan", only={"path": ("delay",)}
    )
    stagger: Time = setting(
        Quantities(ps(0), s(60), "ms"),
        "0s",
        help="from the begin of a pair's workloads to the next pair's",
        source="all at once",
    )
    system: str = with_default(
        testbed.HostSettings, "system", "linux-2.6.6", source="OPTERON-10G 2.1: Linux 2.6.6"
    )
    workload: str = setting(
        mixes.Mix(),
        "iperf",
        help=f"what each pair runs: {', '.join(mixes.KINDS)}, or several joined by {mixes.BETWEEN}",
        source="one stream",
    )


QUESTION = "What do delay and window leave of the rate?"
SETTINGS = PairSettings


def build(settings: PairSettings, seed: int) -> Scenario:
    """Senders on one side, receivers on the other."""
    for name in NOT_USED:
        if name in changed(settings):
            raise UsageError(f"{name}: no workload of pairs uses it")
    scenario = Scenario("pairs", seed=seed)
    near, far = _path(scenario, settings)
    told = mixes.Traffic(
        duration=settings.duration,
        warmup=settings.warmup,
        ip=settings.ip,
        window=settings.window,
        streams=settings.streams,
    )
    for i in range(settings.pairs):
        sender, receiver = testbed.add_hosts(scenario, settings, (f"sender{i}", f"receiver{i}"))
        scenario.link(sender.port("eth0"), near[i], name=f"sender{i}_link")
        scenario.link(far[i], receiver.port("eth0"), name=f"receiver{i}_link")
        start = settings.stagger * i
        for workload in mixes.workloads(settings.workload, sender, receiver, told, start):
            scenario.run_workload(workload)
    return scenario


def _path(scenario: Scenario, settings: PairSettings) -> tuple[list[Port], list[Port]]:
    """Return the ports that the senders are joined to, and the receivers'."""
    pairs = settings.pairs
    if settings.path == "switch":
        one = _switch(scenario, settings, "xsw", 2 * pairs)
        return one[:pairs], one[pairs:]
    west = _switch(scenario, settings, "west", pairs + 1)
    east = _switch(scenario, settings, "east", pairs + 1)
    anue = scenario.add(DelayBox(name="anue", one_way_delay=settings.rtt / 2))
    scenario.link(west[-1], anue.port("west"), name="wan_west")
    scenario.link(anue.port("east"), east[-1], name="wan_east")
    return west[:-1], east[:-1]


def _switch(scenario: Scenario, settings: PairSettings, name: str, ports: int) -> list[Port]:
    longest = max(settings.mtu, testbed.FABRIC_MTU) + testbed.FRAME_OVERHEAD
    switch = scenario.add(
        Switch(name=name, ports=ports, params={"max_ports": 128, "max_frame": longest})
    )
    return [switch.port(port) for port in switch.port_names()]
