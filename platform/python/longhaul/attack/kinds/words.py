# SPDX-License-Identifier: Apache-2.0
"""Words of command lines: right ones and wrong ones, by what an option or argument takes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from longhaul import registry
from longhaul.settings import (
    Choice,
    ChoiceOrCount,
    Count,
    Flag,
    Number,
    Quantities,
    Rings,
    Setting,
    Share,
    WorkloadName,
)

GOOD, BAD, ANY = "good", "bad", "any"


@dataclass(frozen=True)
class Word:
    """A value on a command line; BAD: the command must be refused; ANY: it may be."""

    text: str
    is_: str


STRANGE = (
    "", " ", "-", "--", "=", "==", "x" * 4000, "a\nb\nc\nd", "\x1b[31mred", "\u202e", "ä", "%s%n",
    "{0}", "[bold]",
    "'", '"', "\\", "*", "$(id)", "../..", "NaN", "1e999", "-0", "0x10", "٣", "9" * 400,
)  # fmt: skip
_PATHS = (
    "missing", "missing/folder", "file", "empty", "", "/", ".", "..", "/dev/null", "/proc/1",
    "x" * 300,
    "a\nb", "file/below", "\udcff", "~", "damaged",
)  # fmt: skip
# Wrong values of settings, by the setting's kind.
_WRONG: dict[type, tuple[str, ...]] = {
    Quantities: ("", "7", "abc", "-3ms", "1e400s", "10parsec", "nan", "1ms 2ms", "٣ms", "0x1ms"),
    Count: ("", "x", "-1", "1.5", "1e3", "٣", "1 2", "9" * 400, "1k"),
    ChoiceOrCount: ("", "-1", "1.5", "nonsense", "9" * 400),
    Number: ("", "nan", "inf", "-1", "x", "1e400", "1GHz"),
    Flag: ("", "maybe", "2", "on off"),
    Choice: ("", "nonsense", "a\nb", "x" * 4000),
    Share: ("", "200%", "-1%", "nan", "x", "1e400", "%"),
    Rings: ("", "1", "0/0", "a/b", "512/", "512/256/1", "513/256", "9999999999/64"),
    WorkloadName: ("", "nonsense", "iperf4"),
}
_INTEGERS_WRONG = ("", "x", "1.5", "-1", "1e3", "nan", "9" * 400, str(2**64))
_PARAMS_WRONG = (
    "", "=", ".=1", "x=1", "a.b", "a.b=", ".b=1", "a.=1", "nobody.cpu.clock=1GHz",
    "*.cpu.klock=1GHz",
    "*.cpu.clock=fast", "*.eth0.nonsense=1", "sender.memory.size=-1GiB", "*.cpu.clock=1e999GHz",
)  # fmt: skip
_OVERS_WRONG = (
    "", "=", "rtt", "mtu=", "=1", "mtu=1500,1500", "mtu=1..2", "mtu=1500..9000/0",
    "mtu=1500..9000/x1",
    "nonsense=1,2", "mtu,duration=1500", "mtu=1500..9000/99999999", "mtu=a..b/3", "window=1..2/3",
)  # fmt: skip


def scenario(chance: random.Random) -> Word:
    """Return a scenario's name, or none."""
    if chance.random() < 0.15:
        return Word(chance.choice(["ixgb_b2", "nonsense", "IXGB_B2B", *STRANGE]), BAD)
    return Word(chance.choice(sorted(registry.scenarios())), GOOD)


def path(chance: random.Random) -> Word:
    """Return a folder that is no run."""
    return Word(chance.choice(_PATHS), ANY)


def integer(chance: random.Random) -> Word:
    """Return a small whole number, or what none of the options takes."""
    if chance.random() < 0.5:
        return Word(chance.choice(_INTEGERS_WRONG), BAD)
    return Word(str(chance.choice([0, 1, 2, 3, 7, 2**31, 2**63 - 1])), ANY)


def text(chance: random.Random) -> Word:
    """Return any text."""
    return Word(chance.choice(STRANGE), ANY)


def time(chance: random.Random) -> Word:
    """Return a time, or none."""
    if chance.random() < 0.6:
        return Word(chance.choice(_WRONG[Quantities][1:]), BAD)
    return Word(chance.choice(["0s", "1ms", "20us", "3600s", "1ps"]), ANY)


def parameter(chance: random.Random) -> Word:
    """Return a --param."""
    if chance.random() < 0.5:
        return Word(chance.choice(_PARAMS_WRONG), BAD)
    return Word(chance.choice(["*.cpu.clock=2GHz", "sender.cpu.clock=2GHz", *STRANGE]), ANY)


def axis(chance: random.Random) -> Word:
    """Return a --over."""
    if chance.random() < 0.6:
        return Word(chance.choice(_OVERS_WRONG), BAD)
    return Word(chance.choice(["mtu=1500,9000", "duration=1ms,2ms", *STRANGE]), ANY)


def assignment(chance: random.Random, name: str) -> Word:
    """Return a --set for a scenario: of its settings, or of none."""
    known = registry.scenarios().get(name)
    if known is None or chance.random() < 0.1:
        return Word(chance.choice(["", "=", "x", "nonsense=1", "=1", *STRANGE]), BAD)
    setting = chance.choice(list(known.settings.values()))
    value = _value(chance, setting)
    return Word(f"{setting.name}={value.text}", value.is_)


def _value(chance: random.Random, setting: Setting) -> Word:
    wrong = _WRONG.get(type(setting.kind))
    if wrong and chance.random() < 0.6:
        return Word(chance.choice(wrong), BAD)
    if chance.random() < 0.4:
        return Word(setting.kind.show(setting.default), ANY)
    return Word(chance.choice(STRANGE), ANY)


def one_of(*texts: str) -> Callable[[random.Random], Word]:
    """Return what chooses among names, a wrong one now and then."""

    def choose(chance: random.Random) -> Word:
        if chance.random() < 0.4:
            return Word(chance.choice(["nonsense", "\x1b[31m", "x" * 4000]), BAD)
        return Word(chance.choice(texts), ANY)

    return choose


def verdict(words: Sequence[Word]) -> str:
    """Return what is known of all together."""
    if any(word.is_ == BAD for word in words):
        return BAD
    return ANY if any(word.is_ == ANY for word in words) else GOOD
