# SPDX-License-Identifier: Apache-2.0
"""One frame is discarded on a long path: how long until TCP is back at full rate?

Question: what does Linux do after a single loss, with socket buffers of 2 MB and 0 to 8 ms each
way, and what do its packets look like in time? GNET-1's paper saw Linux 2.4.20 back after 100 ms
without delay, and after about 8 s with 4 ms each way. The rate is that of the box's counters every
100 ms, and of its sampler every 20 us around the loss. Without settings it runs the delays up to
5 ms, each once; docs/gnet1_discard.md says what sets the figures.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longhaul.benches import gnet1 as bench
from longhaul.benches import linux24
from longhaul.errors import UsageError
from longhaul.gnet1 import control, observed
from longhaul.gnet1.registers import read
from longhaul.settings import Choice, ChoiceOrCount, Quantities, setting, with_default
from longhaul.topology import Iperf, Scenario
from longhaul.units import Size, Time, mb, ms, ps, s, us

REPRODUCES = "GNET-1 figures 4 to 8, Linux"

PORT = 0  # where the data come in
BACK_MB_PER_S = 120.0  # GNET-1 section 4.3: "above 120 MB/s", headers included
RATE_PERIOD, SAMPLE_PERIOD = ms(100), us(20)
LEAD = ms(5)  # the sampler starts so long before the loss
SAMPLES = 16384  # its memory (rtl/gnet1/README.md, SampleDepthLog2)
# Half of what 2 MB let be on the way fills the path up to 3.1 ms; beyond, the window grows back by
# one segment in about five round trips (docs/gnet1_discard.md).
DURATIONS = {"0s": "1s", "1ms": "1s", "2ms": "1s", "3ms": "1s", "4ms": "12s", "5ms": "20s"}


@dataclass(frozen=True, kw_only=True)
class DiscardSettings(bench.HostSettings):
    """What can be set on hosts, box and loss."""

    delay: Time = setting(
        Quantities(ps(0), ms(8), "ms"),
        "4ms",
        help="delay each way; congestion=hybla is Reno up to 12 ms",
        evidence="measured",
        source="GNET-1 figures 4 to 6: 0 to 8 ms",
    )
    window: Size = setting(
        Quantities(Size(65536), mb(64), "MB"),
        "2MB",
        help="socket buffers that both programs ask for; Linux gives twice that",
        evidence="measured",
        source="GNET-1 table 2; Solaris' half of it filled the path up to 4.2 ms: 10^6 bytes",
    )
    warmup: Time = setting(
        Quantities(ps(0), s(60), "s"),
        "1s",
        help="from the first user data to the measured window",
        source="slow start by ACKs to a thousand segments takes some forty round trips",
    )
    discard_at: Time = setting(
        Quantities(LEAD, s(60), "s"),
        "300ms",
        help="from the begin of the measured window to the frame that is discarded",
        source="the rate before it is seen for three tenths of a second",
    )
    duration: Time = with_default(bench.HostSettings, "duration", "12s", source="figure 5: 10 s")
    congestion: str = with_default(
        bench.HostSettings,
        "congestion",
        "hybla",
        evidence="datasheet",
        source="of Linux 6.1's, below 25 ms of round trip, Linux 2.4's Reno, which counts ACKs "
        "(docs/gnet1_discard.md)",
    )
    ssthresh: str | int = setting(
        ChoiceOrCount(("window", "kernel"), 2, 65535, "segments"),
        "window",
        help="slow start threshold that the connection begins with: what the receiver's window "
        "holds, or the kernel's own, which is none",
        evidence="datasheet",
        source="Linux 2.4 tcp_input.c, tcp_ack(): cwnd grows only while as much is on the way, so "
        "slow start ends at the window; Linux 6.1's goes on to twice that",
    )
    interrupt_rate: str | int = with_default(
        bench.HostSettings,
        "interrupt_rate",
        "8000",
        evidence="assumed",
        source="GNET-1 table 2: e1000 4.4.12, whose own text was not at hand; drivers of the time "
        "had 8000 or its dynamic mode as InterruptThrottleRate",
    )
    frames_per_ack: int = with_default(
        bench.HostSettings,
        "frames_per_ack",
        "5",
        evidence="measured",
        source="GNET-1 section 4.3: Linux sends one ACK for 5 frames",
    )
    workload: str = setting(Choice(("iperf",)), "iperf", help="one stream", source="section 4.3")


SETTINGS = DiscardSettings


def cases(given: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the delays that the settings given leave open, each with time to recover in."""
    rows: list[tuple[str, ...]] = []
    for delay in (given["delay"],) if "delay" in given else tuple(DURATIONS):
        row = [f"delay={delay}"]
        if delay in DURATIONS and "duration" not in given:
            row.append(f"duration={DURATIONS[delay]}")
        rows.append(tuple(row))
    return rows


