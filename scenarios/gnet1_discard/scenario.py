# SPDX-License-Identifier: Apache-2.0
"""One frame is discarded on a long path: how long until TCP is back at full rate?

Question: what does Linux do after a single loss, with socket buffers of 2 MB and 0 to 8 ms each
way, and what do its packets look like in time? GNET-1's paper saw Linux 2.4.20 back after 100 ms
without delay, and after about 8 s with 4 ms each way; the rate is that of the box's counters
every 100 ms, and of its sampler every 20 us around the loss.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longhaul.benches import gnet1_table1 as bench
from longhaul.gnet1 import control, observed
from longhaul.gnet1.registers import read
from longhaul.settings import Choice, Quantities, setting, with_default
from longhaul.topology import Iperf, KernelTcp, Scenario
from longhaul.units import Size, Time, mb, ms, ps, s, us

REPRODUCES = "GNET-1 figures 4 to 8, Linux"

PORT = 0  # where the data come in
BACK_MB_PER_S = 120.0  # GNET-1 section 4.3: "above 120 MB/s", headers included
RATE_PERIOD, SAMPLE_PERIOD = ms(100), us(20)
LEAD = ms(5)  # the sampler starts so long before the loss
SAMPLES = 16384  # its memory (rtl/gnet1/README.md, SampleDepthLog2)


@dataclass(frozen=True, kw_only=True)
class DiscardSettings(bench.HostSettings):
    """What can be set on hosts, box and loss."""

    delay: Time = setting(
        Quantities(ps(0), ms(8), "ms"),
        "4ms",
        help="delay each way",
        evidence="measured",
        source="GNET-1 figures 4 to 6: 0 to 8 ms",
    )
    window: Size = setting(
        Quantities(Size(65536), mb(64), "MB"),
        "2MB",
        help="socket buffers of both hosts",
        evidence="measured",
        source="GNET-1 section 4.3",
    )
    warmup: Time = setting(
        Quantities(ps(0), s(60), "s"),
        "1s",
        help="from the first user data to the measured window",
        source="slow start to 2 MB takes some ten round trips",
    )
    discard_at: Time = setting(
        Quantities(LEAD, s(60), "s"),
        "300ms",
        help="from the begin of the measured window to the frame that is discarded",
        source="the rate before it is seen for three tenths of a second",
    )
    duration: Time = with_default(bench.HostSettings, "duration", "12s", source="figure 4: 10 s")
    congestion: str = with_default(
        bench.HostSettings,
        "congestion",
        "reno",
        source="Linux 2.4.20: Reno",
    )
    workload: str = setting(Choice(("iperf",)), "iperf", help="one stream", source="section 4.3")


SETTINGS = DiscardSettings


def build(settings: DiscardSettings, seed: int) -> Scenario:
    """Sender, box and receiver in a line, and what is asked of the box."""
    scenario = Scenario("gnet1_discard", seed=seed)
    sender, receiver = bench.add_hosts(scenario, settings)
    box, near, far = bench.add_box(scenario, settings)
    scenario.link(sender.port("eth0"), box.port(near), name="sender_link", phy="1000base-x")
    scenario.link(box.port(far), receiver.port("eth0"), name="receiver_link", phy="1000base-x")
    # Linux gives a socket twice what it asks for, and lets a window grow by the most of tcp_rmem.
    most = 2 * settings.window.bytes
    memory = KernelTcp(
        rmem=(*bench.RMEM[:2], max(bench.RMEM[2], most)),
        wmem=(*bench.WMEM[:2], max(bench.WMEM[2], most)),
        initcwnd=bench.INITCWND,
    )
    scenario.run_workload(
        Iperf(
            sender=sender,
            receiver=receiver,
            duration=settings.duration,
            warmup=settings.warmup,
            window=settings.window,
            congestion=settings.congestion,
            adv_win_scale=bench.ADV_WIN_SCALE,
            kernel=memory,
        )
    )
    if settings.box == "gnet1":
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


def evaluate(settings: DiscardSettings, raw: Path, out: Path) -> dict[str, Any]:
    """Return what the box saw; its rates and samples become rate.csv and samples.csv of the run."""
    if settings.box != "gnet1":
        return {}
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
