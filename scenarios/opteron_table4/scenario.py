# SPDX-License-Identifier: Apache-2.0
"""Interrupts per second, by IP version and delay.

Question: how often does the adapter interrupt its host, and does a delay change that? With Intel's
adapter the paper printed 5236 and 3710 a second for IPv4 at RTT 0 and 400 ms, and 9169 and 16068
for IPv6. Chelsio's N110 had 15363 to 17128, the T110 16510 to 17320. The table names neither host
nor MTU: IPv4 was measured at 9198 B only, and the figures are compared with those of the receiver.
The T110's offload is off, since it has none for IPv6. Without settings it runs every row, each
once. With `ip` or `rtt` given, the adapter is Intel's, or that of `card`.
"""

from dataclasses import dataclass
from functools import partial

from longhaul.settings import with_default
from longhaul.testbeds import opteron_paths as testbed
from longhaul.testbeds.rows import Row
from longhaul.topology import Scenario
from longhaul.units import Time

QUESTION = "What limits a host?"
REPRODUCES = "OPTERON-10G table 4"
QUICK = ("duration=800ms",)  # two round trips; a stream comes in bursts of a window

# As tables 2 and 3 measured them.
_NEAR = {
    "ixgb": {"window": "10MB", "tso": "on", "warmup": "100ms"},
    "n110": {"window": "1MB", "warmup": "100ms"},
    "t110": {"window": "1MB", "warmup": "100ms"},
}
_FAR = {"window": "448MB", "tx_queue_len": "100000", "warmup": "10s"}
_FAR_OF = {"t110": {**_FAR, **testbed.T110_FAR}}

ROWS = [
    Row({"card": card, "ip": ip, "rtt": rtt}, beside)
    for card, near in _NEAR.items()
    for rtt, beside in (("0ms", near), ("400ms", _FAR_OF.get(card, _FAR)))
    for ip in ("v4", "v6")
]


@dataclass(frozen=True, kw_only=True)
class TableSettings(testbed.PaperSettings, testbed.WanSettings):
    """Settings of hosts, workload and path."""

    duration: Time = with_default(
        testbed.WanSettings, "duration", "2s", source="five round trips, thousands of interrupts"
    )


SETTINGS = TableSettings
cases = partial(testbed.rows_of_cards, SETTINGS, ROWS)


def build(settings: TableSettings, seed: int) -> Scenario:
    """Sender, XG1200, delay box, MG8 and receiver in a line."""
    return testbed.across("opteron_table4", settings, seed)
