# SPDX-License-Identifier: Apache-2.0
"""Uses of sockets: python3 socket_semantics.py PEER PORT chip|software.

The peer runs socket_agent.py at PORT, and its sockets are the software's. Each line of the output
is the name of a check and all that the socket did in it, in order. Names that begin with `unlike`
tell of what the chip is known to do in its own way (sw/drivers/toe/README.md).
"""

import fcntl
import os
import signal
import socket
import struct
import subprocess
import sys
import time

from socket_agent import (
    Agent,
    is_by_chip,
    listening,
    outcome,
    pattern,
    polled,
    receive,
    reset,
    state,
    tcp,
    until,
)

PEER, BY_CHIP = sys.argv[1], sys.argv[3] == "chip"
peer = Agent(PEER, int(sys.argv[2]))
ports = iter(range(6000 if BY_CHIP else 6500, 7000))
SIOCINQ, SIOCOUTQ = 0x541B, 0x5411


def both(passive: bool) -> socket.socket:
    """Return a connection, whose other end is `p` at the peer."""
    port = next(ports)
    if passive:
        server = listening(port, by_chip=BY_CHIP)
        peer.begin(f"[globals().update(p=tcp()), p.connect(('{OWN}', {port}))] and None")
        one = server.accept()[0]
        peer.end()
        server.close()
    else:
        peer(f"globals().update(l=listening({port}))")
        one = tcp(BY_CHIP)
        one.connect((PEER, port))
        peer("globals().update(p=l.accept()[0]) or l.close()")
    assert is_by_chip(one) == BY_CHIP, "the socket is not where it was asked to be"
    return one


def error_of(one: socket.socket) -> int:
    return one.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)


def names(passive):
    one = both(passive)
    at_peer = peer("[p.getsockname(), p.getpeername()]")
    return [one.getpeername() == at_peer[0], one.getsockname() == at_peer[1]]


def in_ss(passive):
    one = both(passive)
    port = one.getsockname()[1]
    found = subprocess.run(["ss", "-tnH", "sport", f"= :{port}"], stdout=subprocess.PIPE).stdout
    words = found.split()
    return [words[0], words[1], words[2], words[3].endswith(f":{port}".encode())]


def flags(passive):
    one = both(passive)
    said = [outcome(one.recv, 9, socket.MSG_DONTWAIT), polled(one, 0)]
    peer("p.sendall(b'abcdef')")
    said += [polled(one, wanted=1), one.recv(3, socket.MSG_PEEK), one.recv(3)]
    said += [struct.unpack("i", fcntl.ioctl(one, SIOCINQ, b"    "))[0]]
    peer.begin("time.sleep(0.05) or p.sendall(b'ghi')")
    said += [one.recv(6, socket.MSG_WAITALL), peer.end()]
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 0, 20000))
    return [*said, outcome(one.recv, 1)]


def peer_resets(passive):
    one = both(passive)
    peer("reset(p)")
    said = [polled(one), outcome(one.recv, 1), outcome(one.recv, 1), outcome(one.send, b"x")]
    return [*said, state(one), outcome(one.getpeername)]


def peer_resets_after_data(passive):
    one = both(passive)
    peer("p.sendall(b'last') or time.sleep(0.05) or reset(p)")
    until(lambda: state(one) == "CLOSE")
    return [outcome(one.recv, 9), outcome(one.recv, 9), outcome(one.recv, 9)]


def peer_is_gone(passive):
    one = both(passive)
    peer("p.close()")
    said = [polled(one, wanted=0x2001), one.recv(1), state(one), one.send(b"x")]
    until(lambda: state(one) == "CLOSE")
    return [*said, error_of(one), error_of(one), outcome(one.send, b"x"), outcome(one.recv, 1)]


def lingers_not(passive):
    one = both(passive)
    reset(one)
    return [peer("outcome(p.recv, 1)"), peer("outcome(p.send, b'x')")]


def closes_unread(passive):
    one = both(passive)
    peer("p.sendall(b'unread')")
    polled(one, wanted=1)
    one.close()
    return [peer("outcome(p.recv, 1)")]


def lingers(passive):
    one = both(passive)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 5))
    one.sendall(pattern(50000))
    peer.begin("receive(p, 50001) == pattern(50000) and p.close()")
    begin = time.monotonic()
    one.close()
    return [time.monotonic() - begin < 2, peer.end()]


def half_closes(passive):
    one = both(passive)
    one.sendall(b"question")
    one.shutdown(socket.SHUT_WR)
    said = [outcome(one.send, b"x"), peer("receive(p, 99)"), state(one)]
    peer("p.sendall(b'answer') or p.shutdown(1)")
    return [*said, receive(one, 99), until(lambda: state(one) == "CLOSE"), polled(one)]


