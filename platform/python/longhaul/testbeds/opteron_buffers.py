# SPDX-License-Identifier: Apache-2.0
"""OPTERON-10G's tables 5 and 6: the hosts' CPU time by the size of a program's own buffers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from longhaul.settings import Quantities, setting, with_default
from longhaul.testbeds import modelled, opteron_paths
from longhaul.testbeds.rows import Row
from longhaul.topology import Scenario, Workload
from longhaul.units import Size, Time, mib

MSS = 9158  # as the paper has it: MTU 9198 less 40 bytes of IPv4 and TCP headers
BEST_WRITE = MSS  # "best: sender MSS x 1, receiver MSS x 6, at any delay" (2.3.3)
BEST_READ = 6 * MSS


@dataclass(frozen=True, kw_only=True)
class BufferSettings(opteron_paths.StreamSettings, opteron_paths.HostSettings):
    """Settings of hosts and workload, the programs' own buffers among it."""

    sender_buffer: Size = setting(
        Quantities(Size(1), mib(64), "B"),
        f"{BEST_WRITE}B",
        help="user buffer of the sender: bytes of a write()",
        evidence="measured",
        source="OPTERON-10G table 5: MSS x 1 was best",
        only=modelled.ON_MODELS,
    )
    receiver_buffer: Size = setting(
        Quantities(Size(1), mib(64), "B"),
        f"{BEST_READ}B",
        help="user buffer of the receiver: bytes of a read()",
        evidence="measured",
        source="OPTERON-10G table 6: MSS x 6 was best",
        only=modelled.ON_MODELS,
    )
    warmup: Time = with_default(
        opteron_paths.HostSettings, "warmup", "100ms", source="the stream's start is over by then"
    )
    duration: Time = with_default(
        opteron_paths.HostSettings, "duration", "500ms", source="some 40,000 segments"
    )


def table_rows(buffer: str, segments: tuple[int, ...]) -> list[Row]:
    """Return the rows of a table by the buffer that it varies, in segments."""
    return [Row({buffer: f"{n * MSS}B"}) for n in segments]


def build(name: str, settings: BufferSettings, seed: int) -> Scenario:
    """Return sender, two switches and receiver in a line."""

    def with_buffers(work: Workload) -> Workload:
        buffers = {"write": settings.sender_buffer, "read": settings.receiver_buffer}
        return replace(work, **buffers) if settings.system != modelled.GUEST else work

    return opteron_paths.face_to_face(name, settings, seed, with_buffers)
