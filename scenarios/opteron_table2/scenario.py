# SPDX-License-Identifier: Apache-2.0
"""TCP goodput without delay, by IP version and MTU.

Question: how fast is one stream between two Opteron PCs under their own Linux 2.6.6? The paper
measured 6.05 Gb/s (IPv4, jumbo frames), 6.35 Gb/s (IPv6) and 3.23 Gb/s (IPv6, standard frames) with
Intel's adapter, and 7.26, 7.23 and 3.28 Gb/s with Chelsio's N110. The T110, with its
offload off, had 7.24, 7.14 and 3.16 Gb/s. Without settings it runs every row, each once. With `ip`
or `mtu` given, the adapter is Intel's, or that of `card`.
"""

from dataclasses import dataclass
from functools import partial

from longhaul.settings import with_default
from longhaul.testbeds import opteron_paths as testbed
from longhaul.topology import Scenario
from longhaul.units import Time

QUESTION = "What limits a host?"
REPRODUCES = "OPTERON-10G table 2"
QUICK = ("duration=200ms",)


@dataclass(frozen=True, kw_only=True)
class TableSettings(testbed.PaperSettings, testbed.HostSettings):
    """Settings of hosts and workload."""

    warmup: Time = with_default(
        testbed.HostSettings, "warmup", "100ms", source="the stream's start is over by then"
    )


SETTINGS = TableSettings
ROWS = testbed.table_rows({"n110": {"window": "1MB"}, "t110": {"window": "1MB"}})
cases = partial(testbed.rows_of_cards, SETTINGS, ROWS)


def build(settings: TableSettings, seed: int) -> Scenario:
    """Sender, two switches and receiver in a line."""
    return testbed.face_to_face("opteron_table2", settings, seed)
