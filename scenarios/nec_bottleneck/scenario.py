# SPDX-License-Identifier: Apache-2.0
"""Sending through an offload engine behind a bottleneck.

Question: how much of a slow link do the engines use? NEC-TOE put an emulator in the path that
limits the rate and adds 10 ms. The slides say that both engines leave much of the link unused. The
parallel engine does not always cut its window after a loss; the pipeline raises its rate through
losses, and sends many packets several times. They draw the curves and print no figures. Without
settings it runs 5, 10, 20, 50 and 100 Mb/s on each engine, and the host's own TCP beside them.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from longhaul.boxes.delay_box import DelayBox
from longhaul.settings import Quantities, setting, with_default
from longhaul.testbeds import nec as testbed
from longhaul.testbeds.rows import left_open
from longhaul.topology import Scenario
from longhaul.units import Rate, Size, Time, mib, ms, ps

QUESTION = "What do delay and window leave of the rate?"
REPRODUCES = "NEC-TOE use of a bottleneck link"


@dataclass(frozen=True, kw_only=True)
class BottleneckSettings(testbed.HostSettings):
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
        testbed.HostSettings,
        "connections",
        "1",
        source="the slides judge the rate of a single connection",
    )
    duration: Time = with_default(
        testbed.HostSettings, "duration", "4s", source="hundreds of round trips of 10 ms and more"
    )
    warmup: Time = with_default(
        testbed.HostSettings, "warmup", "2s", source="slow start has met the queue by then"
    )


SETTINGS = BottleneckSettings
ROWS = testbed.rows_by("rate", ("5Mb/s", "10Mb/s", "20Mb/s", "50Mb/s", "100Mb/s"))
cases = partial(left_open, SETTINGS, ROWS)


def build(settings: BottleneckSettings, seed: int) -> Scenario:
    """Return the host with the engine behind the emulator, and the measuring hosts at a switch."""
    scenario = Scenario("nec_bottleneck", seed=seed)
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
    measured, far = testbed.add_hosts(scenario, settings, box)
    testbed.run_streams(scenario, settings, measured, far, sends=True)
    return scenario


def evaluate(settings: BottleneckSettings, raw: Path, out: Path) -> dict[str, Any]:
    """Return the testbed's figures, and the share of the link that user data took."""
    found = testbed.evaluate(settings, raw, out)
    used = 1e11 * found["toe_sent_gbps"] / settings.rate.count
    return found | {"link_used_pct": round(used, 3)}
