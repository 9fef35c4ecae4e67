# SPDX-License-Identifier: Apache-2.0
"""The simulator's configuration file (docs/interfaces.md), as types; unknown keys are errors."""

from pydantic import BaseModel, ConfigDict, Field

ParamValue = str | int | float | bool


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Open(BaseModel):
    """A model's parameters: the simulator knows their names, so others than these may be given."""

    model_config = ConfigDict(extra="allow", frozen=True)


class Cpu(_Open):
    """A machine's processor."""

    clock: str


class Memory(_Open):
    """A machine's memory."""

    size: str


class Pcix(_Open):
    """A machine's PCI-X bus."""

    clock: str


class Bridge(_Open):
    """A machine's host bridge."""


class Firmware(_Open):
    """The firmware's values of a device's configuration space, written before Linux starts."""

    mmrbc: int = Field(ge=512, le=4096)
    outstanding: int = Field(ge=1, le=32)
    latency_timer: int = Field(ge=0, le=255)


class Guest(_Strict):
    """A machine's guest: the image mounted at /run/longhaul and extra kernel arguments.

    `root` is the image of a root of its own; empty: that of all guests. So are `kernel`, the table
    of its blocks and its layout. `console`: its terminal is the user's, on descriptor 4.
    """

    files: str
    args: list[str] = []
    root: str = ""
    kernel: str = ""
    kernel_blocks: str = ""
    kernel_layout: str = ""
    console: bool = False


class Interface(_Strict):
    """How a modelled system sets an adapter up; addresses are ADDRESS/BITS."""

    device: str
    ipv4: str
    ipv6: str
    mtu: int
    driver: dict[str, ParamValue] = {}


class Program(_Strict):
    """A program of a modelled host."""

    type: str
    params: dict[str, ParamValue] = {}


class Host(_Strict):
    """A machine's modelled operating system: its profile, what differs from it, what runs on it."""

    system: str
    processors: int = Field(default=1, ge=1, le=4)
    tcp: dict[str, ParamValue] = {}
    net: dict[str, ParamValue] = {}
    kernel: dict[str, ParamValue] = {}
    interrupts: dict[str, ParamValue] = {}
    interfaces: list[Interface]
    programs: list[Program] = []


class Device(_Strict):
    """An adapter in a slot."""

    type: str
    name: str
    slot: int = Field(ge=1)
    function: int = Field(default=0, ge=0, le=1)
    firmware: Firmware
    params: dict[str, ParamValue] = {}


class Machine(_Strict):
    """A PC."""

    name: str
    cpu: Cpu
    memory: Memory
    pcix: Pcix
    bridge: Bridge = Bridge()
    platform_bus: dict[str, ParamValue] = {}
    guest: Guest | None = None
    host: Host | None = None
    devices: list[Device]


class Switch(_Strict):
    """An Ethernet switch."""

    type: str = "generic"
    name: str
    ports: int = Field(ge=2)
    params: dict[str, ParamValue] = {}


class Box(_Strict):
    """A two-port box on the way."""

    type: str
    name: str
    params: dict[str, ParamValue] = {}


class Link(_Strict):
    """A cable between two ports, each `part.port`."""

    name: str
    a: str
    b: str
    params: dict[str, ParamValue] = {}


class Window(_Strict):
    """Which stretch of time is measured: from the traffic's first user data at an adapter.

    `greeting` is user data that precedes the traffic.
    """

    opens_at: str
    greeting: str = "0B"
    warmup: str = "0s"
    length: str


class Control(_Strict):
    """Accesses to a box's registers, `at` after the measured window has begun."""

    at: str
    box: str
    accesses: list[list[int]]  # [address] or [address, value]
    times: int = Field(default=1, ge=1)
    every: str = "0s"


class Observe(_Strict):
    """Records beside the summary; an empty series period records no series."""

    series_period: str = "1ms"
    pcap: list[str] = []
    timeline: bool = False
    packets: bool = False
    record: bool = False
    record_device: str = ""
    coverage: bool = False
    profile_period: str = "20us"
    waves: list[str] = []
    waves_from: str = "0s"
    waves_length: str = "100us"
    waves_trigger: str = ""
    waves_history: str = "0s"


class SimConfig(_Strict):
    """All that `longhaul-sim` reads."""

    name: str
    seed: int = Field(ge=0)
    layout: int = Field(default=0, ge=0)
    out: str
    limit: str
    patience: str = "0s"
    plugins: list[str] = []
    kernel: str = ""
    kernel_blocks: str = ""
    kernel_layout: str = ""
    guest_root: str = ""
    machines: list[Machine] = Field(min_length=1)
    switches: list[Switch] = []
    boxes: list[Box] = []
    links: list[Link] = []
    window: Window | None = None  # else the guests mark it
    control: list[Control] = []
    observe: Observe = Observe()
