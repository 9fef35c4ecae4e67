# SPDX-License-Identifier: Apache-2.0
"""Scripts of TCP against a guest's stack: python3 tcp_scripts.py PEER PORT chip|software.

Each function is a script. The RFCs leave no choice in its expectations. The values that it returns
are open in the RFCs, or a SHOULD: the two stacks may differ (sw/drivers/toe/conformance.md).
"""

from __future__ import annotations

import struct
import sys
import time

import tcp_data_scripts
from socket_agent import Agent
from tcp_wire import (
    ACK,
    FIN,
    FULL,
    MSS,
    PSH,
    RST,
    SACK_ALLOWED,
    SYN,
    TIMESTAMPS,
    WINDOW_SCALE,
    Connection,
    Segment,
    Wire,
    mss,
    stamps,
    text,
)

SYN_NAMES = {MSS: "mss", WINDOW_SCALE: "wscale", SACK_ALLOWED: "sack", TIMESTAMPS: "ts"}


def names_of(s: Segment) -> str:
    return ",".join(sorted(SYN_NAMES[kind] for kind in s.options))


def times(segments: list[Segment], begin: float) -> list[float]:
    return [round(s.at - begin, 1) for s in segments]


# --- Opening: RFC 9293, 3.5 and 3.10.7 -----------------------------------------------------------


def syn_options(c: Connection):
    """RFC 9293, 3.7.1: the MSS is that of the MTU. RFC 7323: the options' offer is a choice."""
    syn = c.begin_active()
    assert syn.options[MSS] == struct.pack("!H", FULL)
    c.send(RST | ACK, 0)
    assert c.peer.end() == "ECONNREFUSED"
    return [names_of(syn)]


def syn_ack_options(c: Connection):
    """RFC 7323, 2.2 and 3.2: only options of the SYN come back."""
    answer = c.passive()
    assert names_of(answer) == "mss"
    return []


def syn_ack_with_all_options(c: Connection):
    asked = {**mss(FULL), SACK_ALLOWED: b"", **stamps(7, 0), WINDOW_SCALE: b"\3"}
    c.their_port = c.port - 10000
    c.peer(f"globals().update(l=listening({c.their_port}, 8, {c.by_chip}))")
    c.send(SYN, 0, ack=0, options=asked)
    answer = c.expect("S. 0:0 ack 1")
    assert struct.unpack("!II", answer.options[TIMESTAMPS])[1] == 7
    c.send(RST, 1)
    c.peer("l.close()")
    return [names_of(answer)]


def syn_again(c: Connection):
    """RFC 6298, 2 and 5.5: each time twice as long; the first is a second, or three."""
    syn = c.begin_active()
    again = c.all_within(8)
    assert all(str(s) == str(syn) for s in again)
    c.send(RST | ACK, 0)
    assert c.peer.end() == "ECONNREFUSED"
    return times(again, syn.at)[:2]


def wrong_syn_ack(c: Connection):
    """RFC 9293, 3.10.7.3: an ACK of what was not sent gets a RST with its number."""
    c.begin_active()
    c.send(SYN | ACK, 0, ack=99, options=mss(FULL))
    c.expect("R 99:99 ack 0")
    c.send(SYN | ACK, 0, ack=1, options=mss(FULL))
    found = [str(s) for s in c.all_within(1) if not s.has(SYN)]
    assert found == [". 1:1 ack 1"]
    assert c.peer.end() is None
    return []


def both_open(c: Connection):
    """RFC 9293, 3.5: simultaneous open."""
    c.begin_active()
    c.send(SYN, 0, ack=0, options=mss(FULL))
    c.expect("S. 0:0 ack 1")
    c.send(ACK, 1)
    assert c.peer.end() is None
    c.send(ACK | PSH, 1, b"hello")
    assert c.peer("s.recv(9)") == b"hello"
    c.at = 6
    return []


def no_server(c: Connection):
    """RFC 9293, 3.10.7.1"""
    c.their_port = 9
    c.send(SYN, 0, ack=0, options=mss(FULL))
    c.expect("R. 0:0 ack 1")
    c.send(ACK, 1, ack=77)
    c.expect("R 77:77 ack 0")
    return []


