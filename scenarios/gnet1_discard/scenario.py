# SPDX-License-Identifier: Apache-2.0
"""One frame lost on a long path: when is the rate full again?

Question: what does Linux do after a single loss, with socket buffers of 2 MB and 0 to 8 ms each
way? When does it send its packets? GNET-1's paper saw Linux 2.4.20 back after 100 ms without delay,
and after about 8 s with 4 ms each way. The box's counters have the rate every 100 ms, and its
sampler has it every 20 us around the loss. Without settings the delays up to 5 ms run, each once.
docs/gnet1_discard.md says what sets the figures.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from longhaul.settings import Choice, ChoiceOrCount, Quantities, as_in, setting, with_default
from longhaul.testbeds import gnet1 as testbed
from longhaul.testbeds import gnet1_watch, linux24
from longhaul.testbeds.rows import listed, not_given
from longhaul.topology import Iperf, Scenario
from longhaul.units import Size, Time, ms, ps

QUESTION = "What does TCP do after a loss?"
REPRODUCES = "GNET-1 figures 4 to 8, Linux"

# Half of what 2 MB let be on the way fills the path up to 3.1 ms. Beyond, the window grows back by
# one segment in about five round trips (docs/gnet1_discard.md).
MORE = {
    **{delay: ("duration=1s",) for delay in ("0s", "1ms", "2ms", "3ms")},
    "4ms": ("duration=12s",),
    "5ms": ("duration=20s",),
}


@dataclass(frozen=True, kw_only=True)
class DiscardSettings(testbed.HostSettings, gnet1_watch.WatchSettings):
    """Settings of hosts, box and loss."""

    delay: Time = setting(
        Quantities(ps(0), ms(8), "ms"),
        "4ms",
        help="delay each way; congestion=hybla is Reno up to 12 ms",
        evidence="measured",
        source="GNET-1 figures 4 to 6: 0 to 8 ms",
    )
    window: Size = as_in(testbed.StreamSettings, "window")
    warmup: Time = as_in(testbed.StreamSettings, "warmup")
    duration: Time = with_default(testbed.HostSettings, "duration", "12s", source="figure 5: 10 s")
    congestion: str = with_default(
        testbed.HostSettings,
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
        testbed.HostSettings,
        "interrupt_rate",
        "8000",
        evidence="assumed",
        source="GNET-1 table 2: e1000 4.4.12, whose own text was not at hand; drivers of the time "
        "had 8000 or its dynamic mode as InterruptThrottleRate",
    )
    frames_per_ack: int = with_default(
        testbed.HostSettings,
        "frames_per_ack",
        "5",
        evidence="measured",
        source="GNET-1 section 4.3: Linux sends one ACK for 5 frames",
    )
    workload: str = setting(Choice(("iperf",)), "iperf", help="one stream", source="section 4.3")


SETTINGS = DiscardSettings
evaluate = gnet1_watch.evaluate


def cases(given: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the delays that the settings given leave open, each with time to recover in."""
    return [
        (f"delay={delay}", *not_given(given, MORE.get(delay, ())))
        for delay in listed(SETTINGS, given, "delay", MORE)
    ]


def build(settings: DiscardSettings, seed: int) -> Scenario:
    """Sender, box and receiver in a line, and what is asked of the box."""
    scenario = Scenario("gnet1_discard", seed=seed)
    sender, receiver, box = testbed.add_path(scenario, settings)
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
    gnet1_watch.watch(scenario, box, settings.duration, settings.discard_at)
    return scenario


def _ssthresh(settings: DiscardSettings) -> int | None:
    if isinstance(settings.ssthresh, int):
        return settings.ssthresh
    if settings.ssthresh == "kernel":
        return None
    return linux24.window_segments(settings.window, settings.mtu)
