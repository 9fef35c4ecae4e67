# SPDX-License-Identifier: Apache-2.0
"""TCP in the adapter: goodput by MTU and round-trip time.

Question: does TCP in an adapter keep its speed across 400 ms? The paper measured Chelsio's T110
with its offload, and 7.53 Gb/s without delay. At 400 ms it had 7.20 Gb/s (MTU 1500) and 7.54 Gb/s
(MTU 7832). The window was the bandwidth-delay product, and Nagle's algorithm was off. Without
settings it runs every row, each once.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from longhaul.settings import with_default
from longhaul.testbeds import opteron_offload as testbed
from longhaul.testbeds.rows import Row, left_open
from longhaul.topology import Scenario
from longhaul.units import Time

QUESTION = "What do delay and window leave of the rate?"
REPRODUCES = "OPTERON-10G table 1"
QUICK = ("duration=800ms",)  # two round trips of 400 ms

_WINDOWS = {"0ms": "1MB", "100ms": "94MB", "200ms": "190MB", "300ms": "285MB", "400ms": "375MB"}
# The window grows by half a round trip: an ACK answers two segments, and adds one. 31 round trips
# make 375 MB of one segment.
_WARMUPS = {"0ms": "600ms", "100ms": "4s", "200ms": "8s", "300ms": "12s", "400ms": "16s"}

ROWS = [
    Row({"mtu": mtu, "rtt": rtt}, {"window": window, "warmup": _WARMUPS[rtt]})
    for mtu in ("1500", "7832")
    for rtt, window in _WINDOWS.items()
]


@dataclass(frozen=True, kw_only=True)
class TableSettings(testbed.OffloadSettings):
    """Settings of hosts, workload and path."""

    rtt: Time = with_default(
        testbed.OffloadSettings, "rtt", "0ms", evidence="measured", source=testbed.TABLE
    )
    duration: Time = with_default(
        testbed.OffloadSettings, "duration", "2s", source="five round trips of a full path"
    )


SETTINGS = TableSettings


def cases(given: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the table's rows that what is given leaves open."""
    return left_open(SETTINGS, ROWS, given)


def build(settings: TableSettings, seed: int) -> Scenario:
    """Sender, XG1200, delay box, MG8 and receiver in a line."""
    return testbed.across("opteron_table1", settings, seed)
