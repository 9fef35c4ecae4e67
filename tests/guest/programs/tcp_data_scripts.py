# SPDX-License-Identifier: Apache-2.0
"""Scripts of TCP's data: sending, receiving. See tcp_scripts.py."""

from __future__ import annotations

import struct
import time

from tcp_wire import (
    ACK,
    FULL,
    PSH,
    RST,
    SYN,
    TIMESTAMPS,
    WINDOW_SCALE,
    Connection,
    mss,
    stamps,
    text,
)

# --- Sending: RFC 5681, 6298, 9293 3.8 -----------------------------------------------------------


def first_window(c: Connection):
    """RFC 5681, 3.1, and RFC 6928: at most 10 segments."""
    c.active()
    c.write(30000)
    first = c.all_within(0.1)
    assert 1 <= len(first) <= 10 and all(s.length == FULL for s in first)
    return [len(first)]


def slow_start(c: Connection):
    """One ACK for a flight. It adds a segment (RFC 5681, 3.1), or its bytes (RFC 3465)."""
    c.active()
    c.write(60000)
    flights = []
    for _ in range(4):
        flights.append(sum(s.length for s in c.all_within(0.1)) // FULL)
        c.send(ACK, 1)
    assert all(b <= 2 * a for a, b in zip(flights, flights[1:], strict=False))
    return flights


def small_mss(c: Connection):
    """RFC 9293, 3.7.1: segments are as the peer wants them."""
    c.active(options=mss(536))
    c.write(5000)
    assert max(s.length for s in c.all_within(0.1)) == 536
    return []


def no_mss(c: Connection):
    """RFC 9293, 3.7.1: without the option 536 is assumed."""
    c.active(options={})
    c.write(5000)
    return [max(s.length for s in c.all_within(0.1))]


def peers_window(c: Connection):
    """RFC 9293, 3.8.6: no more than the window, which moves with the ACK."""
    c.active(window=3000)
    c.write(20000)
    for _ in range(4):
        s = c.all_within(0.1)
        assert 0 < c.next - s[0].seq <= 3000
        c.send(ACK, 1, window=3000)
    return []


def scaled_window(c: Connection):
    """RFC 7323, 2.3: the SYN's window has no scale, all others have."""
    c.active(options={**mss(FULL), WINDOW_SCALE: b"\2"}, window=730)
    c.send(ACK, 1, window=730)
    c.write(20000)
    for _ in range(5):
        s = c.all_within(0.1)
        assert 0 < c.next - s[0].seq <= 2920
        c.send(ACK, 1, window=730)
    return []


def retransmission(c: Connection):
    """RFC 6298, 5: the oldest segment alone, each time after twice as long."""
    c.active()
    c.write(3 * FULL)
    first = c.all_within(0.1)
    again = c.all_within(2.5)[:3]
    assert {(s.seq, s.length) for s in again} == {(1, FULL)}
    gaps = [b.at - a.at for a, b in zip(again, again[1:], strict=False)]
    assert 1.8 < gaps[1] / gaps[0] < 2.2
    return [round(again[0].at - first[0].at, 2)]


def flight_of_eight(c: Connection) -> int:
    """Let the socket send eight segments or more, of which none is acknowledged."""
    una = 1
    c.send(ACK, 1)  # the first ACK behind the SYN updates the window, and would be no duplicate
    c.write(100000)
    while len(c.all_within(0.05)) < 8:
        una = c.next
        c.send(ACK, 1)
    return una


def fast_retransmit(c: Connection):
    """RFC 5681, 3.2: the segment comes again after duplicates, before its time is over."""
    c.active()
    una = flight_of_eight(c)
    for count in range(1, 5):
        c.send(ACK, 1, ack=una)
        if any(s.seq == una for s in c.all_within(0.02)):
            return [count]
    raise AssertionError("it did not come")


def window_after_timeout(c: Connection):
    """RFC 5681, 3.1: after a timeout the window is one segment."""
    c.active()
    una = flight_of_eight(c)
    again = c.next_segment(3)
    assert again is not None and again.seq == una
    c.quiet(0.1)
    c.send(ACK, 1, ack=una + FULL)
    return [len(c.all_within(0.1))]


def nagle(c: Connection):
    """RFC 9293, 3.7.4: a short segment waits while data are not acknowledged."""
    c.active()
    c.peer("s.send(b'a')")
    c.expect(". 1:2 ack 1")
    c.peer("s.send(b'b')")
    c.quiet(0.1)
    c.send(ACK, 1)
    c.expect(". 2:3 ack 1")
    c.send(ACK, 1)
    c.peer("s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)")
    c.peer("s.send(b'c')")
    c.expect(". 3:4 ack 1")
    c.peer("s.send(b'd')")
    c.expect(". 4:5 ack 1")
    return []


def shut_window(c: Connection):
    """RFC 9293, 3.8.6.1: probes of a window of zero, more and more seldom; data when it opens."""
    c.active()
    c.peer("s.send(b'a')")
    c.expect(". 1:2 ack 1")
    c.send(ACK, 1, window=0)
    begin = time.monotonic()
    c.write(1000)
    probes = []
    for _ in range(3):
        s = c.next_segment(5)
        assert s is not None
        probes.append(s)
        c.send(ACK, 1, ack=2, window=0)
    gaps = [b.at - a.at for a, b in zip(probes, probes[1:], strict=False)]
    assert gaps[1] > 1.5 * gaps[0]
    c.send(ACK, 1, ack=2, window=5000)
    got = c.all_within(0.3)
    assert max(s.seq + s.length for s in got) == 1002
    return [round(probes[0].at - begin, 1), probes[0].length]


# --- Receiving: RFC 5681 4.2, 9293 3.10.7.4, 5961, 7323 ------------------------------------------


def lone_segment(c: Connection):
    """RFC 5681, 4.2: within 500 ms. After many segments, when no rule asks for an early one."""
    c.active()
    at = 1
    for _ in range(20):
        c.send(ACK | PSH, at, b"x" * FULL)
        at += FULL
        c.all_within(0.3)
    begin = time.monotonic()
    c.send(ACK | PSH, at, b"x" * FULL)
    s = c.next_segment(1)
    assert s is not None and s.ack == at + FULL and s.at - begin < 0.5
    c.at = at + FULL
    return [round(s.at - begin, 2)]


def every_second(c: Connection):
    """RFC 5681, 4.2: at least every second full segment is acknowledged."""
    c.active()
    for _ in range(5):
        c.send(ACK, c.at, b"x" * FULL)
        c.send(ACK, c.at + FULL, b"x" * FULL)
        c.at += 2 * FULL
        acks = [s.ack for s in c.all_within(0.02)]
        assert acks == sorted(acks) and acks[-1] == c.at
    return []


def hole(c: Connection):
    """RFC 5681, 4.2: an ACK at once beyond a hole, and when it is filled."""
    c.active()
    c.send(ACK, 1 + FULL, b"b" * FULL)
    c.expect(". 1:1 ack 1", 0.02)
    c.send(ACK, 1 + 2 * FULL, b"c" * FULL)
    c.expect(". 1:1 ack 1", 0.02)
    c.send(ACK, 1, b"a" * FULL)
    c.expect(f". 1:1 ack {1 + 3 * FULL}", 0.02)
    assert c.peer(f"receive(s, {3 * FULL})") == b"a" * FULL + b"b" * FULL + b"c" * FULL
    c.at = 1 + 3 * FULL
    return []


def overlap(c: Connection):
    """RFC 9293, 3.10.7.4: each byte once, whatever the segments are."""
    c.active()
    c.send(ACK, 1, b"abcdef")
    c.send(ACK, 4, b"defghi")
    c.send(ACK, 2, b"bcd")
    c.send(ACK | PSH, 9, b"ij")
    assert c.peer("receive(s, 10)") == b"abcdefghij"
    assert c.all_within(0.6)[-1].ack == 11
    c.at = 11
    return []


def damaged(c: Connection):
    """RFC 9293, 3.1: a wrong checksum is no segment."""
    c.active()
    c.send(ACK | PSH, 1, b"wrong", damage=0x100)
    c.quiet(0.6)
    c.send(ACK | PSH, 1, b"right")
    assert c.peer("receive(s, 5)") == b"right"
    c.at = 6
    return []


def outside(c: Connection):
    """RFC 9293, 3.10.7.4: a segment outside of the window gets an ACK, and no more."""
    c.active()
    c.send(ACK, 2**31 - 5, b"far")
    c.expect(". 1:1 ack 1")
    c.send(ACK, 2**32 - 5, b"old")
    c.expect(". 1:1 ack 1")
    assert c.peer("outcome(s.recv, 9, socket.MSG_DONTWAIT)") == "EAGAIN"
    return []


def ack_of_unsent(c: Connection):
    """RFC 9293, 3.10.7.4: it is dropped, and gets an ACK, which Linux does not send."""
    c.active()
    c.send(ACK | PSH, 1, b"x", ack=5000)
    answer = text(c.all_within(0.1))
    assert c.peer("outcome(s.recv, 9, socket.MSG_DONTWAIT)") == "EAGAIN"
    return answer


def reset(c: Connection):
    """RFC 9293, 3.10.7.4: a RST with the next number ends the connection, one outside does not."""
    c.active()
    c.send(RST, 2**31)
    assert c.peer("state(s)") == "ESTABLISHED"
    c.send(RST, 1)
    assert c.peer("outcome(s.recv, 1)") == "ECONNRESET"
    return []


def blind_reset(c: Connection):
    """RFC 9293, 3.10.7.4, after RFC 5961: a RST elsewhere in the window gets a challenge."""
    c.active()
    c.send(RST, 100)
    answer = text(c.all_within(0.1))
    return [answer, c.peer("state(s)")]


def blind_syn(c: Connection):
    """RFC 9293, 3.10.7.4: a SYN of an open connection gets a challenge."""
    c.active()
    c.send(SYN, 100, options=mss(FULL))
    answer = text(c.all_within(0.1))
    return [answer, c.peer("state(s)")]


def timestamps_echo(c: Connection):
    """RFC 7323, 4.3: the echo is the stamp of the oldest segment without an ACK."""
    c.options = stamps(1000, 0)
    c.active(options={**mss(FULL), **stamps(1000, 0)})
    c.send(ACK | PSH, 1, b"abc", options=stamps(1234, 0))
    s = c.next_segment()
    assert s is not None and struct.unpack("!II", s.options[TIMESTAMPS])[1] == 1234
    c.at, c.options = 4, stamps(1300, 0)
    return []


def old_timestamp(c: Connection):
    """RFC 7323, 5.3: PAWS."""
    c.options = stamps(5000, 0)
    c.active(options={**mss(FULL), **stamps(5000, 0)})
    c.send(ACK | PSH, 1, b"abc")
    c.next_segment()
    c.send(ACK | PSH, 4, b"old", options=stamps(100, 0))
    c.expect(". 1:1 ack 4")
    assert c.peer("s.recv(9)") == b"abc"
    c.send(ACK | PSH, 4, b"new")
    assert c.peer("s.recv(9)") == b"new"
    c.at = 7
    return []


SCRIPTS = (
    *(first_window, slow_start, small_mss, no_mss, peers_window, scaled_window, retransmission),
    *(fast_retransmit, window_after_timeout, nagle, shut_window, lone_segment, every_second, hole),
    *(overlap, damaged, outside, ack_of_unsent, reset, blind_reset, blind_syn, timestamps_echo),
    old_timestamp,
)