def ack_to_server(c: Connection):
    """RFC 9293, 3.10.7.2: a RST is ignored, an ACK gets one."""
    c.their_port = c.port - 10000
    c.peer(f"globals().update(l=listening({c.their_port}, 8, {c.by_chip}))")
    c.send(RST, 1)
    c.quiet(0.1)
    c.send(ACK, 1, ack=55)
    c.expect("R 55:55 ack 0")
    c.peer("l.close()")
    return []


# --- Closing: RFC 9293, 3.6 and 3.10 -------------------------------------------------------------


def closes_first(c: Connection):
    c.active()
    c.peer("s.shutdown(1)")
    c.expect("F. 1:1 ack 1")
    c.send(ACK, 1)
    assert c.peer("until(lambda: state(s) == 'FIN-WAIT-2', 1)")
    c.send(ACK | PSH, 1, b"more")
    assert c.peer("s.recv(9)") == b"more"
    c.send(FIN | ACK, 5)
    assert c.all_within(0.6)[-1].ack == 6
    c.peer("s.close()")
    return []


def closes_second(c: Connection):
    c.active()
    c.send(FIN | ACK, 1)
    c.expect(". 1:1 ack 2")
    assert c.peer("s.recv(9)") == b""
    assert c.peer("state(s)") == "CLOSE-WAIT"
    c.peer("s.close()")
    c.expect("F. 1:1 ack 2")
    c.send(ACK, 2)
    c.quiet(0.5)
    return []


def both_close(c: Connection):
    c.active()
    c.peer("s.shutdown(1)")
    c.expect("F. 1:1 ack 1")
    c.send(FIN | ACK, 1, ack=1)
    c.expect(". 2:2 ack 2")
    c.send(ACK, 2)
    assert c.peer("until(lambda: state(s) == 'CLOSE', 1)")
    c.peer("s.close()")
    return []


def fin_again(c: Connection):
    """RFC 9293, 3.6.1: TIME-WAIT acknowledges the peer's FIN again, for two MSL of 2 minutes."""
    c.active()
    c.peer("s.close()")
    c.expect("F. 1:1 ack 1")
    c.send(FIN | ACK, 1)
    c.expect(". 2:2 ack 2")
    c.send(FIN | ACK, 1)
    c.expect(". 2:2 ack 2")
    time.sleep(2)
    c.send(FIN | ACK, 1)
    return text(c.all_within(0.1))


def fin_lost(c: Connection):
    """RFC 9293, 3.8.1: a FIN is sent again, and keeps its number behind data."""
    c.active()
    c.peer("s.send(b'abc') and s.shutdown(1)")
    first = c.all_within(0.1)
    assert first[-1].seq + first[-1].length == 4 or first[-1].has(FIN)
    c.send(ACK, 1, ack=4)
    again = c.next_segment(4)
    assert again is not None and again.has(FIN) and again.seq == 4
    c.send(ACK, 1, ack=5)
    return []


def data_for_a_closed_socket(c: Connection):
    """RFC 9293, 3.10.4 and RFC 2525, 2.17: nobody reads it, so a RST tells the sender."""
    c.active()
    c.peer("s.close()")
    c.expect("F. 1:1 ack 1")
    c.send(ACK | PSH, 1, b"x")
    answer = c.next_segment()
    assert answer is not None and answer.has(RST)
    return []


SCRIPTS = (
    *(syn_options, syn_ack_options, syn_ack_with_all_options, syn_again, wrong_syn_ack, both_open),
    *(no_server, ack_to_server, *tcp_data_scripts.SCRIPTS, closes_first, closes_second),
    *(both_close, fin_again, fin_lost, data_for_a_closed_socket),
)


def main() -> None:
    peer = Agent(sys.argv[1], int(sys.argv[2]))
    wire = Wire(peer)
    for one in SCRIPTS:
        connection = Connection(wire, peer, sys.argv[3] == "chip")
        try:
            said = one(connection)
        except Exception as error:
            said = f"failed: {error!r}"
            peer = connection.peer = Agent(sys.argv[1], int(sys.argv[2]))
        connection.end()
        print(f"{one.__name__}: {said}", flush=True)


if __name__ == "__main__":
    main()
