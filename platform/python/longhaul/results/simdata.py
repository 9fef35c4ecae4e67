# SPDX-License-Identifier: Apache-2.0
"""`sim.json`, the simulator's summary, as types (platform/observe writes it)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from longhaul import json_file
from longhaul.errors import LonghaulError
from longhaul.results.connections import FILE as CONNECTIONS
from longhaul.results.connections import Adapter
from longhaul.results.connections import load as load_connections


class Window(BaseModel):
    """The measured stretch of simulated time."""

    begin_ps: int
    end_ps: int

    @property
    def seconds(self) -> float:
        """Length of the window."""
        return (self.end_ps - self.begin_ps) / 1e12


class Probe(BaseModel):
    """One probe over the window: a counter, a level or a state clock."""

    model_config = ConfigDict(extra="ignore")

    unit: str = ""
    description: str = ""
    delta: int | None = None
    begin: float | None = None
    end: float | None = None
    mean: float | None = None
    highest: float | None = None
    states: dict[str, int] | None = None


class ModelParam(BaseModel):
    """One number of a model, as a manifest shows it."""

    model_config = ConfigDict(extra="ignore")

    object: str
    name: str
    value: Any
    unit: str = ""
    evidence: str
    source: str
    set: bool = False


class Cause(BaseModel):
    """The loss that a retransmission repairs."""

    model_config = ConfigDict(extra="ignore")

    ps: int
    place: str
    why: str


class Waves(BaseModel):
    """Content of the wave file; without times if its trigger never came."""

    model_config = ConfigDict(extra="ignore")

    from_ps: int | None
    until_ps: int | None
    trigger_ps: int | None
    trigger: str = ""
    cause: Cause | None = None
    connections: int = 0


class Violations(BaseModel):
    """How often a part with RTL broke a rule, or an assertion of its own, from power-up on."""

    model_config = ConfigDict(extra="ignore")

    part: str
    rule: str
    assertion: bool = False
    count: int
    first_ps: int
    first: str  # the message of the first time


class NearestBar(BaseModel):
    """The base address register (BAR) whose begin is nearest below an address, and its adapter."""

    adapter: str
    index: int  # which base address register: 0 to 5
    begin: int  # bus address, or I/O port
    bytes: int


class UnclaimedAccess(BaseModel):
    """An access of software to an address that no adapter claimed."""

    read: bool
    io: bool
    address: int
    bytes: int
    ps: int
    nearest: NearestBar | None


class Unclaimed(BaseModel):
    """How many such accesses a host's software made from power-up on, and the first."""

    host: str
    count: int
    first: UnclaimedAccess


class LeftOut(BaseModel):
    """Comments that a capture has no room for, and when the first of them was due."""

    count: int
    from_ps: int


class Packets(BaseModel):
    """Counts of packets that were followed; null for an adapter whose rings are not known."""

    adapters: dict[str, dict[str, int] | None]
    left_out: int
    left_out_from_ps: int


class CpuSeconds(BaseModel):
    """CPU time of the host: in a program's own instructions, and in the host's kernel for it."""

    user: float = 0.0
    system: float = 0.0


class GuestSeconds(BaseModel):
    """A guest's CPU time on the host."""

    kernel: CpuSeconds
    programs: CpuSeconds


class HostSeconds(BaseModel):
    """The CPU time of a run's processes on the host in the window."""

    simulator: CpuSeconds = CpuSeconds()
    guests: dict[str, GuestSeconds] = {}  # those of which the host tells
    programs_by: dict[str, str] = {}  # of each guest: "seccomp" or "ptrace"


class SimData(BaseModel):
    """The whole summary."""

    model_config = ConfigDict(extra="ignore")

    window: Window
    window_marked: bool = True
    probes: dict[str, Probe]
    params: list[ModelParam] = []
    wall_s: float
    window_wall_s: float = 0.0
    simulated_s: float
    guests: dict[str, Any] = {}
    host_s: HostSeconds = HostSeconds()
    waves: Waves | None = None
    violations: list[Violations] = []
    unclaimed: list[Unclaimed] = []
    comments_left_out: LeftOut | None = None
    packets: Packets | None = None
    connections: list[Adapter] = []  # of connections.json beside it

    def counter(self, name: str) -> int:
        """Return a counter's increase over the window."""
        delta = self._probe(name).delta
        if delta is None:
            raise LonghaulError(f"sim.json: probe {name} is not a counter")
        return delta

    def counted(self, *ends: str) -> int:
        """Return the sum of `counter` over all probes whose names end so."""
        return sum(self.counter(name) for name in self.probes if name.endswith(ends))

    def before(self, name: str) -> int:
        """Return what a counter had counted when the window began."""
        return int(self._probe(name).begin or 0)

    def level(self, name: str) -> Probe:
        """Return a quantity that rises and falls, with its mean over the window."""
        found = self._probe(name)
        if found.mean is None:
            raise LonghaulError(f"sim.json: probe {name} is not a level")
        return found

    def share_pct(self, name: str, states: tuple[str, ...]) -> float:
        """Return how much of the window a state clock spent in these states, in percent."""
        clock = self._probe(name).states
        if clock is None:
            raise LonghaulError(f"sim.json: probe {name} has no states")
        missing = [state for state in states if state not in clock]
        if missing:
            raise LonghaulError(f"sim.json: probe {name} has no state {missing[0]}")
        return 100.0 * sum(clock[state] for state in states) / (sum(clock.values()) or 1)

    def _probe(self, name: str) -> Probe:
        probe = self.probes.get(name)
        if probe is None:
            raise LonghaulError(f"sim.json has no probe {name}")
        return probe


def load(path: Path) -> SimData:
    """Read sim.json; a missing or malformed file is one clear line."""
    try:
        sim = SimData.model_validate(json_file.read(path))
    except FileNotFoundError:
        raise LonghaulError(f"the simulator left no {path.name}") from None
    except ValueError as error:  # ValidationError is one
        first = str(error).splitlines()
        raise LonghaulError(f"{path}: not a whole summary ({' '.join(first[:2])})") from None
    sim.connections = load_connections(path.with_name(CONNECTIONS))
    return sim
