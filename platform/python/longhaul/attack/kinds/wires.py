# SPDX-License-Identifier: Apache-2.0
"""Wires that lose, damage, repeat and reorder frames: data arrive as sent, or the run fails.

Real guests send a file that nobody can guess and hold the checksums of both ends against each
other. Modelled hosts send a stream; no more data are delivered than came in good frames.
"""

from __future__ import annotations

import random

from longhaul.attack import processes
from longhaul.attack.kind import Kind, Verdict
from longhaul.attack.kinds import launches
from longhaul.attack.oracle import DONE, FAILED, Expected, Fault, codes
from longhaul.attack.place import Place
from longhaul.testbeds import modelled

LIMIT_S = 600.0
MODELS_EVERY = 3  # of so many cases one is of modelled hosts
EQUAL, UNEQUAL = "the checksums are equal", "the checksums differ"
PORT = 7001
# BusyBox' nc serves every client; a transfer that breaks off has no sum to compare.
SERVE = f"nc -ll -p {PORT} -e sha256sum"
SEND = (
    "head -c {size} /dev/urandom >/tmp/file; ours=$(sha256sum </tmp/file); "
    f"theirs=$(timeout {{seconds}} nc $LH_PEER {PORT} </tmp/file); "
    f'[ -n "$theirs" ] || {{{{ echo "the transfer failed"; exit 4; }}}}; '
    f'[ "$ours" = "$theirs" ] && echo "{EQUAL}" || {{{{ echo "{UNEQUAL}"; exit 5; }}}}'
)
SIMULATED_S = 120  # of a transfer, before it counts as failed
_SYSTEMS = modelled.SYSTEMS[1:]


class Wires(Kind):
    """Case N is a transfer over a box with parameters at random."""

    name = "wires"
    what = "transfers over wires that lose, damage, repeat and reorder frames"
    weight = 2

    def run(self, number: int, place: Place) -> Verdict:
        """Send, and compare."""
        chance = self.ground.chance(self.name, number)
        models = not (number + 1) % MODELS_EVERY
        launch, label = of_models(chance) if models else of_guests(chance)
        environment = launches.environment(place, self.ground.simulator)
        limits = processes.Limits(LIMIT_S * self.ground.patience)
        files = [launches.OUT, f"{launches.OUT}.partial"]
        ended = self.ended(launch.command(), place, environment, limits, expected=files)
        more = _of_models(place, ended) if models else _of_guests(place, ended)
        expected = Expected(codes(DONE, FAILED))
        return self.verdict(number, label, ended, expected, command=launch.command(), more=more)


def of_guests(chance: random.Random) -> tuple[launches.Launch, str]:
    """Return a file's transfer between real guests."""
    size = chance.choice([1, 1000, 100_000, 1_000_000, 3_000_000])
    send = SEND.format(size=size, seconds=SIMULATED_S)
    params, wire = delay_box(chance)
    sets = (
        f"workload={send}",
        f"serve={SERVE}",
        f"rtt={chance.choice(['0s', '100us', '1ms', '5ms'])}",
        f"mtu={chance.choice([1500, 4000, 9198])}",
        f"ip={chance.choice(['v4', 'v6'])}",
        f"tso={chance.choice(['on', 'off'])}",
        f"gro={chance.choice(['on', 'off'])}",
        f"congestion={chance.choice(['reno', 'cubic', 'bbr', 'htcp'])}",
    )
    return launches.Launch("ixgb_wan", sets, params), f"a file of {size} bytes, {wire}"


def of_models(chance: random.Random) -> tuple[launches.Launch, str]:
    """Return a stream between modelled hosts."""
    params, wire = delay_box(chance)
    system = chance.choice(_SYSTEMS)
    sets = (
        f"system={system}",
        "duration=30ms",
        f"rtt={chance.choice(['0s', '100us', '1ms', '5ms'])}",
        f"mtu={chance.choice([1500, 4000, 9198])}",
        f"window={chance.choice(['16KiB', '256KiB', '4MiB'])}",
        f"streams={chance.choice([1, 1, 4])}",
    )
    return launches.Launch("ixgb_wan", sets, params), f"a stream of {system}, {wire}"


def delay_box(chance: random.Random) -> tuple[tuple[str, ...], str]:
    """Return parameters of the delay box, each way its own, and what they do in words."""
    found: list[str] = []
    for side in ("west", "east"):
        if chance.random() < 0.6:
            found.append(f"anue.loss_{side}={chance.choice([0.001, 0.01, 0.05, 0.2])}")
        if chance.random() < 0.5:
            found.append(f"anue.bit_error_rate_{side}={chance.choice([1e-8, 1e-7, 1e-6, 5e-6])}")
        if chance.random() < 0.5:
            found.append(f"anue.duplicate_{side}={chance.choice([0.01, 0.1, 0.5])}")
        if chance.random() < 0.5:
            found.append(f"anue.reorder_{side}={chance.choice([0.01, 0.1, 0.5])}")
            found.append(f"anue.reorder_delay_{side}={chance.choice(['1us', '20us', '500us'])}")
        if chance.random() < 0.2:
            found.append(f"anue.rate_{side}={chance.choice(['10Mb/s', '500Mb/s'])}")
            found.append(f"anue.rate_mode_{side}={chance.choice(['shape', 'police'])}")
            found.append(f"anue.rate_burst_{side}=20kB")
    return tuple(found), ", ".join(text.removeprefix("anue.") for text in found) or "a good wire"


def _of_guests(place: Place, ended: processes.Ended) -> list[Fault]:
    reports = list(place.work.rglob("report/command.txt"))
    said = "".join(path.read_text(errors="replace") for path in reports) + ended.err
    if UNEQUAL in said:
        return [Fault("content", "a file arrived damaged, and nobody said so")]
    if ended.code == DONE and EQUAL not in said:
        return [Fault("content", "the run ended well without a comparison")]
    return []


def _of_models(place: Place, ended: processes.Ended) -> list[Fault]:
    if ended.code != DONE:
        return []
    found = launches.measured(place.work / launches.OUT)
    goodput, wire = found["goodput_gbps"], found["wire_gbps"]
    if goodput > wire:
        return [Fault("content", f"goodput {goodput} is more than good frames brought, {wire}")]
    return []
