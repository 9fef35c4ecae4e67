# SPDX-License-Identifier: Apache-2.0
"""What do jumbo frames do to rate and CPU under Windows 2000?

Question: how much of the CPU do larger frames give back, with Winsock buffers of 64 KB?
GBE-TUNING's figure 7: frames of 4088 B take 78 % of the CPU at 975 Mb/s, frames of 9014 B 61 % at
988 Mb/s. With standard frames it was at 99 % and 823 Mb/s (figure 6). Without settings it runs all
three.
"""

from functools import partial

from longhaul.testbeds import gbe as testbed
from longhaul.testbeds.rows import Row, left_open
from longhaul.topology import Scenario

QUESTION = "What limits a host?"
REPRODUCES = "GBE-TUNING figure 7"

ROWS = [Row({"frame": str(frame)}) for frame in (testbed.STANDARD_FRAME, *testbed.JUMBO_FRAMES)]

SETTINGS = testbed.NetperfSettings
cases = partial(left_open, SETTINGS, ROWS)


def build(settings: testbed.NetperfSettings, seed: int) -> Scenario:
    """Two hosts and a switch."""
    return testbed.netperf(
        "gbe_jumbo", settings, seed, sender=settings.sender, buffer=settings.buffer
    )
