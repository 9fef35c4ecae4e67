# SPDX-License-Identifier: Apache-2.0
"""The words of a run about accesses that no adapter claimed."""

from __future__ import annotations

from longhaul.results import unclaimed
from longhaul.results.simdata import NearestBar, Unclaimed, UnclaimedAccess

BAR = NearestBar(adapter="eth0", index=2, begin=0xF001_0000, bytes=65536)


def line(count: int = 1, **access: object) -> str:
    first = {"read": True, "io": False, "address": 0xF002_0010, "bytes": 4, "ps": 1_250_000_000}
    of = Unclaimed(
        host="own",
        count=count,
        first=UnclaimedAccess.model_validate({**first, "nearest": BAR, **access}),
    )
    (said,) = unclaimed.lines([of])
    return said


def test_an_access_beyond_a_bar_tells_how_far_and_what_sets_its_size() -> None:
    assert line() == (
        "own: no adapter claimed one access of its software, so it gave ones. It is a read of 4 "
        "bytes at 0xf0020010, at 1.250000 ms. It lies 0x11 bytes after the last byte of BAR 2 of "
        "eth0, which has 64KiB from 0xf0010000 on (`bar` or `size` in a port map sets it)"
    )


def test_an_access_within_a_bar_tells_that_its_decoding_is_off() -> None:
    said = line(count=3, read=False, address=0xF001_0000, bytes=1)
    assert said.startswith(
        "own: no adapter claimed 3 accesses of its software, so reads gave ones and writes were "
        "lost. The first is a write of 1 byte at 0xf0010000"
    )
    assert "BAR 2 of eth0, whose adapter does not decode memory: bit 1" in said
    ports = line(io=True, address=0xF001_0004)
    assert "an I/O read" in ports
    assert "does not decode I/O ports: bit 0" in ports


def test_an_access_below_all_bars_says_so() -> None:
    assert line(nearest=None).endswith("; no BAR of an adapter lies below")