def build(settings: DiscardSettings, seed: int) -> Scenario:
    """Sender, box and receiver in a line, and what is asked of the box."""
    if settings.discard_at.ps >= settings.duration.ps:
        raise UsageError(
            f"discard_at={settings.discard_at}: wants less than duration={settings.duration}"
        )
    scenario = Scenario("gnet1_discard", seed=seed)
    sender, receiver, box = bench.add_path(scenario, settings)
    scenario.run_workload(
        Iperf(
            sender=sender,
            receiver=receiver,
            duration=settings.duration,
            warmup=settings.warmup,
            window=settings.window,
            congestion=settings.congestion,
            adv_win_scale=linux24.ADV_WIN_SCALE,
            kernel=linux24.sockets_of(
                settings.window,
                _ssthresh(settings),
                small_queues=settings.sender_queue == "kernel",
            ),
        )
    )
    rate = [*control.latch(), read(f"p{PORT}.BYTES")]
    times = max(1, settings.duration.ps // RATE_PERIOD.ps)
    scenario.control(box, ps(0), rate, times=times, every=RATE_PERIOD)
    start = ps(settings.discard_at.ps - LEAD.ps)
    scenario.control(box, start, control.start_sampling(PORT, SAMPLE_PERIOD))
    scenario.control(box, settings.discard_at, control.discard(PORT))
    end = ps(start.ps + SAMPLE_PERIOD.ps * SAMPLES + ms(1).ps)
    if end.ps < settings.duration.ps:
        scenario.control(box, end, control.read_samples(0, SAMPLES))
    return scenario


def _ssthresh(settings: DiscardSettings) -> int | None:
    if isinstance(settings.ssthresh, int):
        return settings.ssthresh
    if settings.ssthresh == "kernel":
        return None
    return linux24.window_segments(settings.window, settings.mtu)


def evaluate(settings: DiscardSettings, raw: Path, out: Path) -> dict[str, Any]:
    """Return what the box saw; its rates and samples become rate.csv and samples.csv of the run."""
    log = observed.read_log(raw / "control.csv", "gnet1")
    rate = observed.rates(log, PORT)
    rate.write_csv(out / "rate.csv")
    lost_at = observed.written_s(log, f"p{PORT}.DISCARD_CTRL")
    if lost_at is None:
        return {}
    before = rate.filter(rate["end_s"] <= lost_at)["megabytes_per_s"]
    after = rate.filter(rate["end_s"] > lost_at)["megabytes_per_s"]
    found: dict[str, Any] = {
        "rate_before_mb_per_s": before.mean(),
        "rate_lowest_mb_per_s": after.min(),
        "recovery_s": observed.regained_s(rate, lost_at, BACK_MB_PER_S),
    }
    sampled = observed.samples(log, SAMPLE_PERIOD.seconds)
    if sampled.height:
        sampled.write_csv(out / "samples.csv")
        first = round(LEAD.ps / SAMPLE_PERIOD.ps)
        found["longest_idle_us"] = 1e6 * observed.longest_idle_s(
            sampled.slice(first), SAMPLE_PERIOD.seconds
        )
    return found
