# SPDX-License-Identifier: Apache-2.0
"""Windows 2000 on Gigabit Ethernet: what jumbo frames do to rate and CPU.

Question: how much of the CPU do larger frames give back, with Winsock buffers of 64 KB?
GBE-TUNING's figure 7: frames of 4088 B take 78 % of the CPU at 975 Mb/s, frames of 9014 B 61 % at
988 Mb/s; with standard frames it was at 99 % and 823 Mb/s (figure 6). Without settings it runs all
three.
"""

from dataclasses import dataclass
from functools import partial

from longhaul.benches import gbe as bench
from longhaul.benches.rows import Row, left_open
from longhaul.settings import Choice, Quantities, setting
from longhaul.topology import NetperfStream, Scenario
from longhaul.units import Size, mib

REPRODUCES = "GBE-TUNING figure 7"

ROWS = [Row({"frame": str(frame)}) for frame in (bench.STANDARD_FRAME, *bench.JUMBO_FRAMES)]


@dataclass(frozen=True, kw_only=True)
class JumboSettings(bench.HostSettings):
    """What can be set on hosts and netperf."""

    buffer: Size = setting(
        Quantities(Size(1024), mib(4), "KiB"),
        "64KiB",
        help="SO_SNDBUF and SO_RCVBUF that netperf asks for at both ends",
        source="GBE-TUNING, figure 6: the best one; figure 7's is not printed",
    )
    sender: str = setting(
        Choice(bench.HOSTS),
        bench.SENDER,
        help="which host sends",
        source=bench.SENDER_SOURCE,
    )


SETTINGS = JumboSettings
cases = partial(left_open, SETTINGS, ROWS)


def build(settings: JumboSettings, seed: int) -> Scenario:
    """Two hosts and a switch."""
    scenario = Scenario("gbe_jumbo", seed=seed)
    sender, receiver = bench.ordered(bench.add_hosts(scenario, settings), settings.sender)
    scenario.run_workload(
        NetperfStream(
            sender=sender,
            receiver=receiver,
            duration=settings.duration,
            warmup=settings.warmup,
            window=settings.buffer,
        )
    )
    return scenario
