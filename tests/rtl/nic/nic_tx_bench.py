# SPDX-License-Identifier: Apache-2.0
"""The transmit engine with its buffer: packets, super-frames, sums; scapy says what is right."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from nic_tx_host import Host, started
from nic_tx_model import IXSM, TSE, TXSM, VLE, Context
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Packet, Raw
from scapy.utils import checksum


def network(version: int) -> Packet:
    """Return an Ethernet and IP header without options."""
    ether = Ether(src=f"00:07:e9:00:00:{random.randrange(256):02x}", dst="00:07:e9:00:00:01")
    if version == 4:
        ident = random.choice((0, 0xFFFE, random.getrandbits(16)))
        return ether / IP(src="10.0.0.1", dst=f"10.0.0.{random.randrange(2, 255)}", id=ident)
    return ether / IPv6(src="fe80::1", dst=f"fe80::{random.getrandbits(16):x}")


def transport(protocol: str, flags: str = "PA") -> Packet:
    """Return a TCP or UDP header."""
    if protocol == "udp":
        return UDP(sport=random.getrandbits(16), dport=9)
    options = random.choice(([], [("NOP", None), ("NOP", None), ("Timestamp", (1, 2))]))
    seq = random.choice((0xFFFF_FF00, random.getrandbits(32)))
    return TCP(sport=1000, dport=9, seq=seq, ack=7, flags=flags, options=options)


def right(packet: Packet) -> bytes:
    """Return a packet's bytes with scapy's lengths and sums."""
    return bytes(packet.__class__(bytes(packet)))


def layout(packet: Packet) -> tuple[int, int]:
    """Return where the IP and the TCP or UDP header start."""
    return 14, 34 if IP in packet else 54


def for_host(packet: Packet, length: int) -> bytes:
    """Return what a driver hands over: no IP sum, and the pseudo header's sum over `length`."""
    whole = bytearray(bytes(packet))
    at, up = layout(packet)
    addresses = whole[26:34] if IP in packet else whole[22:54]
    protocol = 6 if TCP in packet else 17
    pseudo = bytes(addresses) + bytes([0, protocol]) + length.to_bytes(2, "big")
    field = up + (16 if TCP in packet else 6)
    whole[field : field + 2] = (checksum(pseudo) ^ 0xFFFF).to_bytes(2, "big")
    if IP in packet:
        whole[at + 10 : at + 12] = b"\0\0"
    return bytes(whole)


def context_of(packet: Packet, **more: Any) -> Context:
    """Return the context that a driver sets for such packets."""
    at, up = layout(packet)
    header = len(bytes(packet)) - len(bytes(packet[Raw].load if Raw in packet else b""))
    ip = (at, at + 10, up - 1) if IP in packet else (at, up, up - 1)
    field = up + (16 if TCP in packet else 6)
    return Context(ip, (up, field, 0), header, ipv4=IP in packet, tcp=TCP in packet, **more)


KINDS = [(4, "tcp"), (6, "tcp"), (4, "udp"), (6, "udp")]


@cocotb.test()
async def packets_get_the_sums_that_scapy_computes(dut: Any) -> None:
    """IPv4 and IPv6, TCP and UDP, tagged and not, of any length."""
    host = await started(dut)
    expected: list[bytes] = []
    for version, protocol in KINDS * 4:
        load = random.randbytes(random.choice((0, 1, 2, 7, 8, 31, 500, 1001)))
        packet = network(version) / transport(protocol) / Raw(load)
        raw = for_host(packet, len(packet[TCP if protocol == "tcp" else UDP]))
        host.set_context(context_of(packet))
        tag, tagged = random.getrandbits(16), random.random() < 0.5
        command, options = VLE * tagged, TXSM | (IXSM if version == 4 else 0)
        host.packet(raw, random.choice((0, 1, 3)), command, options, tag)
        if tagged:
            ether, rest = packet.copy(), packet[1].copy()
            ether.remove_payload()
            dot1q = Dot1Q(prio=tag >> 13, dei=tag >> 12 & 1, vlan=tag & 0xFFF)
            ether.type = 0x8100
            dot1q.type = 0x0800 if version == 4 else 0x86DD
            packet = ether / dot1q / rest
        expected.append(right(packet))
    await host.settle()
    assert host.frames == expected


