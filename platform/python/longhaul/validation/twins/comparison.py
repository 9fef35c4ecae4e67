# SPDX-License-Identifier: Apache-2.0
"""Compares what two runs recorded of an adapter and of its twin, stream by stream.

Instants differ, so two runs of real Linux part in their numbers of polls, interrupts and frames.
Compared is what a right twin has to have alike in spite of that (docs/validate.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from longhaul.validation.outcome import FAILED, PASSED, SKIPPED, Check
from longhaul.validation.twins import frame_forms, memory, register_streams
from longhaul.validation.twins.difference import Difference, Side
from longhaul.validation.twins.frame_forms import Class
from longhaul.validation.twins.memory import Written
from longhaul.validation.twins.recorded import Frame, Seen
from longhaul.validation.twins.register_streams import Registers

TWIN = "twin"  # begins the names of all checks here
LIMITS = (
    "Compared with the twin are register accesses up to the first frame, the bits that reads "
    "return, and counters that reads do not clear. So are the bytes of ARP frames and echoes, and "
    "received ones in memory with their descriptors. Not compared are instants, the order of "
    "different streams, and numbers of polls and interrupts. Nor are TCP, configuration space, the "
    "adapter's reads of memory and transmit descriptors."
)
_Item = TypeVar("_Item")
_Form = TypeVar("_Form", bytes, tuple[object, ...])


def checks(
    rtl: Seen, twin: Seen, registers: Registers, *, with_values: bool = True
) -> Iterator[Check]:
    """Yield a check of each stream; a failed check begins when the adapter differed."""
    count, found = register_streams.openings(rtl, twin, registers)
    yield _check("twin-start", f"{count} register accesses", count, found)
    if with_values:
        count, found = register_streams.values(rtl, twin, registers)
        yield _check("twin-values", f"{count} registers that were read", count, found)
    else:
        yield Check("twin-values", SKIPPED, "resets and TCP make values a matter of time here")
    for name, sent in (("twin-sent", True), ("twin-received", False)):
        ours, theirs = (_frames(each, sent=sent) for each in (rtl, twin))
        count, found = _forms(ours, theirs, _frame_form(rtl), _frame_form(twin), _bytes)
        missing = _missing(ours, theirs)
        yield _check(name, f"{count} kinds of frames", count, _first([found, missing]))
    yield _memory(rtl, twin)


def _check(name: str, what: str, count: int, found: Difference | None) -> Check:
    if found:
        return Check(name, FAILED, found.text(), found.rtl.time_ps / 1e12)
    if not count:
        return Check(name, SKIPPED, "nothing that can be compared")
    return Check(name, PASSED, f"{what} are alike")


def _first(found: Sequence[Difference | None]) -> Difference | None:
    return min((each for each in found if each), key=lambda each: each.rtl.time_ps, default=None)


def _frames(seen: Seen, *, sent: bool) -> dict[Class, list[Frame]]:
    found: dict[Class, list[Frame]] = {}
    for each in seen.frames:
        kind = frame_forms.classified(each)
        if each.sent == sent and kind:
            found.setdefault(kind, []).append(each)
    return found


def _frame_form(seen: Seen) -> Callable[[Frame], bytes]:
    return lambda frame: frame_forms.form(frame, seen.address)


def _forms(
    ours: Mapping[Class, Sequence[_Item]],
    theirs: Mapping[Class, Sequence[_Item]],
    our_form: Callable[[_Item], _Form],
    their_form: Callable[[_Item], _Form],
    told: Callable[[Class, tuple[_Item, _Form], tuple[_Item, _Form]], Difference],
) -> tuple[int, Difference | None]:
    """Compare the sets of forms, class by class; return how many classes are alike."""
    alike, found = 0, list[Difference]()
    for kind in (each for each in ours if each in theirs):
        mine = _firsts(ours[kind], our_form)
        other = _firsts(theirs[kind], their_form)
        strange = [form for form in mine if form not in other]
        missing = [form for form in other if form not in mine]
        if not strange and not missing:
            alike += 1
            continue
        one, two = _nearest(strange or list(mine), missing or list(other))
        found.append(told(kind, (mine[one], one), (other[two], two)))
    return alike, _first(found)


def _firsts(items: Sequence[_Item], form: Callable[[_Item], _Form]) -> dict[_Form, _Item]:
    """Return the first item of each form, in their order."""
    found: dict[_Form, _Item] = {}
    for each in items:
        found.setdefault(form(each), each)
    return found


def _nearest(ours: Sequence[_Form], theirs: Sequence[_Form]) -> tuple[_Form, _Form]:
    """Return the first of ours, and that of theirs that has most in common with it."""
    return ours[0], max(theirs, key=lambda form: _common(ours[0], form))


def _common(one: Sequence[object], two: Sequence[object]) -> int:
    """Return how much two forms have in common, from their beginning."""
    both = zip(one, two, strict=False)
    return next((at for at, (a, b) in enumerate(both) if a != b), min(len(one), len(two)))


def _bytes(kind: Class, ours: tuple[Frame, bytes], theirs: tuple[Frame, bytes]) -> Difference:
    at = _common(ours[1], theirs[1])
    sides = [
        Side(frame.time_ps, f"{frame_forms.described(frame, kind)} has {_byte(form, at)}")
        for frame, form in (ours, theirs)
    ]
    return Difference(f"byte {at} of a frame", sides[0], sides[1])


def _byte(form: bytes, at: int) -> str:
    return f"{form[at]:#04x}" if at < len(form) else "its FCS there"


def _missing(
    ours: Mapping[Class, Sequence[Frame]], theirs: Mapping[Class, Sequence[Frame]]
) -> Difference | None:
    """Return the first echo that only one run has; ARP is a matter of time."""
    found: list[Difference] = []
    for kind in {**ours, **theirs}:
        if kind[0].startswith("ARP") or (kind in ours and kind in theirs):
            continue
        frame = next(iter(ours.get(kind) or theirs[kind]))
        has, none = frame_forms.described(frame, kind), "has none of this kind and length"
        mine, other = (has, none) if kind in ours else (none, has)
        what = "echoes of a length"
        found.append(Difference(what, Side(frame.time_ps, mine), Side(frame.time_ps, other)))
    return _first(found)


def _memory(rtl: Seen, twin: Seen) -> Check:
    both = [memory.written(each) for each in (rtl, twin)]
    ours, theirs = (_by_class(each.written) for each in both)
    why = next((each.why for each in both if each.why), "")
    if why:  # of one alone nothing could be compared
        ours, theirs = ({k: [w.alone() for w in each] for k, each in one.items()}
                        for one in (ours, theirs))  # fmt: skip
    count, found = _forms(ours, theirs, Written.form, Written.form, _places)
    lost = _not_there(rtl, twin, ours, theirs)
    made = _check("twin-memory", f"{count} kinds of received frames", count, _first([found, lost]))
    said = f"{made.said}; {why}" if why else made.said
    return Check(made.name, made.verdict, said, made.begin_s)


def _by_class(written: Sequence[Written]) -> dict[Class, list[Written]]:
    found: dict[Class, list[Written]] = {}
    for each in written:
        kind = frame_forms.classified(each.frame)
        if kind:
            found.setdefault(kind, []).append(each)
    return found


def _places(
    kind: Class,
    ours: tuple[Written, tuple[object, ...]],
    theirs: tuple[Written, tuple[object, ...]],
) -> Difference:
    sides = [
        Side(each.time_ps, f"{frame_forms.described(each.frame, kind)} lies {each.text()}")
        for each, _ in (ours, theirs)
    ]
    return Difference("a received frame in memory", sides[0], sides[1])


def _not_there(
    rtl: Seen,
    twin: Seen,
    ours: Mapping[Class, Sequence[Written]],
    theirs: Mapping[Class, Sequence[Written]],
) -> Difference | None:
    """Return the first frame to the adapter of which only one run has the bytes in memory."""
    found: list[Difference] = []
    for kind, frames in _frames(rtl, sent=False).items():
        other = _frames(twin, sent=False).get(kind)
        if other is None or (kind in ours) == (kind in theirs):
            continue
        texts = ["has its bytes in memory" if kind in each else "has not its bytes in memory"
                 for each in (ours, theirs)]  # fmt: skip
        one, two = frames[0], other[0]
        sides = [
            Side(each.time_ps, f"of {frame_forms.described(each, kind)} {text}")
            for each, text in ((one, texts[0]), (two, texts[1]))
        ]
        found.append(Difference("a received frame in memory", sides[0], sides[1]))
    return _first(found)
