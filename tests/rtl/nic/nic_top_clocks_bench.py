# SPDX-License-Identifier: Apache-2.0
"""The NIC's three clocks: any ratio, a line that is fast or slow, clocks that stand still."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import Edge, FallingEdge, Timer
from cocotb.utils import get_sim_time
from nic_described import BY_NAME
from nic_line import with_fcs
from nic_top_driver import Driver, Setup
from nic_top_flow_bench import pause
from nic_top_host import ADDRESS, HALF_FS, LINE_HALF_FS, Nic, word_of
from nic_top_reset_bench import forgotten, reset
from nic_top_traffic import feed, load, some_frame, traffic
from nic_tx_model import IDE

GRID_NS = 32  # 5 periods of the core's clock and of the line's, 4 of a bus of 125 MHz
BUS_HALF_FS = 4_000_000
EEPROM_US = 96


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def clocks_have_any_ratio(dut: Any) -> None:
    """The bus has 66, 100, 133 and 200 MHz, the line is 100 ppm off; frames come in bursts."""
    nic = Nic(dut)
    await nic.start()
    for mhz, ppm in ((66, 100), (100, -100), (133, 100), (200, -100)):
        dut.bus_half_fs_i.value = HALF_FS[mhz]
        dut.rx_half_fs_i.value = LINE_HALF_FS + LINE_HALF_FS * ppm // 1_000_000
        await Timer(100, "ns")
        driver = Driver(nic)
        await driver.open()
        await traffic(driver, 6, 6, most=4000)
        for size in (60, 61, 62, 63, 1500) * 4 + (9000, 9001):
            nic.come(with_fcs(some_frame(size)))
        await nic.source.wait()
        await driver.finished()
        await driver.stop()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def reads_of_heads_wait_for_a_new_length(dut: Any) -> None:
    """RDH and TDH right behind RDLEN and TDLEN are those of the new length."""
    nic = Nic(dut)
    await nic.start()
    driver = Driver(nic)
    await driver.open()
    for _ in range(30):
        await driver.packet(some_frame(100))
        nic.come(with_fcs(ADDRESS + random.randbytes(100)))
    await driver.finished()
    await driver.stop()
    for entries in (16, 8, 40):
        for letter in "TR":
            begin = get_sim_time("ns")
            await nic.write(f"{letter}DLEN", 16 * entries)
            head = 30 % entries  # that of the descriptors since the head was set
            assert await nic.read(f"{letter}DH") == head, (letter, entries)
            took = get_sim_time("ns") - begin
            assert took > 400, f"the new head is computed in {took} ns"
            again = get_sim_time("ns")
            assert await nic.read(f"{letter}DH") == head
            assert get_sim_time("ns") - again < 200, "a read waits for nothing"
    # A write of a head waits for its own length, too; other registers do not wait.
    await nic.write("RDLEN", 16 * 24)
    begin = get_sim_time("ns")
    await nic.read("TDH")
    await nic.write("RDH", 5)
    assert get_sim_time("ns") - begin > 300
    assert await nic.read("RDH") == 5
    await nic.write("TDH", 7)
    assert await nic.read("TDH") == 7


class Log:
    """Events at the NIC's pins, in femtoseconds from the beginning."""

    def __init__(self, nic: Nic) -> None:
        self.nic, self.begin = nic, get_sim_time("fs")
        self.seen: list[tuple[int, str, int]] = []
        self.causes: list[int] = []
        self.bursts: list[tuple[int, ...]] = []
        self.stopped = {"bus": 0, "core": 0, "rx": 0}  # clocks of the longest time, so far
        dut = nic.dut
        self.tasks = [cocotb.start_soon(each) for each in (
            self._edges(dut.irq_o), self._edges(dut.mdc_o), self._edges(dut.txc_o))]  # fmt: skip
        self.tasks += [cocotb.start_soon(self._clock(name)) for name in self.stopped]

    async def _edges(self, pin: Any) -> None:
        while True:
            await Edge(pin)
            self.add(pin._name, int(pin.value))

    async def _clock(self, name: str) -> None:
        count = getattr(self.nic.dut, f"{name}_stopped_o")
        while True:
            await Timer(100, "ns")
            self.stopped[name] = max(self.stopped[name], int(count.value))

    def add(self, what: str, value: int) -> None:
        """Note an event."""
        self.seen.append((get_sim_time("fs") - self.begin, what, value))

    def end(self) -> None:
        """Look no further."""
        for task in self.tasks:
            task.kill()


