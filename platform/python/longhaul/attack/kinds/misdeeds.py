# SPDX-License-Identifier: Apache-2.0
"""Misdeeds of a real guest, as root: the run ends in words or well, and the host is whole."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import ClassVar

from longhaul.attack import processes
from longhaul.attack.kind import Kind, Verdict
from longhaul.attack.kinds import launches
from longhaul.attack.oracle import DONE, FAILED, Expected, Fault, codes
from longhaul.attack.place import Place

LIMIT_S = 400.0
SILENCE_S = "40"  # of wall time, after which a guest hangs
MEMORY = 10 << 30
CANARY = "canary"
SECRET = "what the host has written"
READ = "the guest has read the host's file"

DEEDS: dict[str, str] = {
    name: " ".join(text.split("\n")).strip()
    for name, text in tomllib.loads(Path(__file__).with_name("deeds.toml").read_text()).items()
}


class Misdeeds(Kind):
    """Case N is one misdeed of a guest, or two after each other."""

    name: ClassVar[str] = "misdeeds"
    what = "what real guests can do wrong, as root"
    weight = 2

    def run(self, number: int, place: Place) -> Verdict:
        """Let a guest do it, and look at the host afterwards."""
        deeds = chosen(self.ground.seed, number)
        text = "; ".join(f"( {DEEDS[deed]} )" for deed in deeds)
        if len(deeds) == 1:
            text = DEEDS[deeds[0]]
        text = text.replace("@BOX@", str(place.box))
        canary = place.box / CANARY
        canary.write_text(f"{SECRET}\n")
        role = "serve" if number % 5 == 4 else "workload"
        sets = (f"workload={text}",)
        if role == "serve":
            sets = ("workload=sleep 1; true", f"serve={text}")
        launch = launches.Launch("ixgb_b2b", sets)
        more = {"LONGHAUL_SILENCE_LIMIT_S": SILENCE_S}
        environment = launches.environment(place, self.ground.simulator, more)
        limits = processes.Limits(LIMIT_S * self.ground.patience, memory=MEMORY)
        expected = [launches.OUT, f"{launches.OUT}.partial", "../canary"]
        ended = self.ended(launch.command(), place, environment, limits, expected=expected)
        label = f"{' and '.join(deeds)} ({'receiver' if role == 'serve' else 'sender'})"
        return self.verdict(
            number,
            label,
            ended,
            Expected(codes(DONE, FAILED)),
            command=launch.command(),
            more=_of_the_host(place),
        )


def chosen(seed: int, number: int) -> list[str]:
    """Return the misdeeds of a case: each once, in an order of the seed's, then pairs at random."""
    names = sorted(DEEDS)
    if number < len(names):
        random.Random(f"{seed}/order").shuffle(names)
        return [names[number]]
    return random.Random(f"{seed}/{number}").sample(names, 2)


def _of_the_host(place: Place) -> list[Fault]:
    """Look whether a guest has read or written what is the host's."""
    found: list[Fault] = []
    canary = place.box / CANARY
    if not canary.exists() or canary.read_text() != f"{SECRET}\n":
        found.append(Fault("host", "a guest has written a file of the host"))
    for report in place.work.rglob("report/*.txt"):
        if SECRET in report.read_text(errors="replace"):
            found.append(Fault("host", f"{READ}; it is in {report.name}"))
            break
    return found