def peer_half_closes(passive):
    one = both(passive)
    peer("p.shutdown(1)")
    said = [polled(one), one.recv(1), state(one), one.send(b"more"), peer("p.recv(9)")]
    one.shutdown(socket.SHUT_WR)
    return [*said, peer("p.recv(9)"), until(lambda: state(one) == "CLOSE")]


def shuts_reading(passive):
    one = both(passive)
    one.shutdown(socket.SHUT_RD)
    said = [one.recv(1), polled(one)]
    peer("p.sendall(b'even so')")
    time.sleep(0.05)
    said += [outcome(one.recv, 99), outcome(one.recv, 99), outcome(one.send, b"x")]
    return [*said, peer("outcome(p.recv, 9)"), state(one)]


def shuts_both(passive):
    one = both(passive)
    one.shutdown(socket.SHUT_RDWR)
    said = [one.recv(1), outcome(one.send, b"x"), peer("p.recv(1)"), state(one)]
    said += [peer("outcome(p.send, b'nobody reads it')")]
    return [*said, until(lambda: state(one) == "CLOSE"), peer("outcome(p.recv, 1)")]


def buffers(passive):
    one = both(passive)
    for name in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        one.setsockopt(socket.SOL_SOCKET, name, 65536)
    said = [one.getsockopt(socket.SOL_SOCKET, n) for n in (socket.SO_SNDBUF, socket.SO_RCVBUF)]
    one.setblocking(False)
    sent = 0
    while isinstance(more := outcome(one.send, pattern(20000, sent)), int):
        sent += more
    time.sleep(0.5)  # the peer's window is shut by now
    while isinstance(more := outcome(one.send, pattern(20000, sent)), int):
        sent += more
    said += [more, polled(one, 0), struct.unpack("i", fcntl.ioctl(one, SIOCOUTQ, b"    "))[0] > 0]
    said += [peer(f"receive(p, {sent}) == pattern({sent})"), polled(one)]
    return [*said, until(lambda: fcntl.ioctl(one, SIOCOUTQ, b"    ") == b"\0" * 4)]


def small_receiver(passive):
    port = next(ports)
    maker = tcp(BY_CHIP)
    maker.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
    if passive:
        maker.bind(("", port))
        maker.listen(1)
        peer.begin(f"[globals().update(p=tcp()), p.connect(('{OWN}', {port}))] and None")
        one = maker.accept()[0]
        peer.end()
    else:
        peer(f"globals().update(l=listening({port}))")
        maker.connect((PEER, port))
        one = maker
        peer("globals().update(p=l.accept()[0]) or l.close()")
    peer.begin("p.sendall(pattern(300000)) or p.close()")
    time.sleep(0.1)
    held = struct.unpack("i", fcntl.ioctl(one, SIOCINQ, b"    "))[0]
    return [0 < held <= 16384, receive(one, 300001) == pattern(300000), peer.end()]


def forks(passive):
    one = both(passive)
    child = os.fork()
    if child == 0:
        one.sendall(one.recv(1) + b" of the child")
        os._exit(0)
    peer("p.sendall(b'1')")
    os.waitpid(child, 0)
    said = [peer("p.recv(99)"), peer("outcome(p.recv, 1, socket.MSG_DONTWAIT)")]
    one.sendall(b"parent")
    one.close()
    return [*said, peer("receive(p, 99)")]


def is_interrupted(passive):
    class Rung(Exception):
        pass

    def ring(*_):
        raise Rung

    one = both(passive)
    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        one.recv(1)
        said = ["nothing rang"]
    except Rung:
        said = ["EINTR"]
    peer("p.sendall(b'x')")
    return [*said, one.recv(1)]


def raises_pipe(passive):
    one = both(passive)
    one.shutdown(socket.SHUT_WR)
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        one.send(b"x")
        os._exit(0)
    return [signal.Signals(os.waitpid(child, 0)[1] & 0x7F).name]


def sends_files(passive):
    one = both(passive)
    file = os.open("/tmp/sent", os.O_RDWR | os.O_CREAT)
    os.write(file, pattern(200000))
    peer.begin("receive(p, 200000) == pattern(200000)")
    left = 200000
    while left:
        left -= os.sendfile(one.fileno(), file, 200000 - left, left)
    os.close(file)
    return [peer.end()]


def corks(passive):
    one = both(passive)
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
    one.sendall(b"corked")
    said = [peer("time.sleep(0.02) or outcome(p.recv, 9, socket.MSG_DONTWAIT)")]
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 0)
    return [*said, peer("p.recv(9)")]


def many_ways(passive):
    """Both directions at once, with odd sizes."""
    one = both(passive)
    peer.begin("p.sendall(pattern(123457)) or receive(p, 123457) == pattern(123457)")
    one.sendall(pattern(123457))
    return [receive(one, 123457) == pattern(123457), peer.end()]


