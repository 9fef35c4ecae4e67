# SPDX-License-Identifier: Apache-2.0
"""OPTERON-10G's T110 with TCP offload: settings of table 1, and figures 2 to 4 over time."""

# pyright: reportUnknownMemberType=false
# (Polars' types mention numpy's, which is not installed here.)

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from longhaul.record.states import CORE_STATES
from longhaul.settings import Flag, setting, with_default
from longhaul.testbeds import modelled, opteron_paths
from longhaul.testbeds.opteron_cards import ToeSettings
from longhaul.topology import Iperf, Scenario, Workload
from longhaul.units import Size, Time

TABLE = "OPTERON-10G table 1"
FIGURES = "OPTERON-10G figures 2 to 4"
SHORT = ("duration=15200ms",)  # the model's rate is steady from 13 s on
OWN_OF = "seconds 10 to 15 of the stream (stall), and its last five round trips (full)"

SHORTEST_POINT_S = 0.1  # of a curve, where the round-trip time is shorter
STALL_S = (10, 15)  # of the stream; the paper's stall begins after some seconds and ends at 20 s
FULL_POINTS = 5
STALL_GBPS = 2.0  # the paper's stall has 1 to 2 Gb/s

Curve = pl.DataFrame


@dataclass(frozen=True, kw_only=True)
class OffloadSettings(opteron_paths.StreamSettings, ToeSettings, opteron_paths.WanSettings):
    """Settings of hosts, workload and path: the T110 runs TCP."""

    card: str = with_default(
        opteron_paths.WanSettings, "card", "t110", evidence="measured", source=TABLE
    )
    toe: bool = with_default(ToeSettings, "toe", "on", evidence="measured", source=TABLE)
    mtu: int = with_default(
        opteron_paths.WanSettings, "mtu", "1500", evidence="measured", source=TABLE
    )
    nodelay: bool = setting(
        Flag(),
        "on",
        help="Nagle's algorithm is off (iperf -N)",
        evidence="measured",
        source=f"{TABLE}: Nagle off",
        only=modelled.ON_MODELS,
    )


@dataclass(frozen=True, kw_only=True)
class FigureSettings(OffloadSettings):
    """The same of figures 2 to 4: a stream over 400 ms, from its begin."""

    rtt: Time = with_default(OffloadSettings, "rtt", "400ms", evidence="measured", source=FIGURES)
    window: Size = with_default(
        OffloadSettings, "window", "375MB", evidence="measured", source=f"{TABLE}, RTT 400 ms"
    )
    duration: Time = with_default(
        OffloadSettings, "duration", "34s", source="OPTERON-10G 2.2: the rate rises after 20 s"
    )


def across(name: str, settings: OffloadSettings, seed: int) -> Scenario:
    """Return sender, XG1200, delay box, MG8 and receiver in a line."""

    def with_nodelay(work: Workload) -> Workload:
        return replace(work, nodelay=settings.nodelay) if isinstance(work, Iperf) else work

    return opteron_paths.across(name, settings, seed, with_nodelay)


def rate_curve(settings: FigureSettings, out: Path) -> Curve:
    """Return goodput, and PAUSE frames of the sender's adapter, a point a round trip."""
    return _curve(
        settings,
        out,
        {
            "goodput_gbps": ("receiver.eth0_payload.tcp_received", 8e-9),
            "pause_per_s": ("sender.eth0.mac.tx_xoff", 1),
        },
    )


def evaluate_host(settings: FigureSettings, out: Path, host: str, csv: str) -> dict[str, float]:
    """Return a host's CPU and interrupts in the paper's stall and at the end; write its curve."""
    curve = host_curve(settings, out, host)
    if curve.is_empty():
        return {}  # no modelled hosts, or no stream
    write(curve, out / csv)
    return stretches(curve, "cpu_busy_pct", "irq_per_s")


def host_curve(settings: FigureSettings, out: Path, host: str) -> Curve:
    """Return a host's CPU by what it does, and its adapter's interrupts, a point a round trip."""
    states = {f"{state}_pct": (f"{host}.core.state:{state}", 1e-10) for state in CORE_STATES}
    curve = _curve(settings, out, {**states, "irq_per_s": (f"{host}.eth0.interrupts", 1)})
    if curve.is_empty():
        return curve  # without columns
    return curve.with_columns(cpu_busy_pct=pl.sum_horizontal(*states).clip(0, 100))


def stretches(curve: Curve, *columns: str) -> dict[str, float]:
    """Return the means of columns in the paper's stall and at the end.

    A curve that is too short for a stretch has no figure of it.
    """
    begin, end = STALL_S
    time = pl.col("time_s")
    longest: float = curve.select(time.max()).item()
    parts: dict[str, Curve] = {}
    if longest >= end:
        parts["stall"] = curve.filter((time > begin) & (time <= end))
        parts["full"] = curve.tail(FULL_POINTS)
    return {
        f"{part}_{name}": round(rows.select(pl.col(name).mean()).item(), 4)
        for part, rows in parts.items()
        for name in columns
    }


def rise_s(curve: Curve) -> float | None:
    """Return when the rate has left the paper's 1 to 2 Gb/s for the last time, None if never."""
    slow = pl.col("goodput_gbps") <= STALL_GBPS
    if curve.select(slow.last()).item():
        return None
    return curve.filter(slow).select(pl.col("time_s").max()).item() or 0.0


def _curve(settings: FigureSettings, out: Path, columns: Mapping[str, tuple[str, float]]) -> Curve:
    """Return probes times a factor, per second, from the stream's first write on."""
    parquet = out / "series.parquet"
    written = "sender.stack.written_bytes"
    probes = [probe for probe, _ in columns.values()]
    if not {written, *probes} <= set(pl.read_parquet_schema(parquet)):
        return pl.DataFrame()  # no stream of a modelled host
    series = pl.read_parquet(parquet, columns=["time_ps", written, *probes])
    begun = series.filter(pl.col(written).cum_sum() > 0)
    if begun.is_empty():
        return pl.DataFrame()
    period_s = max(settings.rtt.seconds, SHORTEST_POINT_S)
    time_s = (pl.col("time_ps") - begun["time_ps"][0]) / 1e12
    point = (time_s / period_s).floor().cast(pl.Int64).alias("point")
    sums = (
        begun.with_columns(point)
        .group_by("point", maintain_order=True)
        .agg(pl.col(probe).sum() for probe in probes)
    )
    return sums.select(
        ((pl.col("point") + 1) * period_s).round(6).alias("time_s"),
        *(
            (pl.col(probe) * factor / period_s).alias(name)
            for name, (probe, factor) in columns.items()
        ),
    ).head(-1)  # the last point is not whole


def write(curve: Curve, csv: Path) -> None:
    """Write a curve beside the run's other files."""
    curve.with_columns(pl.exclude("time_s").round(3)).write_csv(csv)