@cocotb.test()
async def super_frames_are_cut_as_scapy_builds_segments(dut: Any) -> None:
    """Each segment is a packet that scapy makes again: lengths, identification, numbers, flags."""
    host = await started(dut)
    expected: list[bytes] = []
    for turn, (version, protocol) in enumerate(KINDS * 3):
        load = random.randbytes(random.choice((1, 999, 1000, 1001, 3000, 3500)))
        flags = random.choice(("FPA", "FPAC", "A"))
        packet = network(version) / transport(protocol, flags) / Raw(load)
        mss = random.choice((536, 1000, 1448, 4000))
        if turn == 0:  # both numbers wrap
            packet[IP].id, packet[TCP].seq = 0xFFFF, 0xFFFF_FF00
            packet[Raw].load = load = random.randbytes(1600)
            mss = 536
        host.set_context(context_of(packet, mss=mss, payload=len(load)))
        raw = for_host(packet, 0)
        header = len(raw) - len(load)
        cuts = random.choice(([], [header], [header - 5, 3], [header + 7, 600 % len(load)]))
        if sum(cuts) > len(raw):
            cuts = [header]
        options = TXSM | (IXSM if version == 4 else 0)
        tag, tagged = random.getrandbits(16), random.random() < 0.3
        host.packet(raw, cuts, TSE | VLE * tagged, options, tag)
        for index, offset in enumerate(range(0, len(load), mss)):
            part = load[offset : offset + mss]
            segment = packet.copy()
            segment[Raw].load = part
            if version == 4:
                segment[IP].id = (packet[IP].id + index) & 0xFFFF
            if protocol == "tcp":
                segment[TCP].seq = (packet[TCP].seq + offset) & 0xFFFF_FFFF
                if offset + mss < len(load):
                    segment[TCP].flags = flags.replace("F", "").replace("P", "")
            frame = bytes(segment)
            vlan = b"\x81\x00" + tag.to_bytes(2, "big") if tagged else b""
            expected.append(frame[:12] + vlan + frame[12:])
    await host.settle()
    assert host.frames == expected and host.model.whole == 12


def odd_context() -> Context:
    """Return a context that no driver sets: any spans, overlapping, ending anywhere."""

    def span() -> tuple[int, int, int]:
        start = random.choice((0, 1, 14, 15, random.randrange(120)))
        last = random.choice((0, 0, start, start + random.randrange(60), 0xFFFF, 130))
        return start, random.choice((start, start + 6, 255, random.randrange(120))), last

    ip, l4 = span(), span()
    if random.random() < 0.2:  # one byte of the IP sum is in the other sum's span, one is not
        l4 = random.choice(((ip[1] + 1 & 0xFF, l4[1], 0), (0, l4[1], ip[1])))
    return Context(ip, l4, 0, tcp=random.random() < 0.5)


@cocotb.test()
async def any_span_is_summed_as_the_twin_does(dut: Any) -> None:
    """Odd starts and fields, spans that overlap the other sum's field, spans beyond the frame."""
    host = await started(dut)
    for index in range(350):
        host.set_context(odd_context())
        size = random.choice((14, 16, 20, 60, 120, 131, 256, 257, 258))
        content = random.randbytes(size)
        if index % 7 == 0:
            content = bytes(size)  # sums of nothing but zeros
        elif index % 7 == 1:
            content = b"\xff" * size
        host.packet(content, 0, 0, random.choice((IXSM, TXSM, IXSM | TXSM)))
    await host.settle()


@cocotb.test()
async def a_udp_sum_of_zero_is_sent_as_ones_and_a_tcp_sum_is_not(dut: Any) -> None:
    """The seed makes the sum FFFF, whose complement is 0."""
    host = await started(dut)
    for field, sent in ((40, b"\xff\xff"), (50, b"\0\0")):
        host.set_context(Context(l4=(34, field, 0)))
        content = bytearray(random.randbytes(90))
        content[field : field + 2] = b"\0\0"
        content[field : field + 2] = checksum(bytes(content[34:])).to_bytes(2, "big")
        host.packet(bytes(content), 0, 0, TXSM)
        await host.settle()
        assert host.frames[-1][field : field + 2] == sent


