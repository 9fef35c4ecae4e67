# SPDX-License-Identifier: Apache-2.0
"""Wrong configurations for the simulator: a seeded generator of mutants of a good one."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

# A place in a document: the keys and indices that lead to it.
Place = tuple[str | int, ...]

LONG = 120_000  # characters of a value that no message may repeat
DEEP = 60_000  # levels of nesting

TEXTS = (
    "", " ", ".", "/", "..", "-", "0", "x" * 300, "a\nb\nc\nd\ne", "\x1b[31m", "\x00", "\u202e",
    "ä", "{}", "{0}%s%n", "eth0", "sender.eth0", "p0", "null", "10.10.0.1/24", "10.10.0.1/33",
    "fd10::/129",
)  # fmt: skip
QUANTITIES = (
    "0s", "1ps", "-1s", "1", "1e99s", "18446744073709551615ps", "99999999999999999999s", "1 s", "s",
    "0B", "1B", "16EiB", "18446744073709551615B", "0Hz", "1Hz", "9999GHz", "0b/s", "1b/s", "100%",
)  # fmt: skip
NUMBERS = (
    0, 1, -1, 2, 3, 31, 32, 255, 256, 4095, 65535, 65536, 2**31, 2**32 - 1, 2**32, 2**63, 2**64 - 1,
    2**64, -(2**63), 0.5, -0.0, 1e308, 1e-308,
)  # fmt: skip
# Of texts that lead out of a JSON document, or end it early.
BROKEN = (
    "", " ", "null", "[]", "true", '"text"', "{", "}", "[", "nul", "{]", '{"name"}', "\ufeff{}",
    "1e999", '{"name": "\\ud800"}', "{'name': 1}", "// none\n{}", '{"name": NaN}', "\x00", "{}{}",
)  # fmt: skip


class Mutant(str):
    """The text of a mutant; `label` says in a few words what was done to the good configuration."""

    label: str

    def __new__(cls, text: str, label: str) -> Mutant:
        """Join a text and its label."""
        mutant = super().__new__(cls, text)
        mutant.label = label
        return mutant


def mutants(base: dict[str, Any], seed: int, count: int) -> Iterator[Mutant]:
    """Yield `count` mutants of a good configuration; the same seed gives the same ones.

    Most are wrong; some are other good configurations. All are Unicode texts.
    """
    chance = random.Random(seed)
    mutations = [mutation for mutation, weight in MUTATIONS for _ in range(weight)]
    for _ in range(count):
        yield chance.choice(mutations)(base, chance)


def _value(document: Any, path: Place) -> Any:
    for step in path:
        document = document[step]
    return document


def _paths(value: Any, at: Place = ()) -> Iterator[Place]:
    """Yield every place below the root."""
    below: Iterable[tuple[str | int, Any]] = ()
    if isinstance(value, list):
        below = enumerate(cast("list[Any]", value))
    elif isinstance(value, dict):
        below = cast("dict[str, Any]", value).items()
    for step, inner in below:
        yield (*at, step)
        yield from _paths(inner, (*at, step))


def _place(path: Place) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)[1:]


def _with(base: dict[str, Any], path: Place, value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(base)
    _value(changed, path[:-1])[path[-1]] = value
    return changed


def _brief(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:30]}... ({len(text)} characters)"


def _replaced(base: dict[str, Any], chance: random.Random, value: Any) -> Mutant:
    path = chance.choice(list(_paths(base)))
    label = f"{_place(path)} = {_brief(value)}"
    return Mutant(json.dumps(_with(base, path, value)), label)


def _other_type(base: dict[str, Any], chance: random.Random) -> Mutant:
    values: list[Any] = [None, True, [], {}, [1], {"a": 1}, 1, "1", [[]]]
    return _replaced(base, chance, chance.choice(values))


def _other_text(base: dict[str, Any], chance: random.Random) -> Mutant:
    places = [path for path in _paths(base) if isinstance(_value(base, path), str)]
    path, text = chance.choice(places), chance.choice([*TEXTS, *QUANTITIES])
    return Mutant(json.dumps(_with(base, path, text)), f"{_place(path)} = {_brief(text)}")


def _other_number(base: dict[str, Any], chance: random.Random) -> Mutant:
    places = [p for p in _paths(base) if isinstance(_value(base, p), int | float)]
    path, number = chance.choice(places), chance.choice(NUMBERS)
    return Mutant(json.dumps(_with(base, path, number)), f"{_place(path)} = {number}")


def _long_value(base: dict[str, Any], chance: random.Random) -> Mutant:
    long: list[Any] = ["x" * LONG, "\u2028" * (LONG // 6), [0] * (LONG // 3), {"k" * LONG: 1}]
    return _replaced(base, chance, chance.choice(long))


def _deep_value(base: dict[str, Any], chance: random.Random) -> Mutant:
    path = chance.choice(list(_paths(base)))
    depth = chance.choice([20, 40, 200, 5_000, DEEP])
    opening, closing = chance.choice([("[", "]"), ('{"a":', "}")])
    mark = "mark of the place"
    text = json.dumps(_with(base, path, mark))
    deep = opening * depth + "1" + closing * depth
    return Mutant(text.replace(json.dumps(mark), deep), f"{_place(path)}: {depth} levels")


def _dropped(base: dict[str, Any], chance: random.Random) -> Mutant:
    path = chance.choice(list(_paths(base)))
    changed = copy.deepcopy(base)
    del _value(changed, path[:-1])[path[-1]]
    return Mutant(json.dumps(changed), f"no {_place(path)}")


def _twice(base: dict[str, Any], chance: random.Random) -> Mutant:
    """Repeat an element of a list: a device, an interface, a link, a program."""
    lists = [path for path in _paths(base) if isinstance(_value(base, path), list)]
    path = chance.choice([p for p in lists if _value(base, p)])
    elements = copy.deepcopy(_value(base, path))
    elements.append(copy.deepcopy(chance.choice(elements)))
    if isinstance(elements[-1], dict) and "name" in elements[-1] and chance.random() < 0.5:
        elements[-1]["name"] += "_again"
    return Mutant(json.dumps(_with(base, path, elements)), f"{_place(path)}: an element twice")


def _emptied(base: dict[str, Any], chance: random.Random) -> Mutant:
    path = chance.choice([p for p in _paths(base) if isinstance(_value(base, p), list | dict)])
    empty = type(_value(base, path))()
    return Mutant(json.dumps(_with(base, path, empty)), f"{_place(path)}: empty")


def _copied(base: dict[str, Any], chance: random.Random) -> Mutant:
    """Take a value from another place of its type: equal names, addresses and ports."""
    path = chance.choice(list(_paths(base)))
    value = _value(base, path)
    alike = [p for p in _paths(base) if type(_value(base, p)) is type(value) and p != path]
    if not alike:
        return _other_type(base, chance)
    source = chance.choice(alike)
    changed = _with(base, path, copy.deepcopy(_value(base, source)))
    return Mutant(json.dumps(changed), f"{_place(path)} = {_place(source)}")


def _strange_key(base: dict[str, Any], chance: random.Random) -> Mutant:
    path = chance.choice([(), *(p for p in _paths(base) if isinstance(_value(base, p), dict))])
    key = chance.choice([*TEXTS, "k" * LONG, "seed", "params", "driver", "mtu"])
    values: list[Any] = [1, "1s", [], None]
    changed = copy.deepcopy(base)
    _value(changed, path)[key] = chance.choice(values)
    return Mutant(json.dumps(changed), f"{_place(path)}: key {_brief(key)}")


def _same_key(base: dict[str, Any], chance: random.Random) -> Mutant:
    key = chance.choice(list(base))
    again = f"{json.dumps(key)}: {json.dumps(base[key])}"
    return Mutant(f"{{{again}, {json.dumps(base)[1:]}", f"{key} twice")


def _cut(base: dict[str, Any], chance: random.Random) -> Mutant:
    text = json.dumps(base, indent=1)
    at = chance.randrange(len(text))
    return Mutant(text[:at], f"cut after {at} characters")


def _typed(base: dict[str, Any], chance: random.Random) -> Mutant:
    """Put some characters into the text, or take some out."""
    text = json.dumps(base, indent=1)
    at = chance.randrange(len(text))
    slip = chance.choice(["", ",", '"', "}", "]", "\\", "\x00", "\x7f", "ÿ", "0", "e", "\\ud800"])
    taken = chance.randrange(4)
    return Mutant(text[:at] + slip + text[at + taken :], f"character {at}: {slip!r} for {taken}")


def _broken(_base: dict[str, Any], chance: random.Random) -> Mutant:
    text = chance.choice(BROKEN)
    return Mutant(text, f"the whole text is {_brief(text)}")


def _much(base: dict[str, Any], chance: random.Random) -> Mutant:
    """Repeat an element of a list many times: more parts than a machine has room for."""
    lists = [path for path in _paths(base) if isinstance(_value(base, path), list)]
    path = chance.choice([p for p in lists if _value(base, p)])
    times = chance.choice([100, 3_000])
    elements = [copy.deepcopy(_value(base, path)[0]) for _ in range(times)]
    for i, element in enumerate(elements):
        if isinstance(element, dict) and "name" in element:
            element["name"] = f"n{i}"
    return Mutant(json.dumps(_with(base, path, elements)), f"{_place(path)}: {times} elements")


Mutation = Callable[[dict[str, Any], random.Random], Mutant]
# Each with its weight.
MUTATIONS: tuple[tuple[Mutation, int], ...] = (
    (_other_type, 4),
    (_other_text, 6),
    (_other_number, 4),
    (_long_value, 2),
    (_deep_value, 2),
    (_dropped, 2),
    (_twice, 2),
    (_emptied, 1),
    (_copied, 3),
    (_strange_key, 2),
    (_same_key, 1),
    (_cut, 1),
    (_typed, 2),
    (_broken, 1),
    (_much, 1),
)
