# SPDX-License-Identifier: Apache-2.0
"""Lines about the packets that a run followed: how many, and which it could not follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from longhaul.packets.names import NAME

Counts = Mapping[str, Mapping[str, int] | None]  # by adapter; None: its rings are not known

_UNKNOWN = (
    "its descriptor rings are not known, so its packets are followed on links only "
    "(own RTL: the table [rings] of its port map)"
)
_FAULTS = {
    "transmit_faults": "frames that left are not as the packet in memory, or have a wrong sum",
    "receive_faults": "packets in memory are not as the frame that came",
}
_COUNTS = {
    "transmitted": "frames left, each with its packet in memory",
    "frames_without_packet": "frames left without a packet in memory",
    "packets_without_frame": "packets in memory left no frame",
    "received": "packets came to memory, each with its frame",
    "packets_without_arrival": "packets in memory came without a frame",
    "arrivals_without_packet": "frames came that the adapter did not put into memory",
}


def warnings(adapters: Counts, left_out: int, from_ps: int) -> Iterator[str]:
    """Yield what a user has to know: faults, adapters without rings, a full file."""
    for name, counts in adapters.items():
        if counts is None:
            yield f"{name}: {_UNKNOWN}"
            continue
        yield from _lines(name, counts, _FAULTS)
    if left_out:
        yield (
            f"{NAME} is full: {left_out} stages from {from_ps / 1e9:.6f} ms of simulated time on "
            "are left out"
        )


def counted(adapters: Counts) -> Iterator[str]:
    """Yield how many packets and frames of each adapter belong together, and how many do not."""
    for name, counts in adapters.items():
        yield from _lines(name, counts or {}, _COUNTS)


def _lines(name: str, counts: Mapping[str, int], words: Mapping[str, str]) -> Iterator[str]:
    for key, text in words.items():
        if counts.get(key):
            yield f"{name}: {counts[key]} {text}"
