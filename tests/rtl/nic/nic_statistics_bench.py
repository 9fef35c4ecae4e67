# SPDX-License-Identifier: Apache-2.0
"""The NIC's counters against what models/nic/blocks/statistics_block and ixgb_stats count."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge
from nic_counters import BASE, END, RX, TX, Block, Event, packed
from nic_described import BY_NAME

NARROW_BITS = 8


class Bench:
    """The two blocks under test, each beside its model."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.wide, self.narrow = Block(32), Block(NARROW_BITS)

    async def start(self) -> None:
        """Leave reset with every input low."""
        for name in ("mpe_i", "rx_valid_i", "rx_i", "tx_valid_i", "tx_i", "tso_whole_i",
                     "tso_failed_i", "link_lost_i", "read_i", "addr_i"):  # fmt: skip
            getattr(self.dut, name).value = 0
        self.dut.rst_ni.value = 0
        await FallingEdge(self.dut.clk)
        await FallingEdge(self.dut.clk)
        self.dut.rst_ni.value = 1

    async def clock(
        self, *, read: int | None = None, rx: Event | None = None, tx: Event | None = None,
        mpe: int = 0, whole: int = 0, failed: int = 0, lost: int = 0,
    ) -> None:  # fmt: skip
        """Give events and a reading for one clock; check what is read."""
        dut, expected = self.dut, [0, 0]
        for at, block in enumerate((self.wide, self.narrow)):
            if read is not None:
                expected[at] = block.read(read)
            if rx is not None:
                block.received(rx, mpe)
            if tx is not None:
                block.sent(tx)
            for name, happens in (("TSCTC", whole), ("TSCTFC", failed), ("LFC", lost)):
                if happens:
                    block.add(name)
        dut.rx_valid_i.value = rx is not None
        dut.tx_valid_i.value = tx is not None
        # What is not valid must not count.
        dut.rx_i.value = packed(rx, RX) if rx else random.getrandbits(sum(RX.values()))
        dut.tx_i.value = packed(tx, TX) if tx else random.getrandbits(sum(TX.values()))
        dut.mpe_i.value = mpe
        dut.tso_whole_i.value, dut.tso_failed_i.value, dut.link_lost_i.value = whole, failed, lost
        dut.read_i.value = read is not None
        dut.addr_i.value = random.getrandbits(7) if read is None else (read - BASE) >> 2
        await FallingEdge(dut.clk)
        shown = [int(dut.rdata_o.value), int(dut.narrow_o.value)]
        assert shown == expected, (read and self.wide.names.get(read), shown, expected)

    async def read_all(self) -> None:
        """Read every address, the high halves after the low ones."""
        for address in range(BASE, END, 4):
            await self.clock(read=address)


def event(fields: dict[str, int], likely: float) -> Event:
    """Return an event with random octets and flags."""
    found = {name: int(random.random() < likely) for name in fields}
    found["octets"] = random.choice([64, 1518, random.randrange(1, 16384)])
    found["sort"] = random.randrange(3)
    found["xoff"] &= 1 - found["xon"]
    return found


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def each_flag_counts_in_its_registers_alone(dut: Any) -> None:
    """One event of each kind, then all registers; a second reading finds zero."""
    bench = Bench(dut)
    await bench.start()
    await bench.read_all()
    base = {name: 0 for name in RX} | {"octets": 100}
    events = [{"rx": base | {flag: 1}} for flag in RX if flag not in ("octets", "sort")]
    events += [{"rx": base | {"total": 1, "good": 1, "sort": sort}} for sort in range(3)]
    events += [{"rx": base | {"good": 1, "sort": 2}, "mpe": 1}]
    events += [{"rx": base | {"good": 1, flag: 1}} for flag in ("vlan", "jumbo")]
    none = {name: 0 for name in TX} | {"octets": 200}
    events += [{"tx": none | {flag: 1}} for flag in TX if flag not in ("octets", "sort")]
    events += [{"tx": none | {"sort": sort}} for sort in range(3)]
    events += [{"whole": 1}, {"failed": 1}, {"lost": 1}, {}]
    for each in events:
        await bench.clock(**each)
        await bench.read_all()
    await bench.read_all()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def events_and_readings_of_any_order_count_as_in_the_model(dut: Any) -> None:
    """Events in each clock, readings of any half meanwhile; then all is what was not yet read."""
    bench = Bench(dut)
    await bench.start()
    addresses = range(BASE, END, 4)
    favourites = [BY_NAME[name].address for name in ("TORL", "TORH", "LFC", "TOTH", "CRCERRS")]
    for _ in range(6000):
        calm = random.random() < 0.1
        await bench.clock(
            read=None if random.random() < 0.6 else
            random.choice(favourites if random.random() < 0.5 else addresses),
            rx=None if calm else event(RX, 0.4),
            tx=None if random.random() < 0.4 else event(TX, 0.3),
            mpe=random.randrange(2), whole=random.randrange(2), failed=random.randrange(2),
            lost=random.randrange(2),
        )  # fmt: skip
    await bench.read_all()
    await bench.read_all()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def words_stay_at_their_largest_value_and_pairs_carry(dut: Any) -> None:
    """More events than 8 bits count; a high half that is read first leaves the low one."""
    bench = Bench(dut)
    await bench.start()
    full = {name: 1 for name in RX} | {"octets": 0x7FFF, "sort": 2}
    for _ in range(300):
        await bench.clock(rx=full, tx=None, whole=1, failed=1, lost=1)
    assert bench.narrow.words["CRCERRS"] == 255 and bench.narrow.pairs["TPR"] == 300
    for name in ("TPRH", "TPRL", "TPRH", "TPRH", "TORH", "TORH", "TORL", "TORL", "TORH", "LFC"):
        await bench.clock(read=BY_NAME[name].address)
    for _ in range(260):
        await bench.clock(tx={name: 0 for name in TX} | {"octets": 3, "padded": 1})
    await bench.read_all()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def a_reset_clears_counters_and_halves_that_wait(dut: Any) -> None:
    """Counters, and the high half that a reading kept."""
    bench = Bench(dut)
    await bench.start()
    full = {name: 1 for name in RX} | {"octets": 0x7FFF, "sort": 0}
    for _ in range(10):
        await bench.clock(rx=full, tx={name: 0 for name in TX} | {"octets": 0x7FFF}, lost=1)
    await bench.clock(read=BY_NAME["TORL"].address)
    await bench.start()
    bench.wide, bench.narrow = Block(32), Block(NARROW_BITS)
    await bench.clock(rx=full)
    for name in ("TORH", "TORL", "TORH"):
        await bench.clock(read=BY_NAME[name].address)
    await bench.read_all()