async def life(nic: Nic) -> Log:
    """Have the NIC do all that it can by itself, with times of rest between; return what it did.

    It begins at the same phase of all clocks, with the same random numbers.
    """
    dut = nic.dut
    random.seed(30)
    await Timer(GRID_NS * 1_000_000 - get_sim_time("fs") % (GRID_NS * 1_000_000), "fs")
    reads, writes = len(nic.memory.reads), len(nic.memory.writes)
    log = Log(nic)
    await nic.write("CTRL0", RST=1)
    await nic.until("CTRL0", "RST", 0)
    nic.forget()
    await Timer(EEPROM_US, "us")
    driver = Driver(nic, Setup(ctrl0=word_of("CTRL0", RPE=1, TPE=1), rdtr=6, tidv=9))
    await driver.open()
    await nic.write("PAP", TXPC=40)
    await nic.write("FCRTL", 4096, XONE=1)
    await nic.write("FCRTH", 8192)

    async def rest() -> None:
        await Timer(random.randint(600, 3000), "ns")

    # The timers of both directions.
    for _ in range(3):
        nic.come(with_fcs(ADDRESS + random.randbytes(100)))
        await driver.finished()
        await rest()
        await driver.packet(some_frame(100), command=IDE)
        await driver.finished()
        await rest()
    # The optics.
    await nic.write("MSCA", MDI_COMMAND=1, OP_CODE=3)
    await Timer(40, "us")
    assert not await nic.field("MSCA", "MDI_COMMAND")
    await rest()
    # The lanes' alignment, while nothing else goes on.
    await nic.write("CTRL0", JFE=1, RPE=1, TPE=1, LRST=1)
    await Timer(14, "us")
    assert await nic.field("STATUS", "LU")
    await rest()
    # A frame of one word: the core's clock runs until it is counted.
    nic.come(random.randbytes(7))
    await rest()
    address = BY_NAME["TPRL"].address
    assert await nic.read_at(address) == nic.counters.read(address)
    # A frame that is on the wire for long after its data were read.
    await driver.packet(some_frame(9000))
    await driver.finished()
    await rest()
    # A pause that comes, with nothing to send at first; it ends by itself.
    nic.come(pause(150))
    await nic.source.wait()
    await rest()
    await driver.packet(some_frame(300))
    await driver.finished()
    await rest()
    # Pauses that are sent, while host memory takes nothing.
    nic.memory.write_side.w_channel.pause = True
    for _ in range(9):
        nic.come(with_fcs(ADDRESS + random.randbytes(1400)))
    await Timer(16, "us")
    nic.memory.write_side.w_channel.pause = False
    await driver.finished()
    assert len(nic.pauses) > 8
    await rest()
    # The link.
    for fault in (1, 0):
        await FallingEdge(dut.rx_clk)
        dut.fault_i.value = fault
        await Timer(2, "us")
    await traffic(driver, 5, 5, most=2000)
    await driver.stop(LFC=1)
    log.causes = driver.causes
    # A reset at work.
    driver = Driver(nic)
    await driver.open()
    jobs = [cocotb.start_soon(each(driver, 60, 2000)) for each in (load, feed)]
    await Timer(6, "us")
    for job in jobs:
        job.kill()
    await reset(nic, driver, halts=False)
    await forgotten(nic, driver)
    driver = Driver(nic)
    await driver.open()
    await traffic(driver, 3, 3, most=2000)
    await driver.stop()
    await Timer(EEPROM_US, "us")
    log.bursts = [*nic.memory.reads[reads:], *nic.memory.writes[writes:]]
    log.end()
    return log


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def clocks_that_stand_still_change_nothing(dut: Any) -> None:
    """Each event comes at the same femtosecond; at rest none of the three clocks runs."""
    nic = Nic(dut)
    await nic.start()
    dut.bus_half_fs_i.value = BUS_HALF_FS
    dut.test_mode_i.value = 1
    await life(nic)
    running = await life(nic)
    assert max(running.stopped.values()) == 0
    for test_mode, gate in ((0, 0), (0, 1)):  # the clocks of parts stop, then all of them
        dut.test_mode_i.value, dut.gate_i.value = test_mode, gate
        gated = await life(nic)
        for index, (right, got) in enumerate(zip(running.seen, gated.seen, strict=False)):
            assert got == right, f"event {index}: {got}, expected {right}, {gate=}"
        assert len(gated.seen) == len(running.seen) > 250
        assert gated.causes == running.causes and gated.bursts == running.bursts
    dut._log.info("longest rests, in clocks: %s", gated.stopped)
    assert min(gated.stopped.values()) > 300
    for name in gated.stopped:
        assert int(getattr(dut, f"{name}_stopped_o").value) > 0, f"{name} runs for nothing"


PARTS = ("core", "control", "read", "write", "tx", "mac", "rx")


def clocks_of_parts(dut: Any) -> dict[str, int]:
    """Return how many clocks each part has had since power-up."""
    all_of_them = int(dut.part_clocks_o.value)
    return {name: all_of_them >> 32 * at & 0xFFFF_FFFF for at, name in enumerate(PARTS)}


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def a_part_without_work_has_no_clock(dut: Any) -> None:
    """While frames come the transmitter rests, and the other way round; in test mode none does."""
    nic = Nic(dut)
    await nic.start()
    driver = Driver(nic)
    await driver.open()
    shares: list[dict[str, float]] = []
    for test_mode, work in ((0, feed), (0, load), (1, feed)):
        await driver.finished()
        await Timer(2, "us")
        dut.test_mode_i.value = test_mode
        before = clocks_of_parts(dut)
        await work(driver, 30, 9000)
        await driver.finished()
        after = clocks_of_parts(dut)
        all_clocks = after["core"] - before["core"]
        shares.append({name: (after[name] - before[name]) / all_clocks for name in PARTS})
        dut._log.info("%s %s", work.__name__, {n: f"{s:.2f}" for n, s in shares[-1].items()})
    receives, sends, free = shares
    assert max(receives["tx"], receives["mac"]) < 0.5 < receives["rx"]
    assert sends["rx"] < 0.5 < sends["tx"]
    assert receives["read"] < 0.5 and sends["write"] < 0.5 and sends["control"] < 1
    assert min(free.values()) > 0.99  # the gates open an edge later
