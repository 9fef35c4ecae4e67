# SPDX-License-Identifier: Apache-2.0
"""The stages that data pass from host to host, and how little each waits for another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from longhaul.results import offload
from longhaul.results.directions import FORWARD, Direction

Figures = Mapping[str, float]

NAMED_PART_PCT = 15.0  # of the bus's time: without that part it would carry over a sixth more
MOSTLY = 0.5  # of a core's busy time: more than that spent on waiting, and it is not the core's

# The uses of the time of a bus with work, each the sum of some causes (models/pcix/README.md).
BUS_PARTS = {
    "data": ("pcix_dma_data_pct",),
    "overhead": (
        "pcix_protocol_pct",
        "pcix_read_requests_pct",
        "pcix_arbitration_pct",
        "pcix_aborts_pct",
    ),
    "split latency": ("pcix_split_wait_pct",),
    "disconnects": ("pcix_disconnects_pct",),
    "retries": ("pcix_retries_pct",),
    "MMIO": ("pcix_mmio_pct",),
}
# Of a lane of a TCP offload engine (models/toe/README.md#lanes), by the figure's name.
ENGINE_EVENTS = {
    "receive": "receive events",
    "message": "messages of the host",
    "modulation": "modulation events",
    "timer": "timer events",
}
ENGINE_WAITS = {
    "tx_fifo": "transmit FIFO",
    "replies": "messages that the host does not take",
    "payload": "room in payload memory",
}
_CORE_PARTS = ("user", "system", "softirq", "hardirq", "mmio_stall")
_ONE_CORE = re.compile(r"cpu\d+_busy_pct")


@dataclass(frozen=True)
class Stage:
    """One stage, with the share of the time in which it waited for no other stage.

    `full_pct` counts a stage's own latency as its time (a bus whose master waits for read data);
    `own_pct` only what it did. `part` is what took most of it, `why` half a sentence with numbers.
    """

    what: str
    full_pct: float
    own_pct: float
    why: str
    part: str = ""
    of: str = ""  # whose share `full_pct` is, if not `what`'s

    @property
    def name(self) -> str:
        """Its name in a verdict."""
        return f"{self.what}: {self.part}" if self.part else self.what


def shares(found: Stage) -> str:
    """Return whose share of the time it is, as "sender's CPU, waiting for memory, 42.8 %"."""
    return f"{found.of or found.what} {found.full_pct:.1f} %"


def stages(measured: Mapping[str, Any], direction: Direction = FORWARD) -> list[Stage]:
    """Return every stage that was measured, in the order in which a direction's data pass them."""
    found: list[Stage] = []
    for role, unit in ((direction.source, "tx"), (direction.sink, "rx")):
        host = measured.get(role)
        if not isinstance(host, Mapping):
            continue
        figures: Figures = host  # pyright: ignore[reportUnknownVariableType]
        here = [stage for of in (_core, _lock, _memory) for stage in of(role, figures)]
        here += _bus(role, figures, unit)
        here += _engine(role, figures)
        here += _adapter(role, figures, unit)
        found += here if unit == "tx" else reversed(here)
        if unit == "tx":
            found += _line(direction.of(measured, "line_busy_pct"))
    return found


def _core(role: str, host: Figures) -> Iterator[Stage]:
    busy = host.get("cpu_busy_pct")
    if busy is None:
        return
    stalled, waits = host.get("cpu_mmio_stall_pct", 0.0), host.get("cpu_memory_wait_pct", 0.0)
    shares = {name.replace("mmio", "MMIO").replace("_", " "): host.get(f"cpu_{name}_pct", 0.0)
              for name in _CORE_PARTS}  # fmt: skip
    why = f"busy {busy:.1f} % of the time ({listed(shares)}; {waits:.1f} % waiting for memory)"
    what, part, of = f"{role}'s CPU", "", ""
    each = {name: value for name, value in host.items() if _ONE_CORE.fullmatch(name)}
    if each:  # work does not spread by itself: the fullest of them is what may hold the rest up
        fullest = max(each, key=lambda name: each[name])
        number = fullest[3:-9]
        why = f"processor {number} of {len(each)} was busy {each[fullest]:.1f} %; all: {why}"
        busy, of = each[fullest], f"{what}, processor {number} of {len(each)},"
    if stalled > MOSTLY * busy:
        # Registers that are not on the PCI-X bus are platform devices'.
        bus = "platform bus" if host.get("pcix_mmio_pct") == 0 else "PCI-X bus"
        what, part, of = f"{role}'s {bus}", "MMIO", f"{what}, mostly waiting for registers,"
        why = f"the core waited {stalled:.1f} % of the time for register accesses, busy {busy:.1f}"
        why += " % in all"
    elif waits > MOSTLY * busy:
        what, part, of = f"{role}'s memory", "latency", f"{what}, mostly waiting for memory,"
        why = f"the core waited {waits:.1f} % of the time for lines, busy {busy:.1f} % in all"
    # A core that a bus keeps waiting is not what keeps the bus from more.
    yield Stage(what, busy, busy - stalled, why, part, of)


