# SPDX-License-Identifier: Apache-2.0
"""Waves of a run: which signals can be traced and when, and a view of them in GTKWave."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from longhaul import boxes, schema, types
from longhaul.errors import UsageError
from longhaul.nearest import nearest
from longhaul.paths import ROOT
from longhaul.results import simdata
from longhaul.schema import ParamValue, SimConfig
from longhaul.topology import Workload
from longhaul.types import everywhere, plugins, rtl_models
from longhaul.units import Time, ms, s
from longhaul.workspace import current

TRACEABLE = ("link", "tcp", "core", "box", "nic", "rtl", "pcix")
PINS = {"rtl", "pcix"}  # many changes in each clock
ALL = "all"
RTL = "rtl"
VIOLATION = "violation"  # a trigger that blocks of RTL give, at any time of the run
RETRANSMIT = "retransmit"  # a trigger that TCP's connections give
LONGEST = s(100)
LONGEST_PINS = ms(100)  # a busy bus of 133 MHz needs some 100 MB of file for it
DEFAULT_PINS = ms(1)
METRES, PER_METRE = 10, "5ns"  # of a cable that says nothing else
DEFAULT_AFTER_TRIGGER = ms(5)
LEAST_HISTORY = ms(5)  # if nobody says how much
HISTORY_ROUND_TRIPS = 2  # a loss shows after one, which queues make longer than the path's
_TRIGGER = re.compile(
    r"retransmit|violation|drop(:[1-9]\d*)?|register:([\w-]+\.[\w-]+\+)?(0x[0-9a-fA-F]+|\d+)"
)
_BOX_REGISTER = re.compile(r"register:([\w-]+)\+([\w.]+)")


@dataclass(frozen=True)
class Traced:
    """The groups that are traced, from when on in the measured window, and for how long.

    No length is the whole measured window. With a trigger the length counts from that, and
    `history` of the time before it is kept; None: as much as the run's path asks for.
    """

    what: tuple[str, ...]
    begin: Time = Time(0)
    length: Time | None = None
    trigger: str = ""
    history: Time | None = Time(0)
    all: bool = False  # of what the run has
    register: str = ""  # of a box, which the trigger calls by its address; the run has the box

    def length_in(self, window: Time) -> Time:
        """Return how long is traced in a measured window of this length."""
        return self.length or Time(max(1, min(window.ps - self.begin.ps, LONGEST.ps)))


NOTHING_TRACED = Traced(())


def check(
    what: Sequence[str],
    begin: str = "0s",
    *,
    length: str = "",
    until: str = "",
    trigger: str = "",
    history: str = "",
) -> Traced:
    """Refuse what nobody traces, windows that no disk holds, and options that say nothing."""
    names = [name for words in what for name in words.split(",") if name]
    everything = ALL in names
    if everything:
        names = list(TRACEABLE)
    for name in names:
        if name not in TRACEABLE:
            near = nearest(name, (*TRACEABLE, ALL))
            hint = f"; did you mean {near}?" if near else ""
            raise UsageError(
                f"--waves: {name!r} cannot be traced, only {', '.join(TRACEABLE)} or {ALL}{hint}"
            )
    start = Time.parse(begin, where="--waves-from")
    if not names:
        given = {"length": length, "until": until, "trigger": trigger, "history": history}
        for option, text in (given | {"from": "" if not start.ps else begin}).items():
            if text:
                raise UsageError(f"--waves-{option} wants --waves")
        return NOTHING_TRACED
    of_box, register = _BOX_REGISTER.fullmatch(trigger), ""
    if of_box:
        register = "" if of_box[2][0].isdigit() else of_box[2]
        trigger = f"register:{of_box[1]}+{_offset(of_box[2])}"
    elif trigger and not _TRIGGER.fullmatch(trigger):
        raise UsageError(
            f"--waves-trigger: {trigger!r} is none; wants retransmit, drop:N, violation, "
            "register:ADDRESS, register:MACHINE.DEVICE+OFFSET or register:BOX+REGISTER"
        )
    if history and not trigger:
        raise UsageError("--waves-history wants --waves-trigger")
    if trigger == RETRANSMIT and "tcp" not in names:
        names.append("tcp")  # who sees it
    if trigger == VIOLATION and RTL not in names:
        names.append(RTL)
    before = Time.parse(history, where="--waves-history") if history else None
    if before is not None and before.ps > _longest(names).ps:
        raise UsageError(
            f"--waves-history: {before} is out of range, wants up to {_longest(names)}"
        )
    span = _length(length, until, start, names, triggered=bool(trigger))
    traced = tuple(name for name in TRACEABLE if name in names)
    kept = before if trigger else Time(0)
    return Traced(traced, start, span, trigger, kept, everything, register)


def fit(traced: Traced, config: SimConfig, workload: Workload) -> SimConfig:
    """Return the configuration with what this run traces; UsageError where that is nothing."""
    if not traced.what:
        return config
    rtl = bool(_rtl_boxes(config) or _rtl_adapters(config))
    has = {"box": bool(config.boxes or config.switches), "rtl": rtl}
    missing = [name for name in traced.what if not has.get(name, True)]
    if missing and not traced.all:
        raise UsageError(f"--waves: this run has no {_lacks(missing[0])}")
    if traced.length is None and traced.begin >= workload.duration:
        raise UsageError(
            f"--waves-from: the measured window ends after {workload.duration.short()}; "
            "wants less, or a --waves-length to trace beyond it"
        )
    if traced.trigger == RETRANSMIT and workload.KIND in ("ping", "udp"):
        raise UsageError(f"--waves-trigger: {workload.KIND} has no TCP, so it has no retransmit")
    kept = [name for name in traced.what if name not in missing]
    observe = config.observe.model_copy(update={"waves": kept, **_trigger_in(traced, config)})
    config = config.model_copy(update={"observe": observe})
    if traced.history is not None:
        return config
    history = {"waves_history": str(history_for(config))}
    return config.model_copy(update={"observe": observe.model_copy(update=history)})


def history_for(config: SimConfig) -> Time:
    """Return how much of the time before a trigger holds what led to it.

    Of what comes of a frame it is two round trips. It waits in memory, so it is no longer than what
    may be traced.
    """
    trips = 0 if config.observe.waves_trigger == VIOLATION else _round_trips(config).ps
    wanted = max(LEAST_HISTORY.ps, trips)
    return Time(min(wanted, _longest(config.observe.waves).ps))


def _longest(what: Sequence[str]) -> Time:
    """Return for how long these may be traced."""
    return LONGEST_PINS if PINS & set(what) else LONGEST


def _round_trips(config: SimConfig) -> Time:
    return Time(round_trip(config).ps * HISTORY_ROUND_TRIPS)


def round_trip(config: SimConfig) -> Time:
    """Return what boxes and cables delay there and back, all of them together, without queues."""
    ends = {end for link in config.links for end in (link.a, link.b)}
    delays = [
        _time(box.params.get(f"delay_{port}"))
        for box in config.boxes
        for name, _, port in (end.partition(".") for end in ends)
        if name == box.name
    ]
    return Time(sum(delays) + sum(2 * _propagation(link.params) for link in config.links))


def _propagation(params: Mapping[str, ParamValue]) -> int:
    """Return a cable's delay one way in picoseconds, as models/net/link has it."""
    direct = _time(params.get("propagation"))
    length = int(params.get("length_m", METRES))
    return direct or length * _time(params.get("delay_per_m", PER_METRE))


