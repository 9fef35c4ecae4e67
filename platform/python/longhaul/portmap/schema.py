# SPDX-License-Identifier: Apache-2.0
"""What a port map says (docs/port_maps.md), as types; unknown keys are errors."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.fields import FieldInfo

from longhaul.portmap.kinds import KINDS
from longhaul.units import Frequency, Size, Time


def _integer(value: object) -> object:
    """Let a number be written as a text, which JSON and TOML want for some: "0x1af4"."""
    try:
        return int(value, 0) if isinstance(value, str) else value
    except ValueError:
        raise ValueError("wants a number, such as 0x1af4") from None


Integer = Annotated[int, BeforeValidator(_integer)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Block(_Table):
    """The RTL: its top module, sources, and how it is compiled."""

    name: Name = Field(description="Name of the type that the map makes, as in `--set adapter=`.")
    title: str = Field("", description="One line of what it is.")
    top: Name = Field(description="The top module.")
    sources: tuple[str, ...] = Field(
        (), description="Source files or patterns (`rtl/*.sv`), packages first, from the map on."
    )
    file_lists: tuple[str, ...] = Field(
        (), description="File lists as Verilator's -f takes them, from the map on."
    )
    include: tuple[str, ...] = Field((), description="Folders of included files.")
    defines: dict[str, str | int] = Field({}, description="Macros; an empty text has no value.")
    parameters: dict[str, str | int | bool] = Field(
        {}, description="Parameters of the top module; a text is written as Verilog has it."
    )
    verilator: str = Field("", description="Another Verilator than the one in PATH.")
    options: tuple[str, ...] = Field((), description="More options of Verilator.")


class Clock(_Table):
    """A clock input. The table's name is the pin unless `pin` says otherwise."""

    pin: str = Field("", description="The input.")
    frequency: str = Field(description="Its frequency, with a unit: 125MHz.")
    ppm: float = Field(0.0, ge=-1000, le=1000, description="Offset from the frequency, ppm.")
    phase: str = Field("0ps", description="First rising edge after power-up.")
    gating: bool = Field(
        False,
        description="The clock may stand still while nothing happens at the interfaces in it.",
    )
    request: str = Field(
        "", description="An output that is high while the clock must not stand still."
    )
    settle: int = Field(
        64, ge=1, le=1 << 20, description="Clocks that it runs on before it stands still."
    )

    def hertz(self) -> int:
        """Return the frequency in hertz; a UnitError says what would be one."""
        return Frequency.parse(self.frequency, where="frequency", hint="MHz").count

    def phase_ps(self) -> int:
        """Return the phase in picoseconds; a UnitError says what would be one."""
        return Time.parse(self.phase, where="phase").ps


class Reset(_Table):
    """A reset input. The table's name is the pin unless `pin` says otherwise."""

    pin: str = Field("", description="The input.")
    active: Literal["low", "high"] = Field("low", description="Its level during the reset.")
    clock: str = Field(description="The clock that it is synchronous to.")
    clocks: int = Field(16, ge=1, le=65536, description="Clocks that it is active from power-up.")


class Interface(_Table):
    """A group of pins with a protocol."""

    kind: str = Field(description=f"One of {', '.join(KINDS)}.")
    role: str = Field("", description="What the block is: subordinate or manager.")
    prefix: str = Field("", description="What the names of its pins begin with: `s_axil_`.")
    pins: dict[str, str] = Field(
        {},
        description="Pins with other names, by signal: `txd = 'tx_data[7:0]'`; an empty text is "
        "an optional signal that the block does not have.",
    )
    clock: str = Field("", description="Its clock.")
    tx_clock: str = Field("", description="Of a kind with two: the clock of what the block sends.")
    rx_clock: str = Field("", description="Of a kind with two: the clock of what it receives.")
    checker: bool = Field(True, description="Whether its protocol is checked.")
    pipelined: bool = Field(False, description="Of Wishbone: pipelined, not classic, cycles.")
    word_addresses: bool = Field(
        False, description="Of Wishbone: the address counts words, as LiteX has it, not bytes."
    )
    outstanding: int = Field(
        8, ge=1, le=256, description="Of a manager: requests of each direction taken at once."
    )
    patience: int = Field(
        0,
        ge=0,
        le=1 << 24,
        description="Clocks until a subordinate must have answered (0: 4096), or a manager must "
        "have taken an answer and sent the data of a write (0: 8388608).",
    )


