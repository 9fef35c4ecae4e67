# SPDX-License-Identifier: Apache-2.0
"""The bus of a test bench: pins, arbiter, initiator and target of the host bridge, checker."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from typing import Any

import cocotb
import pcix_pins as pins
from cocotb.triggers import FallingEdge
from pcix_checker import Checker
from pcix_initiator import Drive, Initiator, Request
from pcix_pins import Pins, parity
from pcix_target import Answer, Show, Taken, Target

CORE, HOST = 0, 1
PATTERNS = {"66": pins.TRDY, "100": pins.STOP, "133": pins.STOP | pins.TRDY, "pci": 0}


class Arbiter:
    """GNT# to the core or to the host bridge; a clock without any between the two."""

    def __init__(self) -> None:
        self.parks = False  # at the core
        self.fickle = False  # takes GNT# away in the middle of bursts, and before they begin
        self.owner: int | None = None
        self._history = deque([None, None], maxlen=2)
        self._frame = False
        self._started = False

    def host_granted(self) -> bool:
        """Whether the host bridge had GNT# two clocks before the one that is driven."""
        return self._history[0] == HOST

    def step(self, seen: Pins, host_wants: bool) -> bool:
        """Return whether the core has GNT# in the next clock."""
        wants = [seen.req, host_wants]
        if seen.frame and not self._frame:
            self._started = True
        self._frame = seen.frame
        if self.owner is None:
            choices = [who for who in (CORE, HOST) if wants[who]]
            if choices:
                self.owner = random.choice(choices)
            elif self.parks:
                self.owner = CORE
            self._started = False
        elif wants[1 - self.owner] and (self._started or not wants[self.owner]):
            self.owner = None
        elif self.fickle and random.random() < 0.1:
            self.owner = None
        self._history.append(self.owner)
        return self.owner == CORE


