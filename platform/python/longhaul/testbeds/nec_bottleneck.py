# SPDX-License-Identifier: Apache-2.0
"""NEC-TOE's testbed with an emulator that limits the rate, and its TCP over time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from longhaul import json_file
from longhaul.boxes.delay_box import DelayBox
from longhaul.settings import Quantities, setting, with_default
from longhaul.testbeds import nec
from longhaul.topology import Scenario
from longhaul.units import Rate, Size, Time, mib, ms, ps

# Probes of the sender's connection: those of the adapter's first one, and of the program's socket.
ENGINE_TCP = "toe.eth0.path.toe.tcb0"
HOST_TCP = "toe.iperf_client_0_tcp"
WINDOWS = ("cwnd", "ssthresh")
LOST = "emulator.west_to_east.rate_dropped"
RESENT = "toe.eth0_payload.tcp_retransmits"
SENT = "toe.eth0.mac.tx_frames"
ARRIVED = "freebsd1.eth0_payload.tcp_received"


@dataclass(frozen=True, kw_only=True)
class BottleneckSettings(nec.HostSettings):
    """Settings of hosts, traffic and emulator."""

    rate: Rate = setting(
        Quantities(Rate(1_000_000), Rate(1_000_000_000), "Mb/s"),
        "100Mb/s",
        help="rate of the emulator, in octets of frames",
        source="NEC-TOE varies it; the slides print no values",
    )
    delay: Time = setting(
        Quantities(ps(0), ms(800), "ms"),
        "5ms",
        help="delay of each way",
        evidence="measured",
        source="NEC-TOE: the emulator adds 10 ms, taken as of a round trip",
    )
    queue: Size = setting(
        Quantities(Size(2000), mib(64), "KiB"),
        "30KiB",
        help="what may wait in the emulator for its rate, each way",
        evidence="assumed",
        source="20 frames; the slides have losses, so it is below a window of 64 KB",
    )
    connections: int = with_default(
        nec.HostSettings,
        "connections",
        "1",
        source="the slides judge the rate of a single connection",
    )
    duration: Time = with_default(
        nec.HostSettings, "duration", "4s", source="hundreds of round trips of 10 ms and more"
    )
    warmup: Time = with_default(
        nec.HostSettings, "warmup", "2s", source="slow start has met the queue by then"
    )


def across(name: str, settings: BottleneckSettings, seed: int) -> Scenario:
    """Return the host with the engine behind the emulator, and the measuring hosts at a switch."""
    scenario = Scenario(name, seed=seed)
    box = DelayBox(
        name="emulator",
        one_way_delay=settings.delay,
        params={
            name: str(value)
            for side in ("west", "east")
            for name, value in (
                (f"rate_{side}", settings.rate),
                (f"rate_queue_{side}", settings.queue),
            )
        },
    )
    measured, far = nec.add_hosts(scenario, settings, box)
    nec.run_streams(scenario, settings, measured, far, sends=True)
    return scenario


def round_trip_ps(settings: BottleneckSettings) -> int:
    """Return the time of a round trip while the emulator's queue is full."""
    return 2 * settings.delay.ps + settings.queue.bytes * 8 * 10**12 // settings.rate.count


def curve(settings: BottleneckSettings, raw: Path, out: Path) -> pl.DataFrame:
    """Return the sender's TCP in the measured window, a row for each round trip.

    `cwnd_end` and `ssthresh_end` are of its end, `cwnd_least` is the smallest. The other columns
    are sums. Windows are those of the TCP that runs the connection; the other one's are 0.
    """
    tcps = {"engine": ENGINE_TCP, "host": HOST_TCP} if settings.toe else {"host": HOST_TCP}
    gauges = {f"{of}_{name}": f"{tcp}.{name}" for of, tcp in tcps.items() for name in WINDOWS}
    counters = {"lost": LOST, "resent": RESENT, "sent": SENT, "arrived": ARRIVED}
    names = gauges | counters
    window = json_file.read(raw / "sim.json")["window"]
    begin = window["begin_ps"]
    series = pl.read_parquet(out / "series.parquet", columns=["time_ps", *names.values()])
    inside = series.rename({probe: name for name, probe in names.items()}).filter(
        (pl.col("time_ps") > begin) & (pl.col("time_ps") <= window["end_ps"])
    )
    windows = (pl.max_horizontal(*(f"{of}_{name}" for of in tcps)).alias(name) for name in WINDOWS)
    inside = inside.with_columns(*windows)
    trip = (pl.col("time_ps") - begin - 1) // round_trip_ps(settings)
    return (
        inside.group_by(trip.alias("round_trip"))
        .agg(
            pl.col("time_ps").last(),
            pl.col("cwnd").last().alias("cwnd_end"),
            pl.col("cwnd").min().alias("cwnd_least"),
            pl.col("ssthresh").last().alias("ssthresh_end"),
            *(pl.col(name).sum() for name in counters),
        )
        .sort("round_trip")
    )


def reactions(table: pl.DataFrame) -> Mapping[str, float | int | None]:
    """Return what the window does after losses.

    A loss counts once in a round trip: one or more segments are sent again. The window is cut if it
    was smaller in that round trip, or in the next one, than at the end of the one before.
    """
    before = table["cwnd_end"].shift(1)
    least = pl.DataFrame({"now": table["cwnd_least"], "next": table["cwnd_least"].shift(-1)})
    lower = least.min_horizontal() < before
    judged = table.with_columns(cut=lower).filter(
        (pl.col("resent") > 0) & pl.col("cut").is_not_null()
    )
    losses, cuts = judged.height, int(judged["cut"].sum())
    again, sent = int(table["resent"].sum()), int(table["sent"].sum())
    new = sent - again
    return {
        "losses": losses,
        "window_not_cut": losses - cuts,
        "window_not_cut_pct": round(100 * (losses - cuts) / losses, 2) if losses else None,
        "sent_each": round(sent / new, 3) if new else None,
        "cwnd_most_kib": round(max(table["cwnd_end"].to_list(), default=0) / 1024, 2),
        "cwnd_least_kib": round(min(table["cwnd_least"].to_list(), default=0) / 1024, 2),
    }