def _time(value: ParamValue | None) -> int:
    return 0 if value is None else Time.parse(str(value), where="a delay").ps


def _lacks(what: str) -> str:
    if what == "box":
        return "switch and no box to trace (box)"
    having = ", ".join(
        each.name + (" (model=rtl)" if _has_twin(each) else "") for each in _rtl_box_types()
    )
    return (
        f"RTL to trace (rtl); these boxes have it: {having}; and each part by a port map, and "
        "adapters with model=rtl"
    )


def _rtl_box_types() -> list[types.Type]:
    """Return the types of boxes that can be RTL."""
    return [each for name in types.names("box") if (each := types.find("box", name)).rtl]


def _box_type(name: str) -> types.Type:
    """Return a type of box; the simulator refuses one that there is not."""
    known = name in types.names("box") or name in everywhere.of_plugins("box")
    return everywhere.find("box", name) if known else types.Type("box", name, "")


def _rtl_adapters(config: SimConfig) -> list[str]:
    """Return the adapters that are RTL in this run: only port maps make such."""
    rtl = {name for name, each in everywhere.of_plugins("adapter").items() if each.rtl}
    rtl |= {each.name for each in rtl_models.among(plugins.given()).values()}
    return [
        f"{machine.name}.{device.name}"
        for machine in config.machines
        for device in machine.devices
        if device.type in rtl
    ]


def _has_twin(each: types.Type) -> bool:
    return "rtl" in each.choices.get("model", ())


def _rtl_boxes(config: SimConfig) -> list[schema.Box]:
    """Return the boxes that are RTL in this run."""
    with_type = [(box, _box_type(box.type)) for box in config.boxes]
    return [
        box
        for box, each in with_type
        if each.rtl and (not _has_twin(each) or box.params.get("model") == "rtl")
    ]


def without_guest(config: SimConfig) -> SimConfig:
    """Return the configuration without waves that need to know the guests' kernel."""
    if all(machine.guest is None for machine in config.machines):
        return config
    observe, changed = config.observe, dict[str, object]()
    changed["waves"] = [name for name in observe.waves if name != "tcp"]
    if observe.waves_trigger == RETRANSMIT:
        changed["waves_trigger"] = ""
    return config.model_copy(update={"observe": observe.model_copy(update=changed)})


