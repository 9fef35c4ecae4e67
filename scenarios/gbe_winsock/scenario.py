# SPDX-License-Identifier: Apache-2.0
"""What do Winsock's buffers do to the rate under Windows 2000?

Question: what does netperf gain from larger socket buffers (-s, -S), which are also its calls'
length? GBE-TUNING's figure 6 has 630 Mb/s with the default of 8 KB, and 657, 752 and 823 with 16,
32 and 64 KB. From 256 KB on it is no more than with the default, the CPU at 99 %. Without settings
it runs every one of them.
"""

from dataclasses import dataclass
from functools import partial

from longhaul.settings import with_default
from longhaul.testbeds import gbe as testbed
from longhaul.testbeds.rows import Row, left_open
from longhaul.topology import Scenario
from longhaul.units import Size

QUESTION = "What limits a host?"
REPRODUCES = "GBE-TUNING figure 6"

DEFAULT = Size(8192)
ROWS = [Row({"buffer": buffer}) for buffer in ("8KiB", "16KiB", "32KiB", "64KiB", "256KiB")]


@dataclass(frozen=True, kw_only=True)
class WinsockSettings(testbed.NetperfSettings):
    """Settings of hosts and netperf."""

    buffer: Size = with_default(
        testbed.NetperfSettings,
        "buffer",
        "8KiB",
        help="SO_SNDBUF and SO_RCVBUF that netperf asks for at both ends; 8 KiB: nothing",
        evidence="measured",
        source="GBE-TUNING, figure 6: Winsock's default, 8192 B",
    )


SETTINGS = WinsockSettings
cases = partial(left_open, SETTINGS, ROWS)


def build(settings: WinsockSettings, seed: int) -> Scenario:
    """Two hosts and a switch."""
    buffer = None if settings.buffer == DEFAULT else settings.buffer
    return testbed.netperf("gbe_winsock", settings, seed, sender=settings.sender, buffer=buffer)
