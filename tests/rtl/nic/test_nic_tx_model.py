# SPDX-License-Identifier: Apache-2.0
"""The test benches' model of the transmit engine makes the bytes that the TLM twin makes.

Its functions are compiled for Python. So the RTL, which equals the model, equals the twin.
"""

from __future__ import annotations

import ctypes
import os
import random
import subprocess

import pytest
from harness import ROOT, in_tests
from nic_tx_model import MAX_FRAME, Context, Model, with_sum

TRIES = 20_000


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The twin's functions."""
    library = tmp_path_factory.mktemp("twin") / "twin.so"
    sources = [
        in_tests("nic_tx_twin.cc"),
        ROOT / "models/nic/blocks/tso.cc",
        ROOT / "models/net/frame/checksum.cc",
    ]
    command = [os.environ.get("CXX", "c++"), "-std=c++17", "-O1", "-shared", "-fPIC", f"-I{ROOT}"]
    subprocess.run([*command, *map(str, sources), "-o", str(library)], check=True)
    random.seed(int(os.environ.get("LONGHAUL_RTL_SEED", "1")))
    return ctypes.CDLL(str(library))


def numbers(context: Context, ip: bool = False, l4: bool = False) -> ctypes.Array[ctypes.c_uint32]:
    """Return a context as nic_tx_twin.cc takes it."""
    sizes = (context.header, context.mss, context.payload, context.ipv4, context.tcp, ip, l4)
    return (ctypes.c_uint32 * 13)(*context.ip, *context.l4, *sizes)


def random_context() -> Context:
    """Return a context about as good as it must be."""
    ipv4, tcp = random.random() < 0.5, random.random() < 0.5
    at = random.randrange(40)
    up = at + (20 if ipv4 else 40) + random.randrange(-1, 12)
    header = min(up + (20 if tcp else 8) + random.randrange(-1, 30), 255)

    def field() -> int:
        return random.choice((random.randrange(header), header - 2, at + 10, up + 6, up + 16, 255))

    def last() -> int:
        return random.choice((0, random.randrange(1 << 16), random.randrange(400), up - 1))

    mss = random.choice((0, 1, 100, random.randrange(20_000), 0xFFFF))
    return Context((at, field(), last()), (up, field(), last()), header, mss, 500, ipv4, tcp)


def apart(context: Context) -> bool:
    """Whether the IP sum is none of the bytes that TCP and UDP set; else RTL and twin differ."""
    put, up = context.ip[1], context.l4[0]
    fields = (*range(4, 8), 13) if context.tcp else (4, 5)
    return not {put, put + 1} & {up + at for at in fields}


def test_contexts_are_valid_for_both(twin: ctypes.CDLL) -> None:
    """The longest frame is the unit's limit, not the context's."""
    valid = 0
    for _ in range(TRIES):
        context = random_context()
        fits = context.header + context.mss <= MAX_FRAME
        assert context.valid() == (bool(twin.twin_is_valid(numbers(context))) and fits), context
        valid += context.valid()
    assert TRIES // 10 < valid < TRIES


def test_segments_are_the_same(twin: ctypes.CDLL) -> None:
    """Any context that can be carried out, any header, payload of a byte and up."""
    compared = 0
    for _ in range(TRIES):
        context = random_context()
        if not context.valid() or not apart(context):
            continue
        ip, l4, last = (random.random() < 0.5 for _ in range(3))
        header = random.randbytes(context.header)
        payload = random.randbytes(random.choice((1, random.randrange(1, 200))))
        index, offset = random.randrange(1 << 16), random.randrange(1 << 20)
        size = len(header) + len(payload)
        frame = ctypes.create_string_buffer(bytes(len(header)) + payload, size)
        twin.twin_segment(
            numbers(context, ip, l4), header, index, offset, len(payload), last, frame
        )
        model = Model(lambda _address, _size: (b"", True), context=context)
        assert model.segment(header, payload, index, offset, last, ip, l4) == frame.raw, context
        compared += 1
    assert compared > TRIES // 10


def test_sums_are_the_same(twin: ctypes.CDLL) -> None:
    """Any span, frames of random bytes, of zeros and of ones."""
    for _ in range(TRIES):
        size = random.randrange(14, 300)
        content = random.choice((random.randbytes(size), bytes(size), b"\xff" * size))
        last = random.choice((0, random.randrange(400), 0xFFFF))
        span = (random.randrange(256), random.randrange(256), last)
        udp = random.random() < 0.5
        frame = ctypes.create_string_buffer(content, size)
        twin.twin_checksum(frame, size, (ctypes.c_uint32 * 3)(*span), udp)
        assert with_sum(content, span, udp) == frame.raw, (span, udp)
