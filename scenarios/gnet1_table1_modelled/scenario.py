# SPDX-License-Identifier: Apache-2.0
"""GNET-1 against NIST Net with the paper's own Linux 2.4.18 as a model.

Question: what round trip does ping see, and what rate does iperf get with the system's own windows,
behind a hardware box and behind a PC that delays by software? GNET-1's paper measured 2.05 ms and
244 Mb/s with 1 ms each way, where NIST Net made it 2.17 ms and 225 Mb/s; without delay, 919 and
796 Mb/s. Without settings it runs every row of that table, each once.

The adapters are Intel's, run as the SK-9843's own driver ran that one.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from longhaul.benches import gnet1_modelled as bench
from longhaul.benches import linux24
from longhaul.settings import Choice, setting, with_default
from longhaul.topology import Iperf, Nistnet, Scenario

REPRODUCES = "GNET-1 table 1"

DELAYS = ("0s", "1ms", "2ms", "5ms", "10ms", "20ms", "50ms", "100ms")
# A second is 250 round trips or more; ten of them say the same.
SHORT = {delay: "1s" for delay in DELAYS[:3]}
ECHOES = 3
SEGMENT = 1500 - linux24.SEGMENT_HEADERS


@dataclass(frozen=True, kw_only=True)
class TableSettings(bench.HostSettings):
    """What can be set on hosts and box."""

    system: str = with_default(
        bench.HostSettings,
        "system",
        "linux-2.4.18",
        evidence="measured",
        source="GNET-1 table 1: Linux 2.4.18-14smp of Red Hat 8.0",
    )
    box: str = setting(
        Choice(("gnet1", "nistnet")),
        "gnet1",
        help="what delays: the FPGA box, or a PC with NIST Net",
        source="GNET-1 table 1 has both",
    )
    model: str = with_default(
        bench.HostSettings,
        "model",
        "tlm",
        source="the twin test holds them equal; the RTL takes longer",
        only={"box": ("gnet1",)},
    )
    remembered: str = setting(
        Choice(("auto", "on", "off")),
        "auto",
        help=f"begin with a slow start threshold of {linux24.REMEMBERED_SSTHRESH} segments, as "
        "Linux 2.4 remembers it of earlier connections; auto: with GNET-1",
        evidence="fitted",
        source="GNET-1 table 1: start-up's cost in both columns (docs/gnet1_table1.md)",
    )


SETTINGS = TableSettings


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


def build(settings: TableSettings, seed: int) -> Scenario:
    """Sender, box and receiver in a line; three echoes, then the stream."""
    scenario = Scenario("gnet1_table1_modelled", seed=seed)
    nistnet = Nistnet(name="nistnet", one_way_delay=settings.delay)
    box = nistnet if settings.box == "nistnet" else None
    remembered = {"on": True, "off": False, "auto": settings.box == "gnet1"}
    ssthresh = f"{linux24.REMEMBERED_SSTHRESH * SEGMENT}B"
    tcp = {"initial_ssthresh": ssthresh} if remembered[settings.remembered] else {}
    sender, receiver, _ = bench.add_path(scenario, settings, box, tcp)
    scenario.run_workload(
        Iperf(
            sender=sender,
            receiver=receiver,
            duration=settings.duration,
            window=None,
            echoes=ECHOES,
            cpu=settings.processors - 1,
        )
    )
    return scenario
