# SPDX-License-Identifier: Apache-2.0
"""Everything around nic_top's pins: registers, host memory, the wire's far end, the EEPROM."""

from __future__ import annotations

from collections import deque
from typing import Any

import accesses
import cocotb
from cocotb.triggers import ClockCycles, Event, Timer
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp
from cocotbext.eth import XgmiiFrame, XgmiiSink, XgmiiSource
from nic_counters import RX, TX, Block
from nic_described import BY_NAME
from nic_eeprom import Eeprom, words_of
from nic_line import pause_frame
from nic_memory import Memory
from nic_rx_model import BROADCAST, MPE, MULTICAST, UNICAST, Kept, Receiver, be16

ADDRESS = bytes.fromhex("0007e9a1b2c3")
HALF_FS = {mhz: round(500_000_000 / mhz) for mhz in (66, 100, 133, 200)}  # half clocks of the bus
LINE_HALF_FS = 3_200_000
BURST_BYTES = 2048
CONTROL = b"\x88\x08"
QUANTUM_NS = 51.2
FS = 1_000_000  # femtoseconds in a nanosecond


def word_of(register: str, **values: int) -> int:
    """Return a register's word with the values of its fields."""
    fields = BY_NAME[register].fields
    return sum(value * (fields[name] & -fields[name]) for name, value in values.items())


def sort_of(frame: bytes) -> int:
    """Return the sort of a frame's destination."""
    return BROADCAST if frame[:6] == b"\xff" * 6 else MULTICAST if frame[0] & 1 else UNICAST


class Nic:
    """The NIC as its host and its far end see it; counters and received frames by the models."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.model = Receiver()
        self.counters = Block(32)
        self.kept: deque[Kept] = deque()  # frames that came, not yet in memory
        self.wire: list[bytes] = []  # frames of data that the NIC sent, without FCS
        self.starts: list[float] = []  # ns, at which they did
        self.pauses: list[tuple[float, int]] = []  # PAUSE frames that it sent: ns, quanta
        self.progress = Event()  # a frame left, or software did something

    async def start(self, mhz: int = 200, ppm: int = 0, gate: bool = False, bus_mode: int = 0b10110,
                    ) -> None:  # fmt: skip
        """Power it up."""
        dut = self.dut
        dut.bus_half_fs_i.value = HALF_FS[mhz]
        dut.rx_half_fs_i.value = LINE_HALF_FS + LINE_HALF_FS * ppm // 1_000_000
        dut.gate_i.value, dut.fault_i.value, dut.mdio_i.value = int(gate), 0, 1
        dut.bus_mode_i.value, dut.test_mode_i.value = bus_mode, 0
        dut.rst_ni.value = 0
        self.eeprom = Eeprom(dut, [*words_of(ADDRESS), *range(61)])
        self.memory = Memory(dut, dut.bus_clk, BURST_BYTES)
        self.axil = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.bus_clk, dut.rst_ni,
                                  reset_active_level=False)  # fmt: skip
        self.source = XgmiiSource(dut.rxd_i, dut.rxc_i, dut.rx_clk)
        self.sink = XgmiiSink(dut.txd_o, dut.txc_o, dut.core_clk)
        for each in (self.axil.write_if, self.axil.read_if, self.source, self.sink):
            each.log.setLevel("ERROR")
        await ClockCycles(dut.bus_clk, 24)
        dut.rst_ni.value = 1
        await ClockCycles(dut.bus_clk, 24)
        cocotb.start_soon(self._collect())

    def forget(self) -> None:
        """Begin again, as after a reset: nothing came, nothing was sent."""
        self.model, self.counters = Receiver(), Block(32)
        self.kept.clear()
        self.wire.clear()
        self.starts.clear()
        self.pauses.clear()

    # ---- Registers ----

    async def write_at(self, address: int, word: int) -> None:
        """Write a register."""
        done = await self.axil.write(address, word.to_bytes(4, "little"))
        assert done.resp == AxiResp.OKAY
        accesses.written(address, word)

    async def read_at(self, address: int) -> int:
        """Read a register."""
        got = await self.axil.read(address, 4)
        assert got.resp == AxiResp.OKAY
        value = int.from_bytes(got.data, "little")
        accesses.read(address, value)
        return value

    async def write(self, name: str, word: int = 0, **fields: int) -> None:
        """Write a register by name: a word, or fields of it."""
        await self.write_at(BY_NAME[name].address, word | word_of(name, **fields))

    async def read(self, name: str) -> int:
        """Read a register by name."""
        return await self.read_at(BY_NAME[name].address)

    async def field(self, register: str, name: str) -> int:
        """Read a field of a register."""
        return BY_NAME[register].bits(name, await self.read(register))

    async def until(self, register: str, name: str, value: int, microseconds: float = 50) -> None:
        """Wait until a field has a value."""
        begin = get_sim_time("us")
        while await self.field(register, name) != value:
            assert get_sim_time("us") < begin + microseconds, f"{register}.{name} is not {value}"
            await Timer(200, "ns")

    async def check_counters(self, **others: int) -> None:
        """Read all counters; they are what came and what was sent, and `others`."""
        for name, count in others.items():
            self.counters.add(name, count)
        for address, name in self.counters.names.items():
            got, right = await self.read_at(address), self.counters.read(address)
            assert got == right, f"{name}: {got}, expected {right}"

    # ---- The wire ----

    def sends(self) -> bool:
        """Tell whether the NIC is in the middle of a frame."""
        return int(self.dut.txc_o.value) == 0

    def come(self, frame: bytes, error: bool = False, room: bool = True) -> None:
        """Send a frame to the NIC, its FCS included, as soon as the line is free.

        With `error` its last byte is an error character. `room`: the NIC has room for it.
        """
        event, kept = self.model.take(frame, error, room)
        if event:
            self.counters.received(dict.fromkeys(RX, 0) | event, self.model.settings.rctl & MPE)
        if kept is not None:
            self.kept.append(kept)
        sent = XgmiiFrame.from_raw_payload(frame)
        if error:
            sent.data[-1], sent.ctrl = 0xFE, [0] * (len(sent.data) - 1) + [1]
        self.source.send_nowait(sent)

    async def _collect(self) -> None:
        """Take frames off the wire: each is whole, and counts."""
        while True:
            frame = await self.sink.recv()
            data = bytes(frame.get_payload())
            assert frame.ctrl is None and frame.check_fcs(), f"a frame of {len(data)} B is damaged"
            assert bytes(frame.get_preamble()) == b"\x55" * 7 + b"\xd5" and len(data) >= 60
            at = frame.sim_time_start / FS
            event = dict.fromkeys(TX, 0) | {"octets": len(data) + 4, "sort": sort_of(data)}
            if data[12:14] == CONTROL:
                quanta = be16(data, 16)
                right = pause_frame(quanta)
                assert data == right[:6] + ADDRESS + right[12:], data.hex()
                self.pauses.append((at, quanta))
                event["xoff" if quanta else "xon"] = 1
                self.counters.sent(event)
            else:
                self.wire.append(data)
                self.starts.append(at)
                self.counted(data, event)
            self.progress.set()

    def counted(self, data: bytes, event: dict[str, int]) -> None:
        """Count a frame of data that was sent. Padding is not seen here: see Driver.send."""
        vlan = data[12:14] == b"\x81\0"
        jumbo = len(data) + 4 > 1518 + 4 * vlan
        self.counters.sent(event | {"vlan": int(vlan), "jumbo": int(jumbo)})