class Driver(_Table):
    """The Linux driver of the function."""

    module: str = Field(description="Name of its kernel module.")
    least_mtu: int = Field(68, ge=68, le=65535, description="Least MTU that it takes, bytes.")
    largest_mtu: int = Field(1500, ge=68, le=65535, description="Largest MTU, bytes.")


class Pci(_Table):
    """A function of the bus: the block is a network adapter."""

    vendor: Integer = Field(ge=0, le=0xFFFE, description="Vendor ID.")
    device: Integer = Field(ge=0, le=0xFFFF, description="Device ID.")
    subsystem_vendor: Integer = Field(0, ge=0, le=0xFFFF, description="Subsystem Vendor ID.")
    subsystem: Integer = Field(0, ge=0, le=0xFFFF, description="Subsystem ID.")
    revision: Integer = Field(0, ge=0, le=0xFF, description="Revision ID.")
    class_code: Integer = Field(0x020000, ge=0, le=0xFFFFFF, description="Class code.")
    registers: str = Field(description="The interface behind the memory BAR.")
    bar: str = Field("64KiB", description="Size of the memory BAR, a power of two.")
    memory: str = Field("", description="The interface that masters the bus.")
    interrupts: str = Field("", description="The interface of the interrupt request.")
    port: str = Field("", description="The interface to the wire.")
    msi: bool = Field(True, description="Whether it has the MSI capability.")
    slot: Literal["pcix-133", "pcix-100", "pcix-66", "pci-66", "pci-33"] = Field(
        "pcix-133", description="The bus that it is made for."
    )
    max_read: str = Field(
        "512B",
        description="Largest memory read on conventional PCI; on PCI-X firmware's `mmrbc` is.",
    )

    def max_read_bytes(self) -> int:
        """Return the largest read in bytes; a UnitError says what would be one."""
        return Size.parse(self.max_read, where="max_read").bytes

    def bar_bytes(self) -> int:
        """Return the size of the BAR in bytes; a UnitError says what would be one."""
        return Size.parse(self.bar, where="bar").bytes


class Box(_Table):
    """A box in a long path: what comes in at one port leaves at the other."""

    ports: dict[str, str] = Field(description="Its ports' interfaces by name: west, east.")


class PortMap(_Table):
    """A whole port map."""

    block: Block
    clocks: dict[str, Clock] = Field(description="Clock inputs by name.")
    resets: dict[str, Reset] = Field({}, description="Reset inputs by name.")
    interfaces: dict[str, Interface] = Field(description="Interfaces by name.")
    constants: dict[str, Integer] = Field({}, description="Inputs that never change, by pin.")
    open: tuple[str, ...] = Field((), description="Outputs that nobody looks at.")
    pci: Pci | None = Field(None, description="The block is a PCI function.")
    box: Box | None = Field(None, description="The block is a box.")
    driver: Driver | None = Field(None, description="Its Linux driver.")


def fields_of(table: type[BaseModel]) -> dict[str, FieldInfo]:
    """Return the keys of a table."""
    return table.model_fields


def table_of(annotation: Any) -> type[BaseModel] | None:
    """Return the table that a key takes, or that each of its own keys does; None for a value."""
    found = (annotation, *get_args(annotation))
    return next(
        (each for each in found if isinstance(each, type) and issubclass(each, BaseModel)), None
    )
