# SPDX-License-Identifier: Apache-2.0
"""Uses of the box in GNET-1's paper: discards in a stream, counters, sampler."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from longhaul.errors import UsageError
from longhaul.gnet1 import control, observed
from longhaul.gnet1.registers import read
from longhaul.settings import Quantities, setting
from longhaul.topology import Box, Scenario
from longhaul.units import Time, ms, ps, s, us

PORT, ACK_PORT = 0, 1  # where the data come in, and their acknowledgements
BACK_MB_PER_S = 120.0  # GNET-1 section 4.2: "above 120 MB/s", headers included
AS_BEFORE = 0.97  # of the rate before the loss is that rate again: as near as a figure shows
RATE_PERIOD, SAMPLE_PERIOD = ms(100), us(20)
LEAD = ms(5)  # the sampler starts so long before the loss
SAMPLES = 16384  # its memory (rtl/gnet1/README.md, SampleDepthLog2)
# A frame of 1526 bytes takes 12.3 us with its gap, so at full rate no sample is without one.
GAP_SAMPLES = 2


@dataclass(frozen=True, kw_only=True)
class WatchSettings:
    """When the box discards a frame."""

    discard_at: Time = setting(
        Quantities(LEAD, s(60), "s"),
        "300ms",
        help="from the begin of the measured window to the frame that is discarded",
        source="the rate before it is seen for three tenths of a second",
    )


def watch(scenario: Scenario, box: Box, duration: Time, discard_at: Time | None) -> None:
    """Have the box count every 0.1 s, and sample for 0.33 s around the discard of one frame.

    Without a discard it samples from the begin of the window on.
    """
    if discard_at is not None and discard_at.ps >= duration.ps:
        raise UsageError(f"discard_at={discard_at}: wants less than duration={duration}")
    rate = [*control.latch(), read(f"p{PORT}.BYTES")]
    rate += [read(f"p{port}.RX_FRAMES") for port in (PORT, ACK_PORT)]
    times = max(1, duration.ps // RATE_PERIOD.ps)
    scenario.control(box, ps(0), rate, times=times, every=RATE_PERIOD)
    start = ps(0) if discard_at is None else ps(discard_at.ps - LEAD.ps)
    scenario.control(box, start, control.start_sampling(PORT, SAMPLE_PERIOD))
    if discard_at is not None:
        scenario.control(box, discard_at, control.discard(PORT))
    end = ps(start.ps + SAMPLE_PERIOD.ps * SAMPLES + ms(1).ps)
    if end.ps < duration.ps:
        scenario.control(box, end, control.read_samples(0, SAMPLES))


def evaluate(_: object, raw: Path, out: Path) -> dict[str, Any]:
    """Return what the box saw; its rates and samples become rate.csv and samples.csv of the run."""
    log = observed.read_log(raw / "control.csv", "gnet1")
    rate = observed.rates(log, PORT)
    rate.write_csv(out / "rate.csv")
    lost_at = observed.written_s(log, f"p{PORT}.DISCARD_CTRL")
    found: dict[str, Any] = {"frames_per_ack": _frames_per_ack(log)}
    found |= {"rate_mb_per_s": rate["megabytes_per_s"].mean()} if lost_at is None else {}
    found |= _recovery(rate, lost_at) if lost_at is not None else {}
    sampled = observed.samples(log, SAMPLE_PERIOD.seconds)
    if sampled.height:
        sampled.write_csv(out / "samples.csv")
        found |= _bursts(sampled, 0 if lost_at is None else round(LEAD.ps / SAMPLE_PERIOD.ps))
    return found


def _frames_per_ack(log: pl.DataFrame) -> float | None:
    data, acks = (
        observed.series(log, port, ("RX_FRAMES",))["RX_FRAMES"] for port in (PORT, ACK_PORT)
    )
    if data.len() < 2 or acks[-1] == acks[0]:
        return None
    return float((data[-1] - data[0]) / (acks[-1] - acks[0]))


def _recovery(rate: pl.DataFrame, lost_at: float) -> dict[str, Any]:
    before = rate.filter(rate["end_s"] <= lost_at + 1e-9)["megabytes_per_s"]
    after = rate.filter(rate["end_s"] > lost_at + 1e-9)
    # The paper's figures have a point each 0.1 s: the second after the loss is that of "100 ms".
    later = after["megabytes_per_s"].slice(1)
    found: dict[str, Any] = {
        "rate_before_mb_per_s": before.mean(),
        "rate_lowest_mb_per_s": after["megabytes_per_s"].min(),
        "recovery_s": observed.regained_s(rate, lost_at, BACK_MB_PER_S),
    }
    mean = before.mean()
    if isinstance(mean, float):
        found["regained_s"] = observed.regained_s(rate, lost_at, AS_BEFORE * mean)
    if later.len() and isinstance(mean, float) and mean:
        found["rate_after_100ms_pct"] = 100.0 * later[0] / mean
    return found


def _bursts(sampled: pl.DataFrame, first: int) -> dict[str, Any]:
    """Return how the stream goes in samples of 20 us, before and from sample `first` on."""
    period = SAMPLE_PERIOD.seconds
    found: dict[str, Any] = {
        "longest_idle_us": 1e6 * observed.longest_idle_s(sampled.slice(first), period)
    }
    for when, part in (("before_", sampled.head(first)), ("", sampled.slice(first))):
        if part.height:
            found |= {
                f"{when}{name}": value
                for name, value in observed.bursts(part, period, GAP_SAMPLES).items()
            }
    return found
