# SPDX-License-Identifier: Apache-2.0
"""Rules of the PCI-X bus, checked in each clock from the pins and from who drives them.

It shares no code with the host bridge of the test bench. All that it knows of a transaction comes
from the pins. rtl/pcix/README.md tells where each rule comes from.
"""

from __future__ import annotations

from collections import Counter

import pcix_pins as pins
from pcix_pins import Pins, parity

GROUPS = (
    (pins.DRIVES_AD, pins.AD32), (pins.DRIVES_AD64, pins.AD64 ^ pins.AD32),
    (pins.DRIVES_CBE, 0xF << 64), (pins.DRIVES_CBE64, 0xF0 << 64), (pins.DRIVES_PAR, pins.PAR),
    (pins.DRIVES_PAR64, pins.PAR64), (pins.DRIVES_FRAME, pins.FRAME),
    (pins.DRIVES_IRDY, pins.IRDY),
    (pins.DRIVES_TARGET, pins.TRDY | pins.STOP | pins.DEVSEL),
    (pins.DRIVES_REQ64, pins.REQ64), (pins.DRIVES_ACK64, pins.ACK64),
    (pins.DRIVES_PERR, pins.PERR),
)  # fmt: skip
ALL = sum(group for group, _ in GROUPS)
SUSTAINED = sum(group for group, _ in GROUPS[6:])
KNOWN_COMMANDS = {0x6, 0x7, 0xA, 0xB, 0xC, 0xE, 0xF}
MOST_CLOCKS = 16  # from FRAME# to the first data


class Violation(AssertionError):
    """A rule of the bus is broken."""