def warnings(config: SimConfig) -> list[str]:
    """Say what a trigger does not see, and of a history that it is short."""
    said: list[str] = []
    observe, trips = config.observe, _round_trips(config)
    if observe.waves_trigger not in ("", VIOLATION):
        history = Time.parse(observe.waves_history, where="a history")
        longest = _longest(observe.waves)
        more = (
            "--waves-history can ask for that"
            if trips.ps <= longest.ps
            else f"no more than {longest.short()} can be kept of what is traced"
        )
        if history.ps < trips.ps:
            said.append(
                f"waves: {history.short()} before the trigger are kept; a loss may lie two round "
                f"trips back, {trips.short()}: {more}"
            )
    lossy = _rtl_boxes(config)
    if not observe.waves_trigger.startswith("drop") or not lossy:
        return said
    names = " and ".join(box.name for box in lossy)
    twin = (
        "; model=tlm counts it at once" if any(_has_twin(_box_type(b.type)) for b in lossy) else ""
    )
    return [
        *said,
        f"waves: a frame that {names} loses counts for {observe.waves_trigger} when "
        f"the next frame of its port leaves: RTL has no frames{twin}",
    ]


def _trigger_in(traced: Traced, config: SimConfig) -> dict[str, str]:
    """Return the trigger with the register's address in the box of this run."""
    if not traced.register:
        return {}
    name = traced.trigger.removeprefix("register:").partition("+")[0]
    for box in config.boxes:
        if box.name == name and box.type in boxes.register_maps():
            return {"waves_trigger": f"register:{name}+{_offset(traced.register, box.type)}"}
    return {}


def _offset(register: str, box_type: str | None = None) -> str:
    """Return where a register of a box lies, which may be called by its name.

    Without a type it is that of the first type with such a register.
    """
    if register[0].isdigit():
        try:
            return f"{int(register, 0):#x}"
        except ValueError:
            raise UsageError(f"--waves-trigger: {register!r} is no whole number") from None
    for found in boxes.registers_called(register, box_type):
        if found.written:
            return f"{found.address:#x}"
    raise UsageError(f"--waves-trigger: {register} can only be read, no write will come")


def _length(
    length: str, until: str, start: Time, what: Sequence[str], *, triggered: bool
) -> Time | None:
    if length and until:
        raise UsageError("--waves-length and --waves-until both set the end; give one of them")
    if until:
        where = "--waves-until"
        end = Time.parse(until, where=where)
        if end.ps <= start.ps:
            raise UsageError(f"{where}: {end} is not after --waves-from, {start}")
        time = Time(end.ps - start.ps)
    elif length:
        where = "--waves-length"
        time = Time.parse(length, where=where)
    elif triggered:
        return DEFAULT_AFTER_TRIGGER
    else:
        return DEFAULT_PINS if PINS & set(what) else None
    longest = _longest(what)
    if not 0 < time.ps <= longest.ps:
        raise UsageError(f"{where}: {time} is out of range, wants up to {longest}")
    return time


def outcome(traced: Traced, sim: simdata.SimData) -> list[str]:
    """Say what came of a trigger, and of a window that the run did not reach."""
    found = sim.waves
    if not traced.what or found is None:
        return []
    since = f"{traced.begin.short()} after its begin" if traced.begin.ps else "its begin"
    if found.from_ps is None and traced.trigger == VIOLATION:
        return [f"waves: nothing kept, no rule was broken from the run's begin ({since}) on"]
    if found.from_ps is None:
        if not sim.window_marked:
            return ["waves: nothing traced, the measured window never opened"]
        return [
            f"waves: nothing traced, {traced.trigger} did not come from the measured window "
            f"({since}) to the run's end"
        ]
    if found.until_ps is not None and found.until_ps <= found.from_ps:
        return [f"waves: nothing traced, the run ended before --waves-from ({since})"]
    if found.trigger_ps is None:
        return []
    at = f"waves: {found.trigger} at {found.trigger_ps / 1e9:.6f} ms of simulated time"
    if found.trigger_ps > sim.window.end_ps:
        at += f", after the measured window, which ended at {sim.window.end_ps / 1e9:.6f} ms"
    return [at, *_cause(traced, found)]


def _cause(traced: Traced, found: simdata.Waves) -> list[str]:
    """Say which loss a retransmission repairs, and how to see it if it is not in the picture."""
    cause, trigger, begin = found.cause, found.trigger_ps, found.from_ps
    if traced.trigger != RETRANSMIT or trigger is None or begin is None:
        return []
    if cause is None:
        return ["waves: no part has dropped what is sent again; look for a late or lost ACK"]
    said = f"waves: it was lost at {cause.ps / 1e9:.6f} ms, by {cause.place} ({cause.why})"
    if cause.ps >= begin:
        return [said]
    wanted = -(-(trigger - cause.ps) // ms(1).ps) + 1
    return [f"{said}; that is before the picture, --waves-history {wanted}ms shows it"]


def split_option(args: Sequence[str]) -> list[str]:
    """Let `--waves` stand alone: before another option, a scenario, or at the end it means all."""
    words: list[str] = []
    for i, word in enumerate(args):
        following = args[i + 1] if i + 1 < len(args) else "-"
        alone = following.startswith("-") or _is_scenario(following)
        words.append(f"--waves={ALL}" if word == "--waves" and alone else word)
    return words


def _is_scenario(word: str) -> bool:
    workspace = current.given()
    own = workspace.scenario_folders() if workspace else {}
    path = "/" in word or word.endswith(".py") or word in (".", "..")
    return path or word in own or (ROOT / "scenarios" / word).is_dir()
