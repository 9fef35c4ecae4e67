# SPDX-License-Identifier: Apache-2.0
"""GNET-1 and NIST Net again, with the paper's Linux 2.4.18.

Question: what round trip does ping see, and what rate does iperf get with the system's own windows,
behind a hardware box and behind a PC that delays by software? GNET-1's paper measured 2.05 ms and
244 Mb/s with 1 ms each way, where NIST Net made it 2.17 ms and 225 Mb/s; without delay, 919 and
796 Mb/s. Without settings it runs every row of that table, each once.

The adapters are Intel's, run as the SK-9843's own driver ran that one.
"""

from dataclasses import dataclass

from longhaul.settings import with_default
from longhaul.testbeds import gnet1_modelled as testbed
from longhaul.testbeds import gnet1_table1 as table
from longhaul.testbeds import linux24
from longhaul.topology import Iperf, Scenario

QUESTION = "Does a delay box do what it is set to?"
REPRODUCES = "GNET-1 table 1"

ECHOES = 3
SEGMENT = 1500 - linux24.SEGMENT_HEADERS


@dataclass(frozen=True, kw_only=True)
class TableSettings(table.TableSettings, testbed.HostSettings):
    """Settings of hosts and box."""

    system: str = with_default(
        testbed.HostSettings,
        "system",
        "linux-2.4.18",
        evidence="measured",
        source="GNET-1 table 1: Linux 2.4.18-14smp of Red Hat 8.0",
    )


SETTINGS = TableSettings
cases = table.cases


def build(settings: TableSettings, seed: int) -> Scenario:
    """Sender, box and receiver in a line; three echoes, then the stream."""
    scenario = Scenario("gnet1_table1_modelled", seed=seed)
    box = table.nistnet(settings.box, settings.delay)
    remembered = table.remembers(settings.box, settings.remembered)
    ssthresh = f"{linux24.REMEMBERED_SSTHRESH * SEGMENT}B"
    tcp = {"initial_ssthresh": ssthresh} if remembered else {}
    sender, receiver, _ = testbed.add_path(scenario, settings, box, tcp)
    scenario.run_workload(
        Iperf(
            sender=sender,
            receiver=receiver,
            duration=settings.duration,
            window=None,
            write=settings.length,
            read=settings.length,
            echoes=ECHOES,
            cpu=sender.last_processor,
        )
    )
    return scenario