class Checker:
    """Follows one transaction after the other."""

    def __init__(self) -> None:
        self.endings: Counter[str] = Counter()  # by who began it
        self.expects_bad = False  # test benches break parity themselves

    def begin(self, wide: bool) -> None:
        """Start at an idle bus."""
        self._wide = wide
        self._clock = 0
        self._last = Pins(0)
        self._before = Pins(0)
        self._core_drove = self._agent_drove = 0
        self._granted = [False] * 4
        self._log: list[tuple[Pins, bool, bool]] = []  # pins, the core drives AD, TRDY#

    def _need(self, good: bool, rule: str) -> None:
        if not good:
            where = len(self._log)
            raise Violation(f"clock {self._clock}, {where} of a transaction: {rule}")

    def clock(self, now: Pins, agents: int) -> None:
        """Look at a clock: the bus, and what the agents other than the core drive."""
        self._clock += 1
        core = now.word & ALL
        agent = agents & ALL
        self._drivers(now, core, agent)
        self._parities(now, core, agent)
        self._granted = [*self._granted[1:], bool(agents & pins.GNT)]
        if self._log or now.frame:
            self._log.append((now, bool(core & pins.DRIVES_FRAME), bool(core & pins.DRIVES_TARGET)))
            if len(self._log) == 1:
                idle = not (self._last.frame or self._last.irdy)
                self._need(idle, "a clock is idle before FRAME#")
                if core & pins.DRIVES_FRAME:
                    self._need(self._granted[-3], "GNT# two clocks before FRAME#")
            if not now.frame and not now.irdy:
                self._transaction()
                self._log = []
        else:
            self._need(not now.irdy, "IRDY# without FRAME#")
            self._need(not now.trdy and not now.stop and not now.devsel and not now.ack64,
                       "a target without a transaction")  # fmt: skip
        self._before, self._last = self._last, now
        self._core_drove, self._agent_drove = core, agent

    def _drivers(self, now: Pins, core: int, agent: int) -> None:
        self._need(not core & agent, "two agents drive a signal")
        self._need(not core & self._agent_drove & ALL, "the core drives without a turn-around")
        self._need(not agent & self._core_drove & ALL, "an agent drives without a turn-around")
        if not self._wide:
            wide = pins.DRIVES_AD64 | pins.DRIVES_CBE64 | pins.DRIVES_PAR64
            self._need(not (core | agent) & wide, "the upper half of a narrow bus is driven")
        left = (self._core_drove & ~core | self._agent_drove & ~agent) & SUSTAINED
        if left:
            for group, signals in GROUPS[6:]:
                if left & group:
                    self._need(not self._last.word & signals, "let go without a clock high")

    def _parities(self, now: Pins, core: int, agent: int) -> None:
        was = self._core_drove | self._agent_drove
        driven = core | agent
        for half, (ad, cbe, par) in enumerate((
            (pins.DRIVES_AD, pins.DRIVES_CBE, pins.DRIVES_PAR),
            (pins.DRIVES_AD64, pins.DRIVES_CBE64, pins.DRIVES_PAR64))):  # fmt: skip
            self._need(bool(was & ad) == bool(driven & par), "PAR a clock after AD, and then alone")
            if not core & par:
                continue
            # Of its own AD a target knows C/BE# of the clock before.
            same = self._core_drove & cbe
            levels = (self._last if same else self._before).cbe >> 4 * half & 0xF
            value = self._last.ad >> 32 * half & pins.AD32
            wanted = parity(value, levels)
            good = (now.par64 if half else now.par) == wanted
            self._need(good, "PAR is the parity of the core's AD")

    # ---- A whole transaction ----

    def _transaction(self) -> None:
        log = [entry[0] for entry in self._log]
        by_core = self._log[0][1]
        dual = log[0].cbe & 0xF == pins.DUAL
        at = 1 if dual else 0  # the last address phase
        command = log[at].cbe & 0xF
        self._need(len(log) > at + 3, "a transaction is longer")
        self._need(command in KNOWN_COMMANDS, f"command {command:x}")
        address, attr = log[0].ad & pins.AD32, log[at + 1].ad & pins.AD32
        if dual:
            high = log[1].ad & pins.AD32
            self._need(high != 0, "a dual address cycle is for addresses above 4 GiB")
            address |= high << 32
        dword = command in pins.DWORD_COMMANDS
        count = 4 if dword else (log[at + 1].cbe & 0xF) << 8 | attr & 0xFF or 4096
        if by_core:
            self._core_header(log[0], command, address, attr, count)
        frames = [now.frame for now in log]
        irdys = [now.irdy for now in log]
        end_frame, end_irdy = frames.index(False), len(log) - 1
        self._need(all(frames[:end_frame]) and not any(frames[end_frame:]), "FRAME# comes once")
        self._need(not any(irdys[: at + 3]) and all(irdys[at + 3 : end_irdy]),
                   "IRDY# two clocks after the attributes, without a pause")  # fmt: skip
        wide = log[0].req64
        self._need(all(now.req64 == (wide and now.frame) for now in log), "REQ64# as FRAME#")
        if log[0].req64:
            self._need(self._wide and not dword, "REQ64# on 64 bits, and not for a DWORD")
        claims = [clock for clock, now in enumerate(log) if now.devsel]
        if not claims:
            self._need(not any(now.trdy or now.stop for now in log), "no answer without DEVSEL#")
            self._need(end_frame == end_irdy == at + 8, "Master-Abort by the eighth clock")
            self._note(by_core, "master-abort")
            return
        claim = claims[0]
        self._need(claim - at in (2, 3, 4, 6), "DEVSEL# in decode A, B, C or subtractive")
        first = claim + 1
        waits = [now.devsel and not now.trdy and not now.stop for now in log]
        while first < len(log) and waits[first]:
            first += 1
        self._need(first < len(log), "a target that claims answers")
        self._need(not any(now.trdy or now.stop for now in log[:first]), "nothing before DEVSEL#")
        reads = command in pins.READS
        self._need(reads or (first - claim) % 2 == 1, "wait states of writes come in pairs")
        self._need(first <= MOST_CLOCKS, "the first data phase within 16 clocks")
        wide = log[claim].ack64
        self._need(not wide or log[0].req64, "ACK64# only after REQ64#")
        self._data(log, by_core, command, address, count, first, wide, end_frame, end_irdy)

    def _core_header(self, start: Pins, command: int, address: int, attr: int, count: int) -> None:
        self._need(command in (0x7, 0xC, 0xE, 0xF), "the core begins reads, writes, completions")
        if command == 0xC:
            self._need(address >> 30 == 0 and not address & 0x80, "reserved bits of the address")
            self._need(attr >> 24 & 0x1F == 0, "reserved bits of the attributes")
            if attr >> 29 & 1:
                self._need(count == 4 and not address & 0x7F, "a message is one DWORD")
                self._need(not attr >> 31, "no BCM with a message")
        else:
            self._need(attr >> 31 == 0, "reserved bits of the attributes")
        if start.req64:
            self._need(count > 4, "REQ64# not for a DWORD")

    def _data(self, log: list[Pins], by_core: bool, command: int, address: int, count: int,
              first: int, wide: bool, end_frame: int, end_irdy: int) -> None:  # fmt: skip
        lower = address & 0x7F if command == pins.COMPLETION else address
        size = 8 if wide else 4
        total = pins.phases_of(lower, count, wide)
        if command in pins.DWORD_COMMANDS:
            total = 1
        kind, last = self._ending(log, first, total, lower, wide, end_irdy)
        moved = last - first + 1
        if kind == "moved" and moved < total:
            self._need((lower // size + moved) * size % pins.BOUNDARY == 0,
                       "a burst is cut at a boundary")  # fmt: skip
            self._need(any(now.stop for now in log) or moved >= 4,
                       "an initiator cuts no burst before its fourth data phase")  # fmt: skip
        wanted = max(last, first + 1) + 1
        if kind == "late-abort":
            wanted = last + 3  # `last` had data; STOP# without DEVSEL# a clock later
        self._need(end_irdy == wanted, "IRDY# high a clock after the last data phase")
        frame = max(last - 1, first + 2)
        if kind != "late-abort":
            self._need(end_frame == frame, "FRAME# high with the last data phase but one")
        for clock, now in enumerate(log):
            active = now.devsel or now.trdy or now.stop or now.ack64
            over = last + (1 if kind == "late-abort" else 0)
            if clock > max(over, first):
                self._need(not active, "a target is silent after the last data phase")
            if now.ack64:
                self._need(now.devsel or clock >= first, "ACK64# comes with DEVSEL#")
        if command in (pins.WRITE_BLOCK, pins.COMPLETION, pins.READ_BLOCK):
            for now in log[first : last + 1]:
                self._need(now.cbe & 0xF == 0xF, "no byte enables but in Memory Write")
        self._note(by_core, kind)

    def _ending(self, log: list[Pins], first: int, total: int, lower: int, wide: bool,
                end_irdy: int) -> tuple[str, int]:  # fmt: skip
        """Return how it ended, and the clock of its last data phase."""
        answer = log[first]
        state = (answer.devsel, answer.trdy, answer.stop)
        ends = {(True, False, True): "retry", (False, True, False): "split",
                (False, False, True): "target-abort", (False, True, True): "single"}  # fmt: skip
        if state in ends:
            return ends[state], first
        self._need(answer.devsel and answer.trdy, "a target that answers has a known answer")
        last = first
        stop_at = None
        for clock in range(first, min(first + total, end_irdy)):
            now = log[clock]
            if not now.trdy:
                if now.stop and not now.devsel:
                    return "late-abort", clock - 1
                break
            self._need(now.devsel, "DEVSEL# stays in a burst")
            if stop_at is not None:
                self._need(now.stop, "STOP# stays")
            elif now.stop:
                stop_at = clock - first
            last = clock
        moved = last - first + 1
        if stop_at is not None:
            boundary = pins.boundary_of(lower, wide)
            while stop_at and boundary < stop_at + 4:
                boundary += 16 if wide else 32
            # The initiator may have made up its mind before it saw STOP#.
            ended = stop_at + 4 > moved >= 4
            self._need(moved == min(total, boundary) or (ended and moved < min(total, boundary)),
                       "the burst ends at the boundary asked for")  # fmt: skip
        return "moved", last

    def _note(self, by_core: bool, kind: str) -> None:
        self.endings[f"{'core' if by_core else 'host'} {kind}"] += 1
