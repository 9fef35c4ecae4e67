# SPDX-License-Identifier: Apache-2.0
"""The profile's two sources, counted blocks and sampled stacks, name the same functions."""

import csv
from collections import Counter
from pathlib import Path

import pytest
from rig import front_door


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sets = ("ip=v6", "mtu=1500", "duration=100ms")  # small frames: much code, many samples
    return front_door.run(tmp_path_factory.mktemp("profile") / "o", "ixgb_b2b", *sets)


def counted(run: Path, machine: str) -> Counter[str]:
    """Return cycles of executed code and its fetches by function, from the blocks."""
    with (run / f"profile-{machine}.csv").open() as file:
        rows = list(csv.DictReader(file))
    return Counter({row["function"]: int(row["code"]) + int(row["fetch"]) for row in rows})


def sampled(run: Path, machine: str) -> Counter[str]:
    """Return the same from the stacks' innermost functions."""
    found: Counter[str] = Counter()
    for line in (run / f"profile-{machine}.folded").read_text().splitlines():
        path, weight = line.rsplit(" ", 1)
        innermost = path.rsplit(";", 1)[-1]
        if not innermost.startswith("["):
            found[innermost] += int(weight)
    return found


@pytest.mark.parametrize("machine", ["sender", "receiver"])
def test_samples_are_of_the_functions_that_the_blocks_count(run: Path, machine: str) -> None:
    """What differs is chance; frames one off shared only half."""
    blocks, stacks = counted(run, machine), sampled(run, machine)
    shared = sum(min(blocks[f] / blocks.total(), stacks[f] / stacks.total()) for f in blocks)
    assert shared > 0.75


@pytest.mark.parametrize("machine", ["sender", "receiver"])
def test_samples_add_up_to_the_counted_cycles(run: Path, machine: str) -> None:
    thousands = counted(run, machine).total() / 1000
    assert sampled(run, machine).total() == pytest.approx(thousands, rel=0.1)
