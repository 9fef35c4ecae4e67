# SPDX-License-Identifier: Apache-2.0
"""GNET-1 against NIST Net: does a box delay what it is set to, and what does TCP make of it?

Question: what round trip does ping see, and what rate does iperf get with a window of 64 KiB,
behind a hardware box and behind a PC that delays by software? GNET-1's paper measured 2.05 ms and
244 Mb/s with 1 ms each way, where NIST Net made it 2.17 ms and 225 Mb/s; without delay, 919 and
796 Mb/s. Without settings it runs every row of that table, each once.
"""

from collections.abc import Mapping

from longhaul.benches import gnet1_table1 as bench
from longhaul.topology import Scenario

REPRODUCES = "GNET-1 table 1"
SETTINGS = bench.HostSettings

DELAYS = ("0s", "1ms", "2ms", "5ms", "10ms", "20ms", "50ms", "100ms")
# A second is 250 round trips or more; ten of them say the same.
SHORT = {delay: "1s" for delay in DELAYS[:3]}


def cases(given: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the rows of table 1 that the settings given leave open."""
    boxes = ("gnet1",) if "model" in given else ("gnet1", "nistnet")
    rows: list[tuple[str, ...]] = []
    for box in (given["box"],) if "box" in given else boxes:
        for delay in (given["delay"],) if "delay" in given else DELAYS:
            row = [f"box={box}", f"delay={delay}"]
            if delay in SHORT and "duration" not in given:
                row.append(f"duration={SHORT[delay]}")
            rows.append(tuple(row))
    return rows


def build(settings: bench.HostSettings, seed: int) -> Scenario:
    """Sender, box and receiver in a line."""
    scenario = Scenario("gnet1_table1", seed=seed)
    sender, receiver = bench.add_hosts(scenario, settings)
    box, near, far = bench.add_box(scenario, settings)
    scenario.link(sender.port("eth0"), box.port(near), name="sender_link", phy="1000base-x")
    scenario.link(box.port(far), receiver.port("eth0"), name="receiver_link", phy="1000base-x")
    scenario.run_workload(bench.workload(settings, sender, receiver))
    return scenario
