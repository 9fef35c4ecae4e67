# SPDX-License-Identifier: Apache-2.0
"""GNET-1 against NIST Net: does a box delay what it is set to, and what does TCP make of it?

Question: what round trip does ping see, and what rate does iperf get with a window of 64 KiB,
behind a hardware box and behind a PC that delays by software? GNET-1's paper measured 2.05 ms and
244 Mb/s with 1 ms each way, where NIST Net made it 2.17 ms and 225 Mb/s; without delay, 919 and
796 Mb/s. Without settings it runs every row of that table, each once.

The adapters are Intel's, which the paper had for its other figures.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from longhaul.benches import gnet1 as bench
from longhaul.benches import linux24
from longhaul.settings import Choice, Quantities, setting, with_default
from longhaul.topology import Iperf, Nistnet, Ping, Scenario
from longhaul.units import Size

REPRODUCES = "GNET-1 table 1"

DELAYS = ("0s", "1ms", "2ms", "5ms", "10ms", "20ms", "50ms", "100ms")
# A second is 250 round trips or more; ten of them say the same.
SHORT = {delay: "1s" for delay in DELAYS[:3]}


@dataclass(frozen=True, kw_only=True)
class TableSettings(bench.HostSettings):
    """What can be set on hosts, box and workload."""

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
    workload: str = setting(
        Choice(("iperf", "ping")),
        "iperf",
        help="iperf after three echoes, or echoes alone",
        source="GNET-1 section 3: ping and Iperf",
    )
    congestion: str = with_default(
        bench.HostSettings,
        "congestion",
        "highspeed",
        evidence="datasheet",
        source="of Linux 6.1's, below 38 segments, the Reno of Linux 2.4, which counts ACKs "
        "(docs/gnet1_table1.md)",
    )
    interrupt_rate: str | int = with_default(
        bench.HostSettings,
        "interrupt_rate",
        "off",
        evidence="datasheet",
        source="Linux 2.4 drivers/net/sk98lin/skge.c: the SK-9843 of this table raises an "
        "interrupt for each frame that comes in",
    )
    remembered: str = setting(
        Choice(("auto", "on", "off")),
        "auto",
        help=f"begin with a slow start threshold of {linux24.REMEMBERED_SSTHRESH} segments, as "
        "Linux 2.4 remembers it of earlier connections; auto: with GNET-1",
        evidence="fitted",
        source="GNET-1 table 1: start-up's cost in both columns (docs/gnet1_table1.md)",
        only=bench.OF_TCP,
    )
    rcvbuf: Size = setting(
        Quantities(Size(4096), Size(2**30), "KiB"),
        f"{linux24.RMEM[1]}B",
        help="receive buffer of a socket that asks for none; three quarters of it are window",
        evidence="datasheet",
        source="Linux 2.4 ip-sysctl.txt: default of tcp_rmem",
        only=bench.OF_TCP,
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
    """Sender, box and receiver in a line."""
    scenario = Scenario("gnet1_table1", seed=seed)
    nistnet = Nistnet(name="nistnet", one_way_delay=settings.delay)
    box = nistnet if settings.box == "nistnet" else None
    sender, receiver, _ = bench.add_path(scenario, settings, box)
    if settings.workload == "ping":
        scenario.run_workload(Ping(sender=sender, receiver=receiver, duration=settings.duration))
        return scenario
    remembered = {"on": True, "off": False, "auto": settings.box == "gnet1"}
    scenario.run_workload(
        Iperf(
            sender=sender,
            receiver=receiver,
            duration=settings.duration,
            window=None,
            congestion=settings.congestion,
            adv_win_scale=linux24.ADV_WIN_SCALE,
            kernel=linux24.default_sockets(
                settings.rcvbuf, remembered=remembered[settings.remembered]
            ),
        )
    )
    return scenario
