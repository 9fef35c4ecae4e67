# SPDX-License-Identifier: Apache-2.0
"""Holds the NIC in RTL against its TLM twin over random work (rtl/nic/README.md, The twin).

    ./longhaul python tests/rtl/nic/nic_twin.py --seeds 200       # many
    ./longhaul python tests/rtl/nic/nic_twin.py --seed 17 --log /tmp/17.txt
    ./longhaul python tests/rtl/nic/nic_twin.py --seeds 200 --lone

The first difference ends a seed. With --log all phases of the last seed are written as text:
accesses of software, frames from the line, and the answers of both models.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from longhaul.paths import ROOT, build_commands, build_folder
from longhaul.portmap.objects import ensure
from longhaul.portmap.read import read
from longhaul.process import QUIET_SYSTEMC

PROGRAM = "longhaul_nic_twin"
PHASES = 10
PATIENCE_S = 600.0
"""No seed takes so long."""


@dataclass(frozen=True)
class Verdict:
    """The program's words about a seed."""

    alike: bool
    text: str


@cache
def program() -> Path:
    """Return the program, built if need be."""
    for command in build_commands("release", PROGRAM):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(command)}\n{(done.stdout + done.stderr)[-6000:]}")
    return build_folder() / "release" / PROGRAM


@cache
def rtl_object() -> Path:
    """Return the RTL object of the NIC's port map, made if need be."""
    return ensure(read(ROOT / "rtl" / "nic" / "ixgb.toml"), lambda line: print(line, flush=True))


@dataclass(frozen=True)
class Goodput:
    """Bits of frames a second, in Gb/s, of a stream in one direction."""

    tlm: float
    rtl: float

    @property
    def error(self) -> float:
        """By how much the TLM model is off, as a share."""
        return self.tlm / self.rtl - 1


def goodput(
    direction: str, octets: int, frames: int, params: Mapping[str, object] | None = None
) -> Goodput:
    """Run a stream; `direction` is "tx" or "rx", `octets` are of a frame without its FCS."""
    said = _run(params, direction, str(octets), str(frames))
    found = re.search(r"TLM ([\d.]+) Gb/s, RTL ([\d.]+) Gb/s", said.text)
    if not said.alike or not found:
        raise RuntimeError(said.text)
    return Goodput(float(found[1]), float(found[2]))


def compare(
    seed: int,
    phases: int = PHASES,
    *,
    params: Mapping[str, object] | None = None,
    log: Path | None = None,
) -> Verdict:
    """Run one seed; `params` of the TLM model stand in for those of the RTL's engines."""
    return _run(
        {"engines": "rtl", **(params or {})}, str(seed), str(phases), *([str(log)] if log else [])
    )


def lone(octets: int, timer: int, offset_ps: int, **params: object) -> Verdict:
    """Send one frame each way; check when software and wire see it (README, Instants).

    `octets` are of the frame without its FCS, `timer` is RDTR and TIDV in units of 0.8192 us, and
    `offset_ps` moves both against the clocks. `params` are of the TLM model.
    """
    words = ("lone", str(octets), str(timer), str(offset_ps))
    return _run({"engines": "rtl", **params}, *words)


def drawn_lone(seed: int) -> Verdict:
    """Check a lone frame whose size, timer and offset are drawn from a seed."""
    drawn = random.Random(seed)  # noqa: S311  drawn again from the seed
    return lone(drawn.randint(60, 2044), drawn.choice([0, 1, 7, 60]), drawn.randrange(1_000_000))


def _run(params: Mapping[str, object] | None, *words: str) -> Verdict:
    command = [str(program()), str(rtl_object()), json.dumps(dict(params or {})), *words]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
        env={**os.environ, **QUIET_SYSTEMC},
    )
    return Verdict(done.returncode == 0, (done.stdout + done.stderr).strip())


def main() -> int:
    """Run the seeds that the arguments name; return 1 if one differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=1, help="how many, from the first on")
    parser.add_argument("--seed", type=int, default=1, help="the first")
    parser.add_argument("--phases", type=int, default=PHASES, help="of each seed")
    parser.add_argument("--log", type=Path, help="file for the phases of the last seed")
    parser.add_argument("--lone", action="store_true", help="a lone frame each way a seed")
    given = parser.parse_args()
    differ = 0
    for seed in range(given.seed, given.seed + given.seeds):
        verdict = drawn_lone(seed) if given.lone else compare(seed, given.phases, log=given.log)
        print(verdict.text, flush=True)
        differ += not verdict.alike
    if given.seeds > 1:
        print(f"{given.seeds - differ} of {given.seeds} seeds are alike")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
