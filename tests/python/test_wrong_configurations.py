# SPDX-License-Identifier: Apache-2.0
"""The generator of wrong configurations; tests/system has what the simulator says to them."""

import json
from typing import Any

from longhaul.attack.mutants import DEEP, MUTATIONS, Mutant, mutants

BASE: dict[str, Any] = {
    "name": "x",
    "limit": "1s",
    "machines": [{"name": "a", "devices": [{"slot": 1, "params": {}}]}],
}


def made(seed: int, count: int) -> list[Mutant]:
    return list(mutants(BASE, seed, count))


def test_the_same_seed_gives_the_same_mutants() -> None:
    assert made(1, 300) == made(1, 300)
    assert made(1, 300)[:20] == made(1, 20)
    assert made(1, 300) != made(2, 300)


def test_the_good_one_stays_as_it_is() -> None:
    before = json.dumps(BASE)
    made(1, 300)
    assert json.dumps(BASE) == before


def test_every_mutant_has_a_short_label_and_can_be_written() -> None:
    for mutant in made(3, 500):
        assert 0 < len(mutant.label) < 120
        mutant.encode()


def test_there_are_long_deep_and_broken_ones_and_other_good_ones() -> None:
    all_ = made(4, 600)
    assert any(mutant.count("[") > DEEP / 2 for mutant in all_)
    assert any("x" * 100_000 in mutant for mutant in all_)
    readable = [mutant for mutant in all_ if len(mutant) < 10_000 and _is_json(mutant)]
    assert len(all_) / 2 < len(readable) < len(all_)
    assert any(json.loads(mutant) == BASE for mutant in readable)


def test_every_kind_comes_up() -> None:
    assert len({mutant.label for mutant in made(5, 60 * len(MUTATIONS))}) > 10 * len(MUTATIONS)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
