# SPDX-License-Identifier: Apache-2.0
"""Throughput per CPU load, by the receiver's user buffer.

Question: how long should a receiver's read() be? The paper tried 4, 6, 8 and 16 times the MSS of
jumbo frames, and found 6 best: throughput per CPU load 0.183, 0.204, 0.160, 0.192. It names neither
adapter, delay nor unit: here it is Intel's adapter without delay, and only the ratios to the second
row are compared. Without settings it runs every row, each once.
"""

from functools import partial

from longhaul.testbeds import opteron_buffers as testbed
from longhaul.testbeds.rows import left_open
from longhaul.topology import Scenario

QUESTION = "What limits a host?"
REPRODUCES = "OPTERON-10G table 6"
QUICK = ("duration=100ms",)

SETTINGS = testbed.BufferSettings
cases = partial(left_open, SETTINGS, testbed.table_rows("receiver_buffer", (4, 6, 8, 16)))


def build(settings: testbed.BufferSettings, seed: int) -> Scenario:
    """Sender, two switches and receiver in a line."""
    return testbed.build("opteron_table6", settings, seed)
