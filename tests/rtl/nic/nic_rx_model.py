# SPDX-License-Identifier: Apache-2.0
"""What a receiver of the 82597EX's kind makes of a frame, in Python's own arithmetic.

Written from the TLM twin's rules (models/nic/intel/rx_unit, models/net/mac, models/net/frame), over
whole frames instead of words.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field, replace

UNICAST, MULTICAST, BROADCAST = range(3)
EXACT, MULTI, VLAN = range(3)  # tables
SBP, UPE, MPE, BAM = 1 << 2, 1 << 3, 1 << 4, 1 << 15
VFE, CFIEN, CFI, CFF, SECRC = 1 << 18, 1 << 19, 1 << 20, 1 << 23, 1 << 26
DD, EOP, IXSM, VP, TCPCS, IPCS, PIF = 0x01, 0x02, 0x04, 0x08, 0x20, 0x40, 0x80
CE, TCPE, IPE, RXE = 0x01, 0x20, 0x40, 0x80
PAUSE_GROUP = bytes.fromhex("0180c2000001")
EXTENSIONS = (0, 43, 60)
TCP, UDP = 6, 17


@dataclass
class Settings:
    """Registers that receive looks at."""

    rctl: int = SECRC
    vme: bool = False
    ipofl: bool = True
    tuofl: bool = True
    limit: int = 1518
    enable: bool = True
    descriptors: bool = True

    def mo(self, value: int) -> Settings:
        """Return the same with RCTL.MO."""
        return replace(self, rctl=self.rctl & ~(3 << 12) | value << 12)


@dataclass
class Tables:
    """The filters' tables: words by their place."""

    exact: list[int] = field(default_factory=lambda: [0] * 32)
    multi: list[int] = field(default_factory=lambda: [0] * 128)
    vlan: list[int] = field(default_factory=lambda: [0] * 128)

    def address(self, entry: int) -> bytes:
        """Return an exact entry's address."""
        low, high = self.exact[2 * entry : 2 * entry + 2]
        return struct.pack("<IH", low, high & 0xFFFF)


@dataclass(frozen=True)
class Sums:
    """What was found of the sums; None: not checked."""

    ip: bool | None = None
    l4: bool | None = None


@dataclass(frozen=True)
class Kept:
    """A frame in the buffer."""

    data: bytes
    special: int
    errors: int
    status: int
    words: int


def be16(data: bytes, at: int) -> int:
    """Return a number of two bytes, the high one first."""
    return int.from_bytes(data[at : at + 2], "big")


def intact(data: bytes) -> bool:
    """Tell whether bytes that have their own ones' complement sum in them are right."""
    words = struct.unpack(f"!{(len(data) + 1) // 2}H", data + b"\0" * (len(data) % 2))
    return sum(words) > 0 and sum(words) % 0xFFFF == 0


def crc_right(frame: bytes) -> bool:
    """Tell whether a frame ends with its FCS."""
    return zlib.crc32(frame) == 0x2144DF1C


def l4_sum(protocol: int, segment: bytes, addresses: bytes) -> bool | None:
    """Verify a TCP or UDP segment."""
    if protocol == TCP and len(segment) >= 20:
        covered = segment
    elif protocol == UDP and len(segment) >= 8:
        length = be16(segment, 4)
        if not 8 <= length <= len(segment) or be16(segment, 6) == 0:
            return None
        covered = segment[:length]
    else:
        return None
    return intact(addresses + struct.pack("!HH", protocol, len(covered)) + covered)


def ipv4_sums(ip: bytes) -> Sums:
    """Verify an IPv4 packet; bytes behind it are padding."""
    if len(ip) < 20 or ip[0] >> 4 != 4:
        return Sums()
    header, total = (ip[0] & 15) * 4, be16(ip, 2)
    if header < 20 or not header <= total <= len(ip):
        return Sums()
    if be16(ip, 6) & 0x3FFF:
        return Sums(intact(ip[:header]))
    return Sums(intact(ip[:header]), l4_sum(ip[9], ip[header:total], ip[12:20]))


def ipv6_sums(ip: bytes) -> Sums:
    """Verify an IPv6 packet; bytes behind it are padding."""
    if len(ip) < 40 or ip[0] >> 4 != 6 or 40 + be16(ip, 4) > len(ip):
        return Sums()
    body, protocol = ip[40 : 40 + be16(ip, 4)], ip[6]
    while protocol in EXTENSIONS:
        if len(body) < 8 or (protocol == 43 and body[3]):
            return Sums()
        protocol, length = body[0], 8 * (body[1] + 1)
        if length > len(body):
            return Sums()
        body = body[length:]
    return Sums(None, l4_sum(protocol, body, ip[8:40]))


def sums_of(frame: bytes) -> Sums:
    """Verify a frame without its FCS."""
    kind, rest = be16(frame, 12), frame[14:]
    if kind == 0x8100:
        kind, rest = be16(frame, 16), frame[18:]
    if kind <= 1500 and rest[:6] == b"\xaa\xaa\x03\0\0\0":
        kind, rest = be16(rest, 6), rest[8:]
    return {0x0800: ipv4_sums, 0x86DD: ipv6_sums}.get(kind, lambda _: Sums())(rest)