class Bus:
    """Everything on the bus but the core."""

    def __init__(
        self,
        dut: Any,
        choose: Callable[[Taken], Answer | None],
        read: Callable[[int], int],
        take: Callable[[Taken], None],
    ) -> None:
        self.dut = dut
        self.clocks = 0
        self.now = Pins(0)
        self.each_clock: list[Callable[[Pins], None]] = []
        self.serrs = 0
        self.perrs = 0
        self.arbiter = Arbiter()
        self.checker = Checker()
        self.initiator = Initiator(self.arbiter.host_granted)
        self.target = Target(lambda: self.initiator.active, choose, read, self._taken)
        self.taken: list[Taken] = []
        self._take = take
        # Inputs have to be found before cocotbext-axi looks for its own: it finds copies of them.
        self._inputs = (dut.rst_ni, dut.irq_i, dut.noise_i, dut.agent_i)
        dut.rst_ni.value = 0
        self._last = (Drive(), Show())
        self._driven = 0
        self._perr = False

    async def start(self, mode: str = "133", wide: bool = True) -> None:
        """Reset the core, with the pattern of a slot."""
        dut = self.dut
        dut.rst_ni.value = 0
        dut.irq_i.value = 0
        dut.noise_i.value = random.getrandbits(64)
        self._wide = self.target.wide = wide
        drives = pins.DRIVES_TARGET | pins.DRIVES_REQ64
        dut.agent_i.value = PATTERNS[mode] | (pins.REQ64 if wide else 0) | drives
        await self._silence(8)
        dut.rst_ni.value = 1
        dut.agent_i.value = 0
        await self._silence(6)
        self.checker.begin(wide)
        self._run_task = cocotb.start_soon(self._run())

    async def _silence(self, clocks: int) -> None:
        """Let clocks pass in which the core drives nothing and asks for nothing."""
        for _ in range(clocks):
            await FallingEdge(self.dut.clk)
            assert int(self.dut.pins_o.value) >> 84 == 0, "the core drives pins"

    async def stop(self) -> None:
        """Stop all agents: the bus is nobody's."""
        self._run_task.kill()
        self.dut.agent_i.value = 0
        await FallingEdge(self.dut.clk)

    async def wait(self, clocks: int) -> None:
        """Let clocks pass."""
        for _ in range(clocks):
            await FallingEdge(self.dut.clk)

    async def run(self, request: Request) -> Request:
        """Run a transaction of the host bridge; repeat it while it is answered Retry."""
        while True:
            self.initiator.queue.append(request)
            await request.done.wait()
            if request.ending != "retry":
                return request
            request.done.clear()
            request.was_wide = False
            await self.wait(random.randint(1, 20))

    async def until(self, condition: Callable[[], bool], patience: int = 20_000) -> None:
        """Wait for a condition."""
        for _ in range(patience):
            if condition():
                return
            await FallingEdge(self.dut.clk)
        raise AssertionError("it does not come")

    def _taken(self, taken: Taken) -> None:
        taken.clock = self.clocks
        self.taken.append(taken)
        self._take(taken)

    async def _run(self) -> None:
        dut = self.dut
        fall = FallingEdge(dut.clk)
        output, agent = dut.pins_o, dut.agent_i
        seen = Pins(0)
        while True:
            await fall
            now = self.now = Pins(output.value.integer)
            self.clocks += 1
            self.checker.clock(now, self._driven)
            self.serrs += now.serr
            self.perrs += now.perr
            for call in self.each_clock:
                call(now)
            self._driven = self._drive(seen, now)
            agent.value = self._driven
            seen = now

    def _drive(self, seen: Pins, now: Pins) -> int:
        """Return what all agents but the core drive in the next clock."""
        was, showed = self._last
        drive = self.initiator.step(seen)
        show = self.target.step(seen)
        word = pins.GNT if self.arbiter.step(seen, self.initiator.wants) else 0
        if drive.frame or was.frame:
            word |= pins.DRIVES_FRAME | (pins.FRAME if drive.frame else 0)
        if drive.irdy or was.irdy:
            word |= pins.DRIVES_IRDY | (pins.IRDY if drive.irdy else 0)
        if drive.req64 or was.req64:
            word |= pins.DRIVES_REQ64 | (pins.REQ64 if drive.req64 else 0)
        if drive.idsel:
            word |= pins.IDSEL
        if show.active or showed.active:
            word |= pins.DRIVES_TARGET
            word |= (pins.DEVSEL if show.devsel else 0) | (pins.TRDY if show.trdy else 0)
            word |= pins.STOP if show.stop else 0
        if show.ack64 or showed.ack64:
            word |= pins.DRIVES_ACK64 | (pins.ACK64 if show.ack64 else 0)
        ad = drive.ad if drive.ad is not None else show.ad
        if ad is not None:
            word |= ad | pins.DRIVES_AD
            if self._wide and (drive.ad is not None or show.ack64):
                word |= pins.DRIVES_AD64
        if drive.cbe is not None:
            word |= drive.cbe << pins.CBE | pins.DRIVES_CBE
            word |= pins.DRIVES_CBE64 if self._wide else 0
        word |= self._parity(was, showed, seen, now)
        self.target.complains = [left - 1 for left in self.target.complains]
        complains = 0 in self.target.complains
        if complains or self._perr:
            word |= pins.DRIVES_PERR | (pins.PERR if complains else 0)
        self._perr = complains
        self.target.complains = [left for left in self.target.complains if left]
        self._last = drive, show
        return word

    def _parity(self, was: Drive, showed: Show, seen: Pins, now: Pins) -> int:
        """Return PAR and PAR64 of what this clock has; a target takes C/BE# of the last one."""
        bad = was.bad if was.ad is not None else showed.bad
        cbe = now.cbe if was.cbe is not None else seen.cbe
        word = 0
        if self._driven & pins.DRIVES_AD:
            word |= pins.DRIVES_PAR
            if parity(now.ad & pins.AD32, cbe & 0xF) ^ (bad & 1):
                word |= pins.PAR
        if self._driven & pins.DRIVES_AD64:
            word |= pins.DRIVES_PAR64
            if parity(now.ad >> 32, cbe >> 4) ^ (bad >> 1):
                word |= pins.PAR64
        return word
