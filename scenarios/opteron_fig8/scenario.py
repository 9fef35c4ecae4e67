# SPDX-License-Identifier: Apache-2.0
"""The program's writes against the window, at RTT 400 ms.

Question: how does a sender fill a path of 300 MB? The paper's figure shows a program that writes as
much as the socket's memory takes, and a window that slow start enlarges during the first 5 s. From
this it argues that the memory must hold 2.5 bandwidth-delay products. The run's fig8.csv has both
over time: bytes written, congestion window, bytes on the way.
"""

# pyright: reportUnknownMemberType=false
# (Polars' types mention numpy's, which is not installed here.)

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from longhaul.settings import with_default
from longhaul.testbeds import opteron_paths as testbed
from longhaul.topology import Scenario
from longhaul.units import Time

QUESTION = "What do delay and window leave of the rate?"
REPRODUCES = "OPTERON-10G figure 8"
OWN_OF = "the sender's stream, from its first segment"
FULL = 0.9  # of the largest value: what counts as full


@dataclass(frozen=True, kw_only=True)
class FigureSettings(testbed.StreamSettings, testbed.FarSettings):
    """Settings of hosts, workload and path."""

    rtt: Time = with_default(
        testbed.WanSettings, "rtt", "400ms", evidence="measured", source="OPTERON-10G figure 8"
    )
    tx_queue_len: int = with_default(
        testbed.WanSettings,
        "tx_queue_len",
        "100000",
        evidence="assumed",
        source="OPTERON-10G 2.3.3: slow start fills the window; with 1000 it ends at 1700 segments",
    )
    duration: Time = with_default(
        testbed.WanSettings,
        "duration",
        "8s",
        source="OPTERON-10G 2.3.3: slow start takes 5 s of it",
    )


SETTINGS = FigureSettings


def build(settings: FigureSettings, seed: int) -> Scenario:
    """Sender, XG1200, delay box, MG8 and receiver in a line."""
    return testbed.across("opteron_fig8", settings, seed)


def evaluate(settings: FigureSettings, raw: Path, out: Path) -> dict[str, Any]:
    """Return when slow start was over and the socket's memory full, and write fig8.csv."""
    stack = "sender.stack"
    series = pl.read_parquet(out / "series.parquet")
    if f"{stack}.cwnd" not in series.columns:
        return {}  # a real guest's TCP is in its waves
    flight = pl.col(f"{stack}.flight")
    sent = pl.col(f"{stack}.data_bytes_out").cum_sum()
    begun = series.with_columns(sent=sent).filter(pl.col("sent") > 0)
    start_ps = begun["time_ps"][0]
    curves = begun.select(
        ((pl.col("time_ps") - start_ps) / 1e12).alias("time_s"),
        (pl.col(f"{stack}.written_bytes").cum_sum() / 1e6).alias("written_mb"),
        (pl.col(f"{stack}.cwnd") / 1e6).alias("cwnd_mb"),
        (flight / 1e6).alias("on_the_way_mb"),
        # The socket's memory holds all that was written and is not acknowledged.
        ((pl.col(f"{stack}.written_bytes").cum_sum() - pl.col("sent") + flight) / 1e6).alias(
            "in_memory_mb"
        ),
    )
    curves.write_csv(out / "fig8.csv")
    return {
        "slow_start_s": _full_at(curves, "on_the_way_mb"),
        "memory_filled_s": _full_at(curves, "in_memory_mb"),
        "on_the_way_mb": curves["on_the_way_mb"].max(),
        "in_memory_mb": curves["in_memory_mb"].max(),
    }


def _full_at(curves: pl.DataFrame, name: str) -> float:
    full = curves.filter(pl.col(name) >= FULL * pl.col(name).max())
    return round(float(full["time_s"][0]), 3)
