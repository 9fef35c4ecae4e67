# SPDX-License-Identifier: Apache-2.0
"""Bit errors and RED under TSO: why is so much sent twice?

Question: a host sends with TSO across 20 ms of round trip through a bottleneck whose queue RED
guards, on a line that flips a bit now and then. TCP sends hundreds of segments again: because of
the bursts, because of RED, or because of the errors? The box's counters say where frames were lost,
and the guests' counters what was sent again. Both run from the connection's first byte to its last
ACK, not only in the measured window. The file storm.csv has the queue, RED's average and the losses
every millisecond. docs/tutorial_retransmits.md finds the cause in waves of such a run, and has its
command.

No published figures: GNET-1's paper names RED and bit errors and shows no run with them.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from longhaul.gnet1 import control, observed
from longhaul.gnet1.registers import read
from longhaul.results.workload_reports import Reports
from longhaul.settings import Choice, Count, Quantities, Share, setting, with_default
from longhaul.testbeds import gnet1 as testbed
from longhaul.topology import Iperf, Scenario
from longhaul.units import Rate, Size, Time, ms, ps, s

QUESTION = "What does TCP do after a loss?"
REPRODUCES = ""
OWN_OF = "the whole connection"

PORT = 0  # where the data come in
PERIOD = ms(1)
QUEUE = ("BACKLOG", "RED_AVERAGE")
LOST = ("RED_DROP", "TAIL_DROP", "FLIPS", "RX_FCS_BAD")
WHY = "a storm within the first half of a second"


@dataclass(frozen=True, kw_only=True)
class StormSettings(testbed.HostSettings):
    """Settings of hosts, bottleneck, RED and errors."""

    delay: Time = with_default(testbed.HostSettings, "delay", "10ms", source=WHY)
    duration: Time = with_default(testbed.HostSettings, "duration", "500ms", source=WHY)
    congestion: str = with_default(
        testbed.HostSettings,
        "congestion",
        "reno",
        source="its slow start goes on until something is lost, unlike cubic's",
    )
    tso: bool = with_default(
        testbed.HostSettings, "tso", "on", source="the question; Linux 6.1's default"
    )
    workload: str = setting(Choice(("iperf",)), "iperf", help="TCP", source="the question")
    window: Size = with_default(
        testbed.StreamSettings,
        "window",
        "8MB",
        source="twice what path and queue hold: TCP finds its own limit",
    )
    streams: int = setting(
        Count(1, 128, "connections"), "1", help="parallel TCP connections", source="the question"
    )
    error_rate: float = setting(
        Share(0.01),
        "1e-8",
        help="chance of each bit to be flipped on the way to the receiver",
        source="some flips a second",
    )
    bottleneck: Rate = setting(
        Quantities(Rate(10**6), Rate(10**9), "Mb/s"),
        "500Mb/s",
        help="rate that the router passes on",
        source="half the line",
    )
    queue: Time = setting(
        Quantities(ps(0), s(3), "ms"),
        "20ms",
        help="the router's queue: the longest that a frame may wait; 0 is without limit",
        source="a round trip's worth",
    )
    red_min: Time = setting(
        Quantities(ps(0), s(3), "ms"),
        "2ms",
        help="average wait from which RED drops",
        source="a tenth of the queue",
    )
    red_max: Time = setting(
        Quantities(ps(0), s(3), "ms"),
        "6ms",
        help="average wait from which RED drops every frame; 0: no RED",
        source="three times the least (Floyd, Jacobson 1993, 4)",
    )
    red_probability: float = setting(
        Share(1.0),
        "2%",
        help="chance of a drop as the average comes to red_max",
        source="Floyd, Jacobson 1993, 4: 1/50",
    )
    red_weight: int = setting(
        Count(0, 15),
        "9",
        help="the average moves by 2^-n of the way at each frame",
        source="Floyd, Jacobson 1993, 4: 0.002",
    )


SETTINGS = StormSettings


def build(settings: StormSettings, seed: int) -> Scenario:
    """Sender, box and receiver in a line; the box's bottleneck is on the way of the data."""
    scenario = Scenario("gnet1_storm", seed=seed)
    here = {
        "bit_error_rate": f"{settings.error_rate!r}",
        "rate": str(settings.bottleneck),
        "queue_limit": str(settings.queue),
        "red_min": str(settings.red_min),
        "red_max": str(settings.red_max),
        "red_probability": f"{settings.red_probability!r}",
        "red_weight": settings.red_weight,
    }
    params = {f"{name}_p{PORT}": value for name, value in here.items()}
    sender, receiver, box = testbed.add_path(scenario, settings, testbed.gnet1(settings, params))
    scenario.run_workload(
        Iperf(
            sender=sender,
            receiver=receiver,
            duration=settings.duration,
            window=settings.window,
            streams=settings.streams,
            congestion=settings.congestion,
        )
    )
    names = [f"p{PORT}.{name}" for name in (*QUEUE, *LOST)]
    look = [*control.latch(), *(read(name) for name in names)]
    times = (settings.duration + _drain(settings)).ps // PERIOD.ps
    scenario.control(box, ps(0), look, times=times, every=PERIOD)
    return scenario


def _drain(settings: StormSettings) -> Time:
    """Return more than the connection may last beyond the measured time, until the guests are off.

    What is then in the sockets, which Linux makes twice as large as asked for, passes the
    bottleneck, half of it in vain.
    """
    bits = settings.window.bytes * settings.streams * 2 * 8
    return s(10) + ps(2 * bits * 10**12 // settings.bottleneck.count)


def evaluate(settings: StormSettings, raw: Path, out: Path) -> dict[str, Any]:
    """Return what was lost and where, beside what TCP made of it; storm.csv has it over time.

    All figures are of the whole connection, the only one of the run. The guests' counters begin at
    their start, and so do the box's, which is read until the guests are off.
    """
    log = observed.read_log(raw / "control.csv", "gnet1")
    table = observed.series(log, PORT, (*QUEUE, *LOST))
    table.write_csv(out / "storm.csv")
    if not table.height:
        return {}
    total = {name: table[name][-1] for name in LOST}
    reports = Reports(out / "guests")
    sender, receiver = reports.counters("sender"), reports.counters("receiver")
    lost = total["RED_DROP"] + total["TAIL_DROP"] + receiver.get("rx_crc_errors", 0)
    again = sender.get("TcpRetransSegs", 0)
    return {
        "red_drops": total["RED_DROP"],
        "red_drops_in_short_queue": _in_short_queue(table, settings.red_min),
        "queue_drops": total["TAIL_DROP"],
        "bits_flipped": total["FLIPS"],
        "came_with_bad_fcs": total["RX_FCS_BAD"],
        "left_with_bad_fcs": receiver.get("rx_crc_errors", 0),
        "sent_again": again,
        "sent_again_per_lost": round(again / lost, 3) if lost else None,
        "lost_again": sender.get("TcpExtTCPLostRetransmit", 0),
        "timeouts": sender.get("TcpExtTCPTimeouts", 0),
    }


def _in_short_queue(table: pl.DataFrame, red_min: Time) -> int:
    """Return how many frames RED dropped in milliseconds in which it had no queue to speak of.

    Then its average, by which it goes, was far behind the queue.
    """
    short = table["BACKLOG"] < red_min.seconds
    drops = table["RED_DROP"].diff()
    return int(drops.filter(short & short.shift(1, fill_value=False)).sum())
