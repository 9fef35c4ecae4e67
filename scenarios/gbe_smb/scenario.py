# SPDX-License-Identifier: Apache-2.0
"""What does the TCP window leave of a file read from Windows?

Question: what does a file read by SMB gain from windows and jumbo frames that netperf gains from?
GBE-TUNING's figure 8, from a RAM disk of the Express5800/56Wg to NUL on the DL380 G2 with frames of
9014 B. The paper has 217, 468 and 504 Mb/s with windows of 4380, 8760 and 17520 B, and 511 at most.
Without settings it runs all of them.
"""

from dataclasses import dataclass
from functools import partial

from longhaul.settings import Count, Quantities, setting, with_default
from longhaul.testbeds import gbe as testbed
from longhaul.testbeds.rows import Row, left_open
from longhaul.topology import SMB_HEADERS, Scenario, Smb
from longhaul.units import Size, mib

QUESTION = "What do delay and window leave of the rate?"
REPRODUCES = "GBE-TUNING figure 8"

ROWS = [Row({"window": window}) for window in ("4380B", "8760B", "17520B", "64240B")]


@dataclass(frozen=True, kw_only=True)
class SmbSettings(testbed.HostSettings):
    """Settings of hosts and file sharing."""

    frame: int = with_default(
        testbed.HostSettings,
        "frame",
        "9014",
        evidence="measured",
        source="GBE-TUNING, figure 8",
    )
    window: Size = setting(
        Quantities(Size(536), mib(1), "B"),
        "17520B",
        help="receive window of both hosts, as TcpWindowSize in the registry sets it",
        evidence="measured",
        source="GBE-TUNING, figure 8: Windows 2000's default",
    )
    block: Size = setting(
        Quantities(Size(512), Size(61440), "KiB"),
        "60KiB",
        help="bytes of the file that one request asks for",
        evidence="datasheet",
        source="Microsoft KB 223140: 60 KB; models/host/workloads/README.md#smb",
    )
    outstanding: int = setting(
        Count(1, 64, "requests"),
        "1",
        help="requests under way at once",
        evidence="datasheet",
        source="D. Dinakar, winntfs.com: SMB 1 reads one after the other; "
        "models/host/workloads/README.md#smb",
    )


SETTINGS = SmbSettings
cases = partial(left_open, SETTINGS, ROWS)


def build(settings: SmbSettings, seed: int) -> Scenario:
    """Two hosts and a switch; the DL380 G2 reads."""
    scenario = Scenario("gbe_smb", seed=seed)
    net = testbed.registry_window(settings.window)
    reader, server = testbed.add_hosts(scenario, settings, net=net)
    scenario.run_workload(
        Smb(
            sender=server,
            receiver=reader,
            duration=settings.duration,
            warmup=settings.warmup,
            response=settings.block + SMB_HEADERS,
            outstanding=settings.outstanding,
            endless=True,
        )
    )
    return scenario