def _lock(role: str, host: Figures) -> Iterator[Stage]:
    held = host.get("kernel_lock_held_pct")
    if held is None:
        return
    why = f"it was held {held:.1f} % of the time, by one processor at a time"
    yield Stage(f"{role}'s kernel lock", held, held, why)


def _memory(role: str, host: Figures) -> Iterator[Stage]:
    nodes = {name.split("_")[1]: value for name, value in host.items()
             if name.startswith("mem_node") and name.endswith("_busy_pct")}  # fmt: skip
    nodes = nodes or {"": host["mem_busy_pct"]} if "mem_busy_pct" in host else nodes
    if not nodes:
        return
    node = max(nodes, key=lambda name: nodes[name])
    yield Stage(
        f"{role}'s memory",
        nodes[node],
        nodes[node],
        f"the data bus of {node or 'its only node'} was busy {nodes[node]:.1f} % of the time",
        "bandwidth",
    )
    path = host.get("mem_path_busy_pct")
    if path is not None:
        why = f"the fullest link between nodes was busy {path:.1f} % of the time"
        yield Stage(f"{role}'s memory", path, path, why, "other node")


def bus_parts(host: Figures) -> dict[str, float]:
    """Return what the bus's time went for, in percent of the window; nothing if not measured."""
    if "pcix_idle_pct" not in host:
        return {}
    return {part: sum(host.get(n, 0.0) for n in names) for part, names in BUS_PARTS.items()}


def _bus(role: str, host: Figures, unit: str) -> Iterator[Stage]:
    """`unit` is the adapter's engine that the data pass: tx or rx."""
    parts = bus_parts(host)
    if not parts:
        return
    full = 100.0 - host["pcix_idle_pct"]
    waits = host.get("pcix_split_wait_pct", 0.0) + host.get("pcix_arbitration_pct", 0.0)
    others = {part: share for part, share in parts.items() if part != "data"}
    largest = max(others, key=lambda part: others[part])
    part = largest if others[largest] >= NAMED_PART_PCT else "data"
    why = f"it had work {full:.1f} % of the time ({listed(parts)})"
    blocked = host.get(f"adapter_{unit}_blocked_pct")
    if blocked is not None:
        verb = "read" if unit == "tx" else "write"
        why += f", and the adapter, ready to {verb}, was kept waiting {blocked:.1f} %"
    yield Stage(f"{role}'s PCI-X bus", full, full - waits, why, part)


def _adapter(role: str, host: Figures, unit: str) -> Iterator[Stage]:
    busy = host.get(f"adapter_{unit}_busy_pct")
    if busy is None:
        return
    blocked = host.get(f"adapter_{unit}_blocked_pct", 0.0)
    way = "transmit" if unit == "tx" else "receive"
    why = f"its {way} engine worked {busy:.1f} % of the time and was kept waiting {blocked:.1f} %"
    yield Stage(f"{role}'s adapter", busy, busy, why)


def _engine(role: str, host: Figures) -> Iterator[Stage]:
    """The lanes of a TCP offload engine. Its own memory and separators are its own latency."""
    for lane in offload.lanes(host):

        def share(name: str, lane: str = lane) -> float:
            return host.get(f"toe_{lane}_{name}_pct", 0.0)

        busy = share("busy")
        own = {"memory of the lanes": share("memory"), "separators": share("separated")}
        events = {words: share(name) for name, words in ENGINE_EVENTS.items()}
        memories = {"context memory": share("cm"), "payload memory": share("pm")}
        others = {words: share(name) for name, words in ENGINE_WAITS.items()}
        largest = max(own | memories, key=lambda name: (own | memories)[name])
        part = largest if (own | memories)[largest] > MOSTLY * busy else ""
        part = part or max(events, key=lambda name: events[name])
        why = f"it had events {busy:.1f} % of the time ({listed(events)}"
        why += f"; {listed(memories)})" if listed(memories) else ")"
        waits = listed(own | others)
        why += f", and waited for others: {waits}" if waits else ""
        full = busy + sum(own.values())
        yield Stage(f"{role}'s offload engine, {lane} lane", full, busy, why, part)


def _line(share: Any) -> Iterator[Stage]:
    if isinstance(share, int | float):
        why = f"frames, preambles and gaps filled {share:.1f} % of the line"
        yield Stage("wire", share, share, why)


def listed(shares: Mapping[str, float], most: int = 4) -> str:
    """Return the largest shares that show in a decimal, as "data 77.9 %, overhead 13.3 %"."""
    seen = sorted(((v, k) for k, v in shares.items() if v >= 0.05), reverse=True)[:most]
    return ", ".join(f"{name} {value:.1f} %" for value, name in seen)
