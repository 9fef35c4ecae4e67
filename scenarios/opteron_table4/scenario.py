# SPDX-License-Identifier: Apache-2.0
"""Interrupts per second, by IP version and delay.

Question: how often does the adapter interrupt its host, and does a delay change that? The paper
printed 5236 and 3710 a second for IPv4 at RTT 0 and 400 ms, 9169 and 16068 for IPv6. It names
neither host nor MTU: IPv4 was measured at 9198 B only, and the figures are compared with those of
the receiver. Without settings it runs every row, each once.
"""

from dataclasses import dataclass
from functools import partial

from longhaul.settings import with_default
from longhaul.testbeds import opteron_paths as testbed
from longhaul.testbeds.rows import Row, left_open
from longhaul.topology import Scenario
from longhaul.units import Time

QUESTION = "What limits a host?"
REPRODUCES = "OPTERON-10G table 4, IXGB"
QUICK = ("duration=200ms",)

# As tables 2 and 3 measured them.
_NEAR = {"rtt": "0ms"}
_FAR = {"rtt": "400ms"}
_BESIDE_NEAR = {"window": "10MB", "tso": "on", "warmup": "100ms"}
_BESIDE_FAR = {"window": "448MB", "tx_queue_len": "100000", "warmup": "10s"}

ROWS = [
    Row({"ip": ip} | at, beside)
    for at, beside in ((_NEAR, _BESIDE_NEAR), (_FAR, _BESIDE_FAR))
    for ip in ("v4", "v6")
]


@dataclass(frozen=True, kw_only=True)
class TableSettings(testbed.PaperSettings, testbed.WanSettings):
    """Settings of hosts, workload and path."""

    duration: Time = with_default(
        testbed.WanSettings, "duration", "1s", source="some thousand interrupts"
    )


SETTINGS = TableSettings
cases = partial(left_open, SETTINGS, ROWS)


def build(settings: TableSettings, seed: int) -> Scenario:
    """Sender, XG1200, delay box, MG8 and receiver in a line."""
    return testbed.across("opteron_table4", settings, seed)
