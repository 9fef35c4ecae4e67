# SPDX-License-Identifier: Apache-2.0
"""TCP goodput at RTT 400 ms, by IP version and MTU.

Question: what is left of the speed across 400 ms, with 896 MB of socket memory? The paper measured
5.98 Gb/s (IPv4) and 6.30 Gb/s (IPv6) with jumbo frames and 1.98 Gb/s with standard ones. That was
Intel's adapter; Chelsio's N110 had 7.08, 6.60 and 1.80 Gb/s. The T110, with its offload off
and 960 MB, had 7.20, 7.07 and 1.80 Gb/s. Without settings it runs every row, each once. With `ip`
or `mtu` given, the adapter is Intel's, or that of `card`.
"""

from dataclasses import dataclass
from functools import partial

from longhaul.settings import with_default
from longhaul.testbeds import opteron_paths as testbed
from longhaul.topology import Scenario
from longhaul.units import Time

QUESTION = "What do delay and window leave of the rate?"
REPRODUCES = "OPTERON-10G table 3"
QUICK = ("duration=2s",)  # five round trips; a stream comes in bursts of a window


@dataclass(frozen=True, kw_only=True)
class TableSettings(testbed.PaperSettings, testbed.FarSettings):
    """Settings of hosts, workload and path."""

    rtt: Time = with_default(
        testbed.WanSettings,
        "rtt",
        "400ms",
        evidence="measured",
        source="OPTERON-10G table 3",
    )
    tx_queue_len: int = with_default(
        testbed.WanSettings,
        "tx_queue_len",
        "100000",
        evidence="assumed",
        source="OPTERON-10G 2.3.3: slow start fills the window in 5 s; with 1000 it ends at 1700 "
        "segments, when the queue is full for the first time",
    )
    warmup: Time = with_default(
        testbed.WanSettings,
        "warmup",
        "10s",
        evidence="measured",
        source="OPTERON-10G 2.3.3: slow start fills the window in the first 5 s",
    )
    duration: Time = with_default(
        testbed.WanSettings, "duration", "5s", source="twelve round trips of a full path"
    )


SETTINGS = TableSettings
ROWS = testbed.table_rows({"t110": testbed.T110_FAR})
cases = partial(testbed.rows_of_cards, SETTINGS, ROWS)


def build(settings: TableSettings, seed: int) -> Scenario:
    """Sender, XG1200, delay box, MG8 and receiver in a line."""
    return testbed.across("opteron_table3", settings, seed)
