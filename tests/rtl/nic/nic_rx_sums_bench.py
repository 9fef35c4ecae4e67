# SPDX-License-Identifier: Apache-2.0
"""The NIC's verifying of received sums, against scapy's packets and Python's own arithmetic."""

from __future__ import annotations

import random
import struct
from typing import Any

import cocotb
from nic_line import with_fcs
from nic_rx import Receive
from nic_rx_model import SBP, SECRC, UPE, Sums, sums_of
from scapy.layers.inet import IP, TCP, UDP, IPOption
from scapy.layers.inet6 import (
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrFragment,
    IPv6ExtHdrHopByHop,
    IPv6ExtHdrRouting,
    PadN,
)
from scapy.layers.l2 import LLC, SNAP, Dot1Q, Dot3, Ether
from scapy.packet import Packet

STATION = "02:07:e9:00:00:01"
GOOD = (Sums(True, True), Sums(None, True))


async def started(dut: Any) -> Receive:
    """Return a receiver that takes everything and verifies all sums."""
    receive = Receive(dut)
    await receive.start()
    await receive.set(rctl=UPE | SECRC, limit=9018)
    return receive


def load(length: int) -> bytes:
    """Return a payload."""
    return random.randbytes(length)


def l4_of(sort: str, length: int) -> Packet:
    """Return a TCP or UDP segment."""
    ports = {"sport": random.randrange(1, 65536), "dport": 9}
    if sort == "tcp":
        options = random.choice(([], [("Timestamp", (1, 2))], [("MSS", 1460), ("NOP", None)]))
        return TCP(**ports, options=options, seq=random.getrandbits(32)) / load(length)
    return UDP(**ports) / load(length)


def ip_of(version: int, inner: Packet, options: int = 0) -> Packet:
    """Return an IP packet, with so many words of options."""
    if version == 6:
        return IPv6(src="2001:db8::1", dst="2001:db8::2") / inner
    more = [IPOption(b"\x01" * 4 * options)] if options else []
    return IP(src="10.0.0.1", dst="10.0.0.2", options=more, id=random.getrandbits(16)) / inner


def framed(packet: Packet, tag: bool = False, snap: bool = False, padding: int = 0) -> bytes:
    """Return a packet in a frame, FCS included."""
    kind = 0x86DD if IPv6 in packet else 0x0800
    if snap:
        inner: Packet = LLC(dsap=0xAA, ssap=0xAA, ctrl=3) / SNAP(OUI=0, code=kind) / packet
        length = len(inner)
        head = Ether(dst=STATION, type=0x8100) / Dot1Q(vlan=5, type=length) if tag else (
            Dot3(dst=STATION, len=length))  # fmt: skip
    else:
        inner = packet
        head = Ether(dst=STATION, type=0x8100 if tag else kind)
        if tag:
            head /= Dot1Q(vlan=5, type=kind)
    return with_fcs(bytes(head) + bytes(inner) + random.randbytes(padding))


