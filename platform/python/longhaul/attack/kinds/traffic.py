# SPDX-License-Identifier: Apache-2.0
"""Traffic of real guests, good in all its settings: the simulator under load.

A sanitizer's simulator (`--simulator asan`) sees every model of an adapter and of the path between
two of them. Cases are ixgb back to back and across the delay box, and e1000 and skge through the
GNET-1.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from longhaul.attack import processes
from longhaul.attack.kind import Kind, Verdict
from longhaul.attack.kinds import launches
from longhaul.attack.oracle import DONE, Expected, Fault, codes
from longhaul.attack.place import Place

LIMIT_S = 600.0
# Further files that a run may write. Waves are left out: the writer's own temporary files lie in
# /tmp, which is outside of the cage.
_OPTIONS = ((), (), ("--record", "--pcap"), ("--timeline",))
_CONGESTION = ("reno", "cubic", "bic", "westwood", "htcp", "bbr")


class Traffic(Kind):
    """Case N is a run of real guests, the N-th scenario in turn."""

    name = "traffic"
    what = "traffic of real guests over all adapters, which has to end well"

    def run(self, number: int, place: Place) -> Verdict:
        """Run it to its end."""
        launch = drawn(self.ground.chance(self.name, number), number)
        environment = launches.environment(place, self.ground.simulator)
        command = launch.command()
        limits = processes.Limits(LIMIT_S * self.ground.patience)
        ended = self.ended(command, place, environment, limits, expected=[launches.OUT])
        more = _moved(place) if ended.code == DONE else []
        label = f"{launch.scenario} {' '.join(launch.sets)}"
        return self.verdict(number, label, ended, Expected(codes(DONE)), command=command, more=more)


def drawn(chance: random.Random, number: int) -> launches.Launch:
    """Return the run of a case."""
    return _SCENARIOS[number % len(_SCENARIOS)](chance)


def _ixgb(chance: random.Random) -> tuple[str, ...]:
    workload = chance.choice(["iperf", "iperf", "iperf3", "udp", "ping"])
    common = (
        f"workload={workload}",
        f"duration={chance.choice([10, 20, 40])}ms",
        f"mtu={chance.choice([1500, 4000, 9198])}",
        f"ip={chance.choice(['v4', 'v6'])}",
        f"rings={chance.choice(['64/64', '512/256', '512/4096'])}",
        f"mmrbc={chance.choice([512, 2048, 4096])}",
        f"gro={chance.choice(['on', 'off'])}",
    )
    if workload not in ("iperf", "iperf3"):
        return common
    return (
        *common,
        f"streams={chance.choice([1, 1, 3])}",
        f"tso={chance.choice(['on', 'off'])}",
        f"congestion={chance.choice(_CONGESTION)}",
    )


def _back_to_back(chance: random.Random) -> launches.Launch:
    return launches.Launch("ixgb_b2b", _ixgb(chance), options=chance.choice(_OPTIONS))


def _across(chance: random.Random) -> launches.Launch:
    path = (f"rtt={chance.choice(['100us', '1ms'])}", f"loss={chance.choice(['0', '0.1%', '1%'])}")
    sets = (*_ixgb(chance), *path)
    return launches.Launch("ixgb_wan", sets, options=chance.choice(_OPTIONS))


def _gnet1(chance: random.Random, adapter: str) -> launches.Launch:
    workload = chance.choice(["iperf", "iperf", "ping"])
    sets = (
        "box=gnet1",
        f"adapter={adapter}",
        f"delay={chance.choice(['0s', '1ms'])}",
        f"duration={chance.choice([20, 40])}ms",
        f"workload={workload}",
        *((f"congestion={chance.choice(_CONGESTION)}",) if workload == "iperf" else ()),
    )
    return launches.Launch("gnet1_table1", sets, options=chance.choice(_OPTIONS))


_SCENARIOS: tuple[Callable[[random.Random], launches.Launch], ...] = (
    _back_to_back,
    lambda chance: _gnet1(chance, "82545em"),
    _across,
    lambda chance: _gnet1(chance, "sk-9843"),
)


def _moved(place: Place) -> list[Fault]:
    """Look whether anything went across a wire."""
    if not (place.work / launches.OUT / "results.json").exists():
        return [Fault("result", "exit code 0 without results.json")]
    if launches.measured(place.work / launches.OUT)["wire_gbps"] > 0:
        return []
    return [Fault("result", "no frame went across the wire")]
