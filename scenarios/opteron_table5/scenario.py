# SPDX-License-Identifier: Apache-2.0
"""Throughput per CPU load, by the sender's user buffer.

Question: how long should a sender's write() be? The paper tried 1, 2, 4 and 8 times the MSS of
jumbo frames, and found 1 best: throughput per CPU load 0.224, 0.214, 0.210, 0.185. It names neither
adapter, delay nor unit: here it is Intel's adapter without delay, and only the ratios to the first
row are compared. Without settings it runs every row, each once.
"""

from functools import partial

from longhaul.testbeds import opteron_buffers as testbed
from longhaul.testbeds.rows import left_open
from longhaul.topology import Scenario

QUESTION = "What limits a host?"
REPRODUCES = "OPTERON-10G table 5"
QUICK = ("duration=100ms",)

SETTINGS = testbed.BufferSettings
cases = partial(left_open, SETTINGS, testbed.table_rows("sender_buffer", (1, 2, 4, 8)))


def build(settings: testbed.BufferSettings, seed: int) -> Scenario:
    """Sender, two switches and receiver in a line."""
    return testbed.build("opteron_table5", settings, seed)