def addressed(tables: Tables, rctl: int, frame: bytes) -> tuple[bool, bool]:
    """Tell whether a frame's address is wanted, and whether by name."""
    to, source = frame[:6], frame[6:12]
    for entry in range(16):
        high = tables.exact[2 * entry + 1]
        if high >> 31 and tables.address(entry) == (source if high >> 16 & 1 else to):
            return True, True
    if not to[0] & 1:
        return bool(rctl & UPE), False
    if to == b"\xff" * 6 and rctl & BAM:
        return True, True
    number = int.from_bytes(to, "little") >> (36, 35, 34, 32)[rctl >> 12 & 3] & 0xFFF
    return bool(tables.multi[number >> 5] >> (number & 31) & 1 or rctl & MPE), False


def vlan_wanted(tables: Tables, rctl: int, tag: int) -> bool:
    """Tell whether a tag passes the VLAN filter."""
    if not rctl & VFE:
        return True
    if rctl & CFIEN and bool(tag & 0x1000) != bool(rctl & CFI):
        return False
    number = tag & 0xFFF
    return bool(tables.vlan[number >> 5] >> (number & 31) & 1)


def sort_of(frame: bytes) -> int:
    """Return the kind of a frame's destination."""
    if frame[:6] == b"\xff" * 6:
        return BROADCAST
    return MULTICAST if frame[0] & 1 else UNICAST


def filtered(tables: Tables, rctl: int, frame: bytes) -> dict[str, int]:
    """Return what the filters say of a frame, as the fields of rx_filter_t."""
    match, by_name = addressed(tables, rctl, frame)
    tagged, tag = be16(frame, 12) == 0x8100, be16(frame, 14)
    return {
        "match": match, "by_name": by_name, "vlan": tagged, "tag": tag, "sort": sort_of(frame),
        "vlan_ok": not tagged or vlan_wanted(tables, rctl, tag),
        "kind": be16(frame, 16 if tagged else 12),
    }  # fmt: skip


class Receiver:
    """Tables, settings, and what becomes of each frame that comes."""

    def __init__(self) -> None:
        """Begin with empty tables."""
        self.tables = Tables()
        self.settings = Settings()

    def take(self, frame: bytes, error: bool, room: bool) -> tuple[dict[str, int], Kept | None]:
        """Return a frame's event, empty if there is none, and what is kept of it.

        `frame` has its FCS; `error`: the line marked it.
        """
        now = self.settings
        octets, damaged = len(frame), error or not crc_right(frame)
        event = {"total": 1, "octets": octets}
        if not now.enable:
            return {}, None
        if octets < 64:
            return event | {"runt": int(not damaged)}, None
        if octets > now.limit + 4:
            return event | {"oversize": int(not damaged), "jabber": int(damaged)}, None
        if damaged:
            match, by_name = addressed(self.tables, now.rctl, frame)
            event["fcs_bad"] = 1
            wanted = bool(match and now.rctl & SBP)
            return self._store(event, frame, wanted and room, wanted, by_name, True)
        tagged = be16(frame, 12) == 0x8100
        if be16(frame, 12) == 0x8808:
            ours = frame[:6] in (PAUSE_GROUP, self.tables.address(0))
            if ours and be16(frame, 14) == 1:
                name = "xoff" if be16(frame, 16) else "xon"
                return {"total": 1, "octets": 64, name: 1}, None
            event["control"] = 1
            if now.rctl & CFF:
                return event | {"total": 0}, None
        if octets > now.limit + 4 * tagged:
            return event | {"oversize": 1}, None
        kind = be16(frame, 16 if tagged else 12)
        if kind <= 1500 and kind > octets - 4 - (18 if tagged else 14):
            event["length_bad"] = 1
        match, by_name = addressed(self.tables, now.rctl, frame)
        wanted = match and (not tagged or vlan_wanted(self.tables, now.rctl, be16(frame, 14)))
        return self._store(event, frame, wanted and room, wanted, by_name, False)

    def _store(self, event: dict[str, int], frame: bytes, keep: bool, wanted: bool, by_name: bool,
               damaged: bool) -> tuple[dict[str, int], Kept | None]:  # fmt: skip
        """Return the event and the frame as it is kept."""
        now = self.settings
        if not keep:
            return event | {"missed": int(wanted)}, None
        tagged = not damaged and be16(frame, 12) == 0x8100
        if not now.descriptors:
            event["no_descriptor"] = 1
        status, errors = DD | (0 if by_name else PIF), CE | RXE if damaged else 0
        if not damaged:
            event |= {
                "good": 1, "vlan": int(tagged), "jumbo": int(len(frame) > 1518 + 4 * tagged),
                "sort": sort_of(frame),
            }  # fmt: skip
            sums = sums_of(frame[:-4])
            if sums.ip is not None and (now.ipofl or now.tuofl):
                status, errors = status | IPCS, errors | (0 if sums.ip else IPE)
            if sums.l4 is not None and now.tuofl:
                status, errors = status | TCPCS, errors | (0 if sums.l4 else TCPE)
        if not status & (IPCS | TCPCS):
            status |= IXSM
        data, special = frame[:-4] if now.rctl & SECRC else frame, 0
        if tagged and now.vme:
            special, status = be16(frame, 14), status | VP
            data = data[:12] + data[16:]
        return event, Kept(data, special, errors, status, (len(frame) + 7) // 8)
