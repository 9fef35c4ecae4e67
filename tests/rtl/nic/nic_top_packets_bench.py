# SPDX-License-Identifier: Apache-2.0
"""Packets as scapy builds them: super-frames, VLAN, sums both ways."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from nic_line import with_fcs
from nic_rx_model import IPCS, IPE, TCPCS, TCPE
from nic_top_driver import Driver, Setup
from nic_top_host import ADDRESS, Nic, word_of
from nic_tx_model import IXSM, TSE, TXSM, VLE, Context
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Packet, Raw
from scapy.utils import checksum

FIN, PSH = 1, 8


def ether() -> Packet:
    """Return a header for the NIC, or for another."""
    to = random.choice((ADDRESS, b"\x02" + random.randbytes(5)))
    return Ether(dst=":".join(f"{byte:02x}" for byte in to), src="02:00:00:00:00:01")


def headers(ipv4: bool, tcp: bool) -> tuple[Packet, Packet]:
    """Return random headers of IP and TCP or UDP."""
    ip: Packet
    if ipv4:
        ip = IP(src="10.1.2.3", dst=f"10.0.{random.randrange(256)}.9", id=random.getrandbits(16))
    else:
        ip = IPv6(src="fd00::1", dst=f"fd00::{random.getrandbits(16):x}")
    if tcp:
        return ip, TCP(sport=random.getrandbits(16), dport=80, seq=random.getrandbits(32),
                       ack=7, flags=0x10 | FIN | PSH, options=[("Timestamp", (1, 2)), ("NOP", 0),
                                                               ("NOP", 0)])  # fmt: skip
    return ip, UDP(sport=random.getrandbits(16), dport=53)


def built(head: Packet, tag: int, ip: Packet, l4: Packet, payload: bytes) -> bytes:
    """Return a packet with its lengths and sums by scapy; a tag of zero is none."""
    ip, l4 = ip.copy(), l4.copy()
    for packet, names in ((ip, ("len", "plen", "chksum")), (l4, ("len", "chksum"))):
        for name in names:
            if name in packet.default_fields:
                packet.delfieldval(name)
    head = head.copy() / Dot1Q(vlan=tag) if tag else head.copy()
    return bytes(head / ip / l4 / Raw(payload))


def segments(head: Packet, tag: int, ip: Packet, l4: Packet, payload: bytes,
             mss: int) -> list[bytes]:  # fmt: skip
    """Return the frames of a super-frame."""
    found: list[bytes] = []
    for index, at in enumerate(range(0, len(payload), mss)):
        own_ip, own_l4 = ip.copy(), l4.copy()
        if IP in ip:
            own_ip.id = (ip.id + index) & 0xFFFF
        if TCP in l4:
            own_l4.seq = (l4.seq + at) & 0xFFFFFFFF
            if at + mss < len(payload):
                own_l4.flags = int(l4.flags) & ~(FIN | PSH)
        found.append(built(head, tag, own_ip, own_l4, payload[at : at + mss]))
    return found


def without_sums(frame: bytes, ipv4: bool, tcp: bool, whole: bool) -> tuple[bytes, Context]:
    """Return a frame as a driver gives it to the NIC, and the context without sizes.

    Its IP sum is zero, and its TCP or UDP sum is that of the addresses and the protocol; with
    `whole` of the length, too.
    """
    up = 34 if ipv4 else 54
    size = 4 * (frame[up + 12] >> 4) if tcp else 8
    place = up + (16 if tcp else 6)
    pseudo = frame[26:34] if ipv4 else frame[22:54]
    pseudo += bytes([0, 6 if tcp else 17])
    if whole:
        pseudo += (len(frame) - up).to_bytes(2, "big")
    made = bytearray(frame)
    made[place : place + 2] = (0xFFFF ^ checksum(pseudo)).to_bytes(2, "big")
    if ipv4:
        made[24:26] = bytes(2)
    ip_field = 24 if ipv4 else up
    return bytes(made), Context((14, ip_field, up - 1), (up, place, 0), up + size, 0, 0, ipv4, tcp)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def super_frames_and_sums_are_those_of_scapy(dut: Any) -> None:
    """TCP and UDP over IPv4 and IPv6, with a tag and without, cut and whole; all come back good."""
    nic = Nic(dut)
    await nic.start()
    driver = Driver(nic, Setup(ctrl0=word_of("CTRL0", VME=1), bsize=2))
    await driver.open()
    super_frames = 0
    for kind in range(16):
        ipv4, tcp, tagged, cut = (bool(kind >> bit & 1) for bit in range(4))
        head, (ip, l4) = ether(), headers(ipv4, tcp)
        tag = random.randint(1, 4095) if tagged else 0
        size, mss = random.randint(200, 9000), random.choice((300, 536, 1448, 4000))
        if not cut:
            size = mss = random.randint(20, 1400)
        payload = random.randbytes(size)
        right = segments(head, tag, ip, l4, payload, mss)
        content, context = without_sums(built(head, 0, ip, l4, payload), ipv4, tcp, not cut)
        context = Context(context.ip, context.l4, context.header, mss, size, ipv4, tcp)
        command = VLE * tagged | TSE * cut
        await driver.packet(content, random.randrange(3), command, IXSM * ipv4 | TXSM, tag,
                            context, right)  # fmt: skip
        super_frames += cut
    await driver.finished()
    for frame in list(nic.wire):
        nic.come(with_fcs(frame))
        kept = nic.kept[-1]
        assert kept.status & TCPCS and not kept.errors
        assert bool(kept.status & IPCS) == (frame[12:14] == b"\x08\0" or frame[16:18] == b"\x08\0")
        if len(nic.kept) > 3:
            await driver.finished()
    await driver.finished()
    await driver.stop(TSCTC=super_frames)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def wrong_sums_of_received_packets_are_told(dut: Any) -> None:
    """A bit of the IP header, of TCP or of UDP; each is told, and nothing beside it."""
    nic = Nic(dut)
    await nic.start()
    driver = Driver(nic)
    await driver.open()
    for trial in range(24):
        ipv4, tcp, tagged = (bool(trial >> bit & 1) for bit in range(3))
        ip, l4 = headers(ipv4, tcp)
        frame = bytearray(built(ether(), 100 * tagged, ip, l4, random.randbytes(300)))
        begin = 18 if tagged else 14
        up = begin + (20 if ipv4 else 40)
        wrong_ip, wrong_l4 = ipv4 and trial % 3 == 1, trial % 3 == 2
        if wrong_ip:
            frame[begin + 8] ^= 1 << random.randrange(8)  # the time to live
        if wrong_l4:
            frame[random.randrange(up + 20, len(frame))] ^= 1 << random.randrange(8)
        nic.come(with_fcs(bytes(frame)))
        kept = nic.kept[-1]
        checked = TCPCS | (IPCS if ipv4 else 0)
        assert kept.status & (TCPCS | IPCS) == checked
        assert kept.errors == IPE * wrong_ip | TCPE * wrong_l4
        await driver.finished()
    await driver.stop()
