# SPDX-License-Identifier: Apache-2.0
"""The pins of the bus as pcix_tb has them: one number a clock, and its fields.

Control signals are true when they are asserted. C/BE# has the levels of its pins.
"""

from __future__ import annotations

AD64 = (1 << 64) - 1
AD32 = (1 << 32) - 1
CBE = 64
PAR, PAR64 = 1 << 72, 1 << 73
FRAME, IRDY, TRDY, STOP, DEVSEL, REQ64, ACK64, PERR = (1 << at for at in range(74, 82))
IDSEL, GNT = 1 << 82, 1 << 83  # of what the others drive
SERR, INTA, REQ = 1 << 82, 1 << 83, 1 << 84  # of the bus
DRIVES_AD, DRIVES_AD64, DRIVES_CBE, DRIVES_CBE64, DRIVES_PAR, DRIVES_PAR64 = (
    1 << at for at in range(85, 91)
)
DRIVES_FRAME, DRIVES_IRDY, DRIVES_TARGET, DRIVES_REQ64, DRIVES_ACK64, DRIVES_PERR = (
    1 << at for at in range(91, 97)
)

# Commands.
READ_DWORD, WRITE, CONFIG_READ, CONFIG_WRITE, COMPLETION = 0x6, 0x7, 0xA, 0xB, 0xC
DUAL, READ_BLOCK, WRITE_BLOCK = 0xD, 0xE, 0xF
DWORD_COMMANDS = (READ_DWORD, CONFIG_READ, CONFIG_WRITE)
READS = (READ_DWORD, CONFIG_READ, READ_BLOCK)
BOUNDARY = 128  # bytes


class Pins:
    """One clock of the bus."""

    __slots__ = ("ack64", "ad", "cbe", "devsel", "frame", "inta", "irdy", "par", "par64", "perr",
                 "req", "req64", "serr", "stop", "trdy", "word")  # fmt: skip

    def __init__(self, word: int) -> None:
        self.word = word
        self.ad = word & AD64
        self.cbe = word >> CBE & 0xFF
        self.par = word >> 72 & 1
        self.par64 = word >> 73 & 1
        self.frame = bool(word & FRAME)
        self.irdy = bool(word & IRDY)
        self.trdy = bool(word & TRDY)
        self.stop = bool(word & STOP)
        self.devsel = bool(word & DEVSEL)
        self.req64 = bool(word & REQ64)
        self.ack64 = bool(word & ACK64)
        self.perr = bool(word & PERR)
        self.serr = bool(word & SERR)
        self.inta = bool(word & INTA)
        self.req = bool(word & REQ)


def parity(ad: int, cbe: int) -> int:
    """Return the even parity of an AD half and its byte enables."""
    return (ad.bit_count() + cbe.bit_count()) & 1


def phases_of(address: int, count: int, wide: bool) -> int:
    """Return the data phases of a sequence's part."""
    size = 8 if wide else 4
    return (address % size + count + size - 1) // size


def boundary_of(address: int, wide: bool) -> int:
    """Return the data phases up to the first boundary."""
    return (BOUNDARY - address % BOUNDARY + (7 if wide else 3)) // (8 if wide else 4)


def count_fields(count: int) -> tuple[int, int]:
    """Return a byte count as the attribute phase has it: C/BE[3:0]# and AD[7:0]."""
    return count >> 8 & 0xF, count & 0xFF