@cocotb.test()
async def sums_of_super_frames_may_be_anywhere_in_the_header(dut: Any) -> None:
    """Contexts that no driver sets: odd places of headers, spans that end early or late."""
    host = await started(dut)
    for _ in range(60):
        ipv4, tcp = random.random() < 0.5, random.random() < 0.5
        ip = random.choice((0, 5, 14, 18, 27))
        up = ip + (20 if ipv4 else 40) + random.choice((0, 3, 4, 12))
        header = up + (20 if tcp else 8) + random.choice((0, 1, 2, 5, 12))
        lasts = (0, header - 1, ip + 19, header + 10, 40, 0xFFFF)
        # The IP sum stays out of the fields that TCP and UDP set (nic_tx_header).
        ip_field = random.choice((ip, ip + 3, ip + 10, up - 2, up + 2 - tcp, header - 2))
        if tcp and ip_field in range(up + 3, up + 8):
            ip_field = ip + 10
        if tcp and ip_field in (up + 12, up + 13) or not tcp and ip_field in range(up + 3, up + 6):
            ip_field = ip + 10
        l4_field = random.choice((up + 6, up, ip + 1, header - 2, ip_field + 1))
        l4 = (up, min(l4_field, header - 2), random.choice(lasts))
        payload = random.choice((1, 5, 100, 333))
        mss = random.choice((1, 8, 50, 99, 400)) if payload < 9 else random.choice((50, 99, 400))
        ip_span = (ip, ip_field, random.choice(lasts))
        host.set_context(Context(ip_span, l4, header, mss, payload, ipv4, tcp))
        options = random.choice((0, IXSM, TXSM, IXSM | TXSM, IXSM | TXSM))
        host.packet(random.randbytes(header + payload), random.randrange(4), TSE, options)
    await host.settle()
    assert host.model.whole > 50


@cocotb.test()
async def fragments_of_any_address_and_length_are_put_together(dut: Any) -> None:
    """Up to 20 of them, some without a byte, some that look like contexts; everything stalls.

    A descriptor comes back when its last byte is here, not before.
    """
    host = await started(dut)
    host.timely = True
    for round_ in range(6):
        if round_:
            host.hinder()
        for _ in range(12):
            size = random.choice((14, 15, 16, 17, random.randrange(18, 90), 400))
            cuts = random.choice((0, 1, 2, 7, 20))
            host.packet(random.randbytes(size), cuts, VLE * random.randrange(2), 0, 0x1234)
        await host.settle()


@cocotb.test()
async def traffic_of_all_kinds_is_the_models_whatever_stalls(dut: Any) -> None:
    """Packets, super-frames, contexts good and bad, errors of the bus, in any order."""
    host = await started(dut)
    for _ in range(10):
        host.hinder()
        host.padding = random.choice((0, 0x400, 0xFFFF))
        for _ in range(8):
            mix(host)
        await host.settle()
    assert host.model.whole > 5 and host.model.failed > 2 and host.model.dropped > 0


def mix(host: Host) -> None:
    """Hand over one packet of a random kind, perhaps with a context."""
    version, protocol = random.choice(KINDS)
    load = random.randbytes(random.choice((1, 40, 700, 1500)))
    packet = network(version) / transport(protocol, "FPA") / Raw(load)
    sizes = {"mss": random.choice((0, 100, 536, 2000)), "payload": len(load) + short()}
    if random.random() < 0.7:
        host.set_context(context_of(packet, **sizes))
    command = random.choice((0, TSE, TSE)) | VLE * random.randrange(2)
    raw = for_host(packet, 0)
    if random.random() < 0.1:
        raw = raw[: random.randrange(len(raw))]
    spoil = random.choice((0, 0, 0, 0.3))
    host.packet(raw, random.choice((0, 1, 2, 5)), command, random.randrange(4), 0xBEEF, spoil=spoil)


def short() -> int:
    """Return how far a context is wrong about its payload."""
    return random.choice((0, 0, 0, 1, -1, 200))
