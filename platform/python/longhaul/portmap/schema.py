# SPDX-License-Identifier: Apache-2.0
"""The keys of a port map (docs/port_maps.md), as types; unknown keys are errors."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field
from pydantic.fields import FieldInfo

from longhaul.portmap.board_tables import Content, Device
from longhaul.portmap.kinds import KINDS
from longhaul.portmap.platform_table import Inout, Integer, Platform
from longhaul.portmap.rings import Rings
from longhaul.units import Frequency, Rate, Size, Time

Name = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Block(_Table):
    """The RTL: its top module, sources, and how it is compiled."""

    name: Name = Field(description="Name of the type that the map makes, as in `--set adapter=`.")
    title: str = Field("", description="What it is, in one line.")
    top: Name = Field(description="The top module.")
    sources: tuple[str, ...] = Field(
        (),
        description="Source files or patterns (`rtl/*.sv`), packages first, by the map's folder.",
    )
    file_lists: tuple[str, ...] = Field(
        (), description="File lists as Verilator's -f takes them, by the map's folder."
    )
    include: tuple[str, ...] = Field((), description="Folders of included files.")
    defines: dict[str, str | int] = Field({}, description="Macros; an empty text has no value.")
    parameters: dict[str, str | int | bool] = Field(
        {}, description="Parameters of the top module; a text is written as Verilog has it."
    )
    primitives: Literal["", "xilinx"] = Field(
        "", description="Maker of the primitives in the RTL (BUFG, ODDR); their models are added."
    )
    verilator: str = Field("", description="Another Verilator than the one in PATH.")
    options: tuple[str, ...] = Field((), description="More options of Verilator.")
    cover_toggles: bool = Field(
        True, description="`--coverage` counts toggles, too. It is faster without."
    )


class Clock(_Table):
    """A clock input. The table's name is the pin unless `pin` says otherwise."""

    pin: str = Field("", description="The input.")
    frequency: str = Field(description="Its frequency, with a unit: 125MHz.")
    ppm: float = Field(0.0, ge=-1000, le=1000, description="Offset from the frequency, ppm.")
    phase: str = Field("0ps", description="First rising edge after power-up.")
    gating: bool = Field(
        False,
        description="The clock may stand still while nothing happens at its interfaces.",
    )
    request: str = Field(
        "", description="An output that is high while the clock must not stand still."
    )
    settle: int = Field(
        64, ge=1, le=1 << 20, description="Clocks for which it runs on before it stands still."
    )

    slot: bool = Field(
        False,
        description="On a bus it is the bus's own clock, with the frequency that the bus has; "
        "`frequency` is then that without a bus.",
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
    clocks: int = Field(16, ge=1, le=65536, description="Clocks of its activity from power-up on.")


class Input(_Table):
    """An input that a parameter of the adapter or box sets: `--param own.eth0.NAME=VALUE`."""

    pin: str = Field("", description="The input, unless it is the table's name.")
    value: Integer = Field(0, ge=0, description="Its value unless the parameter is set.")
    description: str = Field(
        "", max_length=90, description="What it is, in one sentence for `longhaul types`."
    )


class TopParameter(_Table):
    """A parameter of the top module that one of the adapter or box sets: `own.eth0.NAME=VALUE`.

    Longhaul compiles the block for each value that a run asks for, and keeps it.
    """

    parameter: Name = Field(description="The parameter of the top module.")
    values: tuple[int | str, ...] = Field(
        min_length=1,
        description="The values that it may have: whole numbers, sizes with a unit (`64KiB`, in "
        "bytes to the RTL), other texts as Verilog has them.",
    )
    value: int | str = Field(description="Its value unless the parameter is set.")
    description: str = Field(
        "", max_length=90, description="What it is, in one sentence for `longhaul types`."
    )


class Interface(_Table):
    """A group of pins with a protocol."""

    kind: str = Field(description=f"One of {', '.join(KINDS)}.")
    role: str = Field("", description="The block's side: subordinate or manager.")
    prefix: str = Field("", description="Begin of its pins' names: `s_axil_`.")
    pins: dict[str, str] = Field(
        {},
        description="Pins with other names, by signal: `txd = 'tx_data[7:0]'`; an empty text is "
        "an optional signal that the block does not have.",
    )
    clock: str = Field("", description="Its clock.")
    tx_clock: str = Field("", description="Of a kind with two clocks: the output's.")
    rx_clock: str = Field("", description="Of a kind with two clocks: the input's.")
    checker: bool = Field(True, description="Whether its protocol is checked.")
    pipelined: bool = Field(False, description="Of Wishbone: pipelined, not classic, cycles.")
    word_addresses: bool = Field(
        False, description="Of Wishbone: the address counts words, as LiteX has it, not bytes."
    )
    outstanding: int = Field(
        8, ge=1, le=256, description="Of a manager: most open requests of each direction."
    )
    patience: int = Field(
        0,
        ge=0,
        le=1 << 24,
        description="Clocks until a subordinate must have answered (0: 4096), or a manager must "
        "have taken an answer and sent the data of a write (0: 8388608).",
    )
    trigger: Literal["level", "edge"] = Field(
        "level", description="Of interrupts: a level, or pulses, which are messages (MSI, MSI-X)."
    )
    error_bit: int = Field(
        0,
        ge=0,
        le=1023,
        description="Of AXI4-Stream: the bit of TUSER that marks a frame as bad in its last beat.",
    )
    content: Content | None = Field(None, description="Of Microwire: what is in the EEPROM.")
    devices: dict[Name, Device] = Field({}, description="Of MDIO: the devices, by name.")


class Stream(_Table):
    """A port to the wire made of two AXI4-Streams; a MAC of Longhaul's lies behind them."""

    transmit: str = Field(description="The interface of the frames that the block sends.")
    receive: str = Field(description="The interface of the frames that the block receives.")
    rate: Literal["100Mb/s", "1Gb/s", "10Gb/s"] = Field(
        "10Gb/s", description="The rate on the wire."
    )
    fcs: bool = Field(False, description="Whether a frame's FCS is in the streams.")
    buffer: str = Field("32KiB", description="Room for frames that the block has not taken yet.")

    def bits_per_s(self) -> int:
        """Return the rate in bits per second."""
        return Rate.parse(self.rate, where="rate").count

    def buffer_bytes(self) -> int:
        """Return the size of the buffer in bytes; a UnitError says what would be one."""
        return Size.parse(self.buffer, where="buffer").bytes


class Driver(_Table):
    """The Linux driver of the function."""

    module: str = Field(description="Name of its kernel module.")
    folder: str = Field(
        "", description="Its folder in the kernel's sources, if it is Linux' own and not built in."
    )
    option: str = Field("", description="The option that builds it there.")
    least_mtu: int = Field(68, ge=68, le=65535, description="Least MTU that it takes, bytes.")
    largest_mtu: int = Field(1500, ge=68, le=65535, description="Largest MTU, bytes.")


class Bar(_Table):
    """A memory BAR of the function, and what of the block's registers lies behind it."""

    registers: str = Field(
        "", description="The interface behind it; several BARs may share one. None with `bus`."
    )
    size: str = Field("64KiB", description="Its size, a power of two from 16B to 256MiB.")
    offset: Integer = Field(0, description="Address at the interface of the BAR's first byte.")
    width: Literal[32, 64] = Field(
        32, description="Bits of its address; a BAR of 64 takes two BAR registers."
    )
    prefetchable: bool = Field(False, description="Its prefetchable bit.")
    space: Literal["memory", "io"] = Field("memory", description="Only memory is modelled.")

    def bytes(self) -> int:
        """Return the size in bytes; a UnitError says what would be one."""
        return Size.parse(self.size, where="size").bytes


class Pci(_Table):
    """A function of the bus: the block is a network adapter."""

    vendor: Integer = Field(ge=0, le=0xFFFE, description="Vendor ID.")
    device: Integer = Field(ge=0, le=0xFFFF, description="Device ID.")
    subsystem_vendor: Integer = Field(0, ge=0, le=0xFFFF, description="Subsystem Vendor ID.")
    subsystem: Integer = Field(0, ge=0, le=0xFFFF, description="Subsystem ID.")
    revision: Integer = Field(0, ge=0, le=0xFF, description="Revision ID.")
    class_code: Integer = Field(0x020000, ge=0, le=0xFFFFFF, description="Class code.")
    registers: str = Field("", description="The interface behind BAR 0, if that is the only one.")
    bar: str = Field("64KiB", description="Size of this BAR.")
    bus: str = Field(
        "",
        description="The interface of the bus's own pins (kind `pcix`): registers, memory, "
        "interrupts and configuration space are behind it.",
    )
    bars: dict[Annotated[str, Field(pattern="^[0-5]$")], Bar] = Field(
        {}, description="Memory BARs by number, if there are several: tables [pci.bars.0]."
    )
    memory: str = Field("", description="The interface that masters the bus.")
    interrupts: str = Field("", description="The interface of the interrupt request.")
    port: str = Field("", description="The interface to the wire, or one of [streams].")
    twin: str = Field(
        "", description="The TLM type of adapter whose parameter `model=rtl` means this block."
    )
    msi: bool = Field(True, description="Whether it has the MSI capability.")
    vectors: int = Field(1, ge=1, le=32, description="Vectors of MSI, a power of two.")
    msix_vectors: int = Field(
        0, ge=0, le=32, description="Vectors of MSI-X; 0: it has no such capability."
    )
    msix_bar: int = Field(
        4, ge=0, le=5, description="The BAR of MSI-X's table, which Longhaul keeps: 4 KiB."
    )
    slot: Literal["pcix-133", "pcix-100", "pcix-66", "pci-66", "pci-33"] = Field(
        "pcix-133", description="The bus that it is made for."
    )
    max_read: str = Field(
        "512B",
        description="Largest memory read on conventional PCI; on PCI-X it is firmware's `mmrbc`.",
    )

    def max_read_bytes(self) -> int:
        """Return the largest read in bytes; a UnitError says what would be one."""
        return Size.parse(self.max_read, where="max_read").bytes


class Box(_Table):
    """A box in a long path: frames that come in at one port leave at the other."""

    ports: dict[str, str] = Field(
        description="Its ports' interfaces or streams, by name: west, east."
    )


class PortMap(_Table):
    """A whole port map."""

    block: Block
    clocks: dict[str, Clock] = Field(description="Clock inputs by name.")
    resets: dict[str, Reset] = Field({}, description="Reset inputs by name.")
    interfaces: dict[str, Interface] = Field(description="Interfaces by name.")
    streams: dict[str, Stream] = Field(
        {}, description="Ports to the wire made of AXI4-Streams, by name."
    )
    constants: dict[str, Integer] = Field({}, description="Inputs that never change, by pin.")
    inputs: dict[str, Input] = Field({}, description="Inputs that are parameters, by name.")
    parameters: dict[str, TopParameter] = Field(
        {}, description="Parameters of the top module that are parameters of the part, by name."
    )
    open: tuple[str, ...] = Field((), description="Outputs that are connected to nothing.")
    inouts: dict[str, Inout] = Field({}, description="Tri-state ports by name.")
    pci: Pci | None = Field(None, description="The block is a PCI function.")
    rings: Rings | None = Field(None, description="Its descriptor rings.")
    platform: Platform | None = Field(None, description="The block is a platform device.")
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