def changed(frame: bytes, at: int, value: int | None = None) -> bytes:
    """Return a frame with another byte at a place, and its FCS right."""
    byte = frame[at] ^ 1 << random.randrange(8) if value is None else value
    return with_fcs((frame[:at] + bytes([byte]) + frame[at + 1 :])[:-4])


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def sums_of_good_packets_are_found_good(dut: Any) -> None:
    """TCP and UDP over IPv4 and IPv6, every length about a word, tag, SNAP, options, padding."""
    receive = await started(dut)
    for version in (4, 6):
        for sort in ("tcp", "udp"):
            for tag in (False, True):
                for snap in (False, True):
                    for length in [*range(9), 27, 64, 1401]:
                        options = random.choice((0, 0, 1, 2, 9, 10)) if version == 4 else 0
                        packet = ip_of(version, l4_of(sort, length), options)
                        frame = framed(packet, tag, snap, random.choice((0, 0, 1, 6, 7)))
                        assert sums_of(frame[:-4]) in GOOD, "scapy and the model agree"
                        await receive.frame(frame, gap=random.randrange(2))
    await receive.finish()


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def sums_are_told_as_rxcsum_says(dut: Any) -> None:
    """IPOFL and TUOFL; a wrong header or segment, IPv6, a fragment, no IP, a damaged frame."""
    receive = await started(dut)
    v4, v6 = framed(ip_of(4, l4_of("tcp", 9))), framed(ip_of(6, l4_of("udp", 20)))
    fragment = framed(IP(src="10.0.0.1", dst="10.0.0.2", flags="MF") / load(30))
    frames = [v4, v6, fragment, changed(v4, 22), changed(v4, 40), changed(v6, 60),
              changed(fragment, 22), changed(v4, 12, 9)]  # fmt: skip
    for ipofl in (False, True):
        for tuofl in (False, True):
            await receive.set(ipofl=ipofl, tuofl=tuofl, rctl=UPE | SBP | SECRC)
            for frame in frames:
                await receive.frame(frame)
                await receive.frame(frame, error=True)
    await receive.finish()
    assert receive.got == 4 * 2 * len(frames)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def sums_are_folded_whatever_is_carried(dut: Any) -> None:
    """The sum stays at a small number while ones and zeros are added: the last word ends it."""
    receive = await started(dut)
    for low in range(1, 9):
        for sort in ("tcp", "udp"):
            middle = b"".join(random.choice((b"\xff\xff", b"\0\0")) for _ in range(120))
            segment = TCP() if sort == "tcp" else UDP(dport=9)
            frame = framed(
                ip_of(4, segment / (load(20) + middle + struct.pack("<H", 0xFFFF - low)))
            )
            assert sums_of(frame[:-4]) == GOOD[0]
            await receive.frame(frame)
    await receive.finish()


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def a_wrong_byte_is_found_wherever_it_is(dut: Any) -> None:
    """One bit of a packet: header, addresses, pseudo header, data; padding may be anything."""
    receive = await started(dut)
    for version in (4, 6):
        for sort in ("tcp", "udp"):
            for tag in (False, True):
                frame = framed(ip_of(version, l4_of(sort, 21)), tag, padding=3)
                first = 18 if tag else 14
                bad = 0
                for at in range(first, len(frame) - 4):
                    other = changed(frame, at)
                    bad += sums_of(other[:-4]) not in GOOD
                    await receive.frame(other, gap=0)
                assert bad > 30
    await receive.finish()


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def what_cannot_be_checked_is_not_checked(dut: Any) -> None:
    """Lengths at and beside each limit, versions, fragments, UDP without a sum, two tags."""
    receive = await started(dut)
    cases: list[bytes] = []
    for tag in (False, True):
        first = 18 if tag else 14
        for sort in ("tcp", "udp"):
            v4 = framed(ip_of(4, l4_of(sort, 30), 1), tag, padding=2)
            total = len(v4) - 4 - 2 - first
            for value in (0, 20, 24, 31, 32, 43, 44, total - 1, total + 1, total + 2, total + 3):
                cases.append(changed(v4, first + 3, value))
            cases += [changed(v4, first, value) for value in
                      (0x44, 0x45, 0x46, 0x4F, 0x40, 0x56, 0x66)]  # fmt: skip
            cases += [changed(v4, first + 6, value) for value in (0x20, 0x40, 0x80, 0x1F, 0x10)]
            cases += [changed(v4, first + 7, 1), changed(v4, first + 9, 6),
                      changed(v4, first + 9, 17), changed(v4, first + 9, 1)]  # fmt: skip
            cases += [changed(v4, at, 0x86) for at in (first - 2, first - 1)]
            v6 = framed(ip_of(6, l4_of(sort, 30)), tag, padding=2)
            payload = len(v6) - 4 - 2 - first - 40
            for value in (0, 7, 8, 19, 20, payload - 1, payload + 1, payload + 2, payload + 3):
                cases.append(changed(v6, first + 5, value))
            cases += [changed(v6, first, value) for value in (0x40, 0x50, 0x70)]
            cases += [changed(v6, first + 6, value) for value in (0, 43, 60, 44, 59, 6, 17)]
        v4 = framed(ip_of(4, l4_of("udp", 30)), tag)
        v6 = framed(ip_of(6, l4_of("udp", 30)), tag)
        for frame, udp in ((v4, first + 20), (v6, first + 40)):
            for value in (0, 7, 8, 9, 36, 37, 38, 39, 255):
                cases.append(changed(frame, udp + 5, value))
                cases.append(changed(changed(frame, udp + 5, value), udp + 4, value % 3))
            cases.append(changed(changed(frame, udp + 6, 0), udp + 7, 0))
            cases += [changed(frame, udp + 6, 0), changed(frame, udp + 7, 0)]
        # Just as short as the frame: without padding, and IPv6 with less than its header.
        cases += [framed(ip_of(4, l4_of("tcp", 6)), tag), framed(ip_of(6, UDP()), tag)]
        snap = framed(ip_of(4, l4_of("tcp", 30)), tag, snap=True)
        cases += [changed(snap, at) for at in range(first - 2, first + 8)]
        # The longest length, and one more; a SNAP header in a SNAP header.
        cases += [changed(changed(snap, first - 2, 5), first - 1, low) for low in (0xDC, 0xDD)]
        inner = snap[first:-4]
        cases.append(with_fcs(snap[: first + 6] + b"\0\x40" + inner))
        short = bytes.fromhex("6000000000003b40") + bytes(32)
        cases.append(with_fcs(snap[: first + 6] + b"\x86\xdd" + short[: 60 - first - 8]))
    two = bytes(Ether(dst=STATION, type=0x8100) / Dot1Q(vlan=5, type=0x8100) / Dot1Q(vlan=6)
                / ip_of(4, l4_of("udp", 30)))  # fmt: skip
    cases.append(with_fcs(two))
    random.shuffle(cases)
    for case in cases:
        await receive.frame(case, gap=random.randrange(2))
    await receive.finish()


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def extension_headers_are_stepped_over(dut: Any) -> None:
    """One to three of them, of any length; a routing header under way; a fragment."""
    receive = await started(dut)

    def chain(sort: str) -> Packet:
        packet: Packet = IPv6(src="2001:db8::1", dst="2001:db8::2")
        for _ in range(random.randint(1, 3)):
            pad = PadN(optdata=bytes(random.choice((4, 12, 20, 100))))
            packet /= random.choice((
                IPv6ExtHdrHopByHop(options=[pad]), IPv6ExtHdrDestOpt(options=[pad]),
                IPv6ExtHdrRouting(addresses=["2001:db8::2"], segleft=random.choice((0, 0, 0, 1))),
                *([IPv6ExtHdrFragment()] if random.random() < 0.2 else []),
            ))  # fmt: skip
        return packet / l4_of(sort, random.randrange(40))

    good = 0
    for _ in range(120):
        frame = framed(chain(random.choice(("tcp", "udp"))), random.random() < 0.5,
                       random.random() < 0.3, random.randrange(3))  # fmt: skip
        good += sums_of(frame[:-4]) in GOOD
        await receive.frame(frame, gap=random.randrange(2))
        # A length that leads to the packet's end, to it but for a byte, or beyond.
        first = 18 if frame[12:14] == b"\x81\0" else 14
        for value in (0, 1, 2, 255):
            await receive.frame(changed(frame, first + 41, value), gap=0)
        await receive.frame(changed(frame, first + 5), gap=0)
    assert good > 40
    await receive.finish()


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def an_extension_header_may_be_as_long_as_its_length_field_says(dut: Any) -> None:
    """2048 bytes, with TCP behind it, and one header that ends with the packet."""
    receive = await started(dut)
    segment = bytes(ip_of(6, l4_of("tcp", 9)))[40:]
    # The sum does not cover extension headers: that of the packet without them stays right.
    for blocks in (0, 1, 254, 255):
        for protocol, behind in ((6, segment), (59, b""), (6, b""), (0, b""), (60, bytes(7))):
            extension = bytes([protocol, blocks]) + bytes(8 * blocks + 6)
            body = extension + behind
            head = struct.pack("!IHBB", 6 << 28, len(body), 60, 64)
            addresses = bytes(ip_of(6, l4_of("tcp", 9)))[8:40]
            frame = with_fcs(bytes(Ether(dst=STATION, type=0x86DD)) + head + addresses + body)
            if behind == segment:
                assert sums_of(frame[:-4]).l4
            await receive.frame(frame)
    await receive.finish()


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def random_changes_are_judged_as_the_model_does(dut: Any) -> None:
    """Packets of every kind, with some bytes of their headers at random, cut short or padded."""
    receive = await started(dut)
    for _ in range(700):
        version = random.choice((4, 6))
        packet = ip_of(version, l4_of(random.choice(("tcp", "udp")), random.randrange(60)),
                       random.choice((0, 0, 3)))  # fmt: skip
        frame = framed(packet, random.random() < 0.4, random.random() < 0.3, random.randrange(4))
        for _ in range(random.choice((0, 1, 1, 2))):
            frame = changed(frame, random.randrange(12, min(len(frame) - 4, 90)))
        if random.random() < 0.2:
            frame = with_fcs(frame[: random.randrange(60, len(frame))])
        await receive.frame(frame, gap=random.randrange(2),
                            bubbles=random.choice((0, 0, 0.1)))  # fmt: skip
    await receive.finish()