EITHER_WAY = (
    *(names, in_ss, flags, peer_resets, peer_resets_after_data, peer_is_gone, lingers_not),
    *(closes_unread, lingers, half_closes, peer_half_closes, shuts_reading, shuts_both, buffers),
    *(small_receiver, forks, is_interrupted, raises_pipe, sends_files, corks, many_ways),
)


def connects_without_blocking():
    port = next(ports)
    peer(f"globals().update(l=listening({port}))")
    one = tcp(BY_CHIP)
    one.setblocking(False)
    said = [outcome(one.connect, (PEER, port)), polled(one, wanted=4), error_of(one)]
    said += [outcome(one.connect, (PEER, port)), state(one), one.getpeername() == (PEER, port)]
    peer("globals().update(p=l.accept()[0]) or l.close()")
    return [*said, one.send(b"x"), peer("p.recv(9)"), is_by_chip(one) == BY_CHIP]


def is_refused():
    one = tcp(BY_CHIP)
    return [outcome(one.connect, (PEER, next(ports))), error_of(one), state(one), polled(one)]


def is_refused_without_blocking():
    one = tcp(BY_CHIP)
    one.setblocking(False)
    said = [outcome(one.connect, (PEER, next(ports))), polled(one), error_of(one), error_of(one)]
    return [*said, outcome(one.send, b"x"), outcome(one.recv, 1), outcome(one.getpeername)]


def connects_again_after_refusal():
    one, port = tcp(BY_CHIP), next(ports)
    said = [outcome(one.connect, (PEER, port))]
    peer(f"globals().update(l=listening({port}))")
    one.connect((PEER, port))
    peer("globals().update(p=l.accept()[0]) or l.close()")
    return [*said, one.send(b"x"), peer("p.recv(9)")]


def has_no_neighbour():
    return [outcome(tcp(BY_CHIP).connect, (OWN.rsplit(".", 1)[0] + ".199", 9))]


def is_in_use():
    port = next(ports)
    server = listening(port, by_chip=BY_CHIP)
    said = [outcome(tcp(BY_CHIP).bind, ("", port)), server.getsockname()[1] == port]
    server.shutdown(socket.SHUT_RDWR)
    return [*said, outcome(server.accept)]


def ends_in_the_queue():
    """The peer resets a connection that nobody has accepted."""
    port = next(ports)
    server = listening(port, by_chip=BY_CHIP)
    peer(f"[globals().update(p=tcp()), p.connect(('{OWN}', {port})), reset(p)] and None")
    time.sleep(0.05)
    one = server.accept()[0]
    return [outcome(one.recv, 1), outcome(one.send, b"x")]


def closes_with_a_queue():
    """The server closes on a connection that it has not accepted."""
    port = next(ports)
    server = listening(port, by_chip=BY_CHIP)
    peer(f"[globals().update(p=tcp()), p.connect(('{OWN}', {port}))] and None")
    polled(server, wanted=1)
    server.close()
    return [peer("outcome(p.recv, 1)")]


def unlike_full_queue():
    port = next(ports)
    server = listening(port, 0, by_chip=BY_CHIP)
    peer(f"[globals().update(p=tcp()), p.connect(('{OWN}', {port}))] and None")
    polled(server, wanted=1)
    peer("globals().update(q=tcp()) or q.settimeout(0.5)")
    return [peer(f"outcome(q.connect, ('{OWN}', {port}))")]


def unlike_urgent_data():
    one = both(False)
    one.send(b"u", socket.MSG_OOB)
    return [peer("time.sleep(0.05) or outcome(p.recv, 1, socket.MSG_OOB)")]


def unlike_least_ttl():
    one = both(False)
    return [one.getsockopt(socket.IPPROTO_IP, 21)]


def unlike_first_window():
    """Segments of TCP's window, as TCP_INFO tells them."""
    one = both(False)
    return [
        struct.unpack_from("I", one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104), 80)[0]
    ]


ONE_WAY = (
    *(connects_without_blocking, is_refused, is_refused_without_blocking),
    *(connects_again_after_refusal, has_no_neighbour, is_in_use, ends_in_the_queue),
    *(closes_with_a_queue, unlike_full_queue, unlike_urgent_data, unlike_least_ttl),
    unlike_first_window,
)


def tell(name: str, call, *words) -> None:
    try:
        said = call(*words)
    except Exception as error:
        said = f"failed: {error!r}"
    print(f"{name}: {said}", flush=True)


OWN = peer.control.getsockname()[0]
for check in EITHER_WAY:
    for way in ("active", "passive"):
        tell(f"{check.__name__}/{way}", check, way == "passive")
for check in ONE_WAY:
    tell(check.__name__, check)
