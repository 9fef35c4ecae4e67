# SPDX-License-Identifier: Apache-2.0
"""Do GNET-1 and NIST Net delay what they are set to?

Question: what round trip does ping see behind a hardware box, and behind a PC that delays by
software? What rate does iperf get with a window of 64 KiB? GNET-1's paper measured 2.05 ms and
244 Mb/s with 1 ms each way. With NIST Net it measured 2.17 ms and 225 Mb/s. Without delay the rates
were 919 and 796 Mb/s. Without settings every row of that table runs, each once.

Streams run on Intel's adapters, which the paper had for its other figures. Echoes without delay run
on the SK-9843, which it had for this one (docs/gnet1_table1.md says why).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from longhaul.settings import (
    Choice,
    Quantities,
    as_in,
    setting,
    settings_of,
    with_default,
)
from longhaul.testbeds import gnet1 as testbed
from longhaul.testbeds import gnet1_table1 as table
from longhaul.testbeds import linux24
from longhaul.testbeds.rows import not_given
from longhaul.topology import Iperf, Ping, Scenario
from longhaul.units import Size

QUESTION = "Does a delay box do what it is set to?"
REPRODUCES = "GNET-1 table 1"


@dataclass(frozen=True, kw_only=True)
class TableSettings(table.ColumnSettings, testbed.HostSettings):
    """Settings of hosts, box and workload."""

    workload: str = setting(
        Choice(("iperf", "ping")),
        "iperf",
        help="iperf after three echoes, or echoes alone",
        source="GNET-1 section 3: ping and Iperf",
    )
    congestion: str = with_default(
        testbed.HostSettings,
        "congestion",
        "highspeed",
        evidence="datasheet",
        source="of Linux 6.1's, below 38 segments, the Reno of Linux 2.4, which counts ACKs "
        "(docs/gnet1_table1.md)",
    )
    interrupt_rate: str | int = with_default(
        testbed.HostSettings,
        "interrupt_rate",
        "off",
        evidence="datasheet",
        source="Linux 2.4 drivers/net/sk98lin/skge.c: the SK-9843 of this table raises an "
        "interrupt for each frame that comes in",
    )
    cpu_ghz: float = with_default(
        testbed.HostSettings,
        "cpu_ghz",
        "4.8",
        evidence="assumed",
        source=f"{testbed.PAPER} tables 1 and 2: two processors of 2.4 GHz. The guests' kernel "
        "knows one, which has the cycles of both here (docs/gnet1_table1.md)",
    )
    remembered: str = as_in(table.TableSettings, "remembered")
    length: Size = as_in(table.TableSettings, "length")
    rcvbuf: Size = setting(
        Quantities(Size(4096), Size(2**30), "KiB"),
        f"{linux24.RMEM[1]}B",
        help="receive buffer of a socket that asks for none; three quarters of it are window",
        evidence="datasheet",
        source="Linux 2.4 ip-sysctl.txt: default of tcp_rmem",
        only=testbed.OF_TCP,
    )


SETTINGS = TableSettings

# Hosts add some microseconds to a delay. Without a delay these microseconds are the whole echo, and
# only one processor at a time works on it. So it is a row of its own, with the table's adapters and
# hosts of one processor's clock. Ten echoes.
ECHOES = ("workload=ping", "cpu_ghz=2.4", f"adapter={testbed.SYSKONNECT}", "duration=500ms")


def cases(given: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the rows of table 1 that the settings given leave open, echoes without delay apart."""
    rows = table.cases(given)
    streams = [row for row in rows if "delay=0s" in row]
    echoes = [
        (*(text for text in row if not text.startswith("duration=")), *not_given(given, ECHOES))
        for row in streams
    ]
    if given.get("workload") == "ping":
        return [row for row in rows if row not in streams] + echoes
    known = settings_of(TableSettings)
    of_streams = any("workload" in known[name].only for name in given if name in known)
    one = "box" in given and "delay" in given
    return rows if one or of_streams or "workload" in given else rows + echoes


def build(settings: TableSettings, seed: int) -> Scenario:
    """Sender, box and receiver in a line."""
    scenario = Scenario("gnet1_table1", seed=seed)
    box = table.nistnet(settings.box, settings.delay)
    sender, receiver, _ = testbed.add_path(scenario, settings, box)
    if settings.workload == "ping":
        scenario.run_workload(Ping(sender=sender, receiver=receiver, duration=settings.duration))
        return scenario
    remembered = table.remembers(settings.box, settings.remembered)
    scenario.run_workload(
        Iperf(
            sender=sender,
            receiver=receiver,
            duration=settings.duration,
            window=None,
            write=settings.length,
            read=settings.length,
            congestion=settings.congestion,
            adv_win_scale=linux24.ADV_WIN_SCALE,
            kernel=linux24.default_sockets(settings.rcvbuf, remembered=remembered),
        )
    )
    return scenario
