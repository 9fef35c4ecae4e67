# SPDX-License-Identifier: Apache-2.0
"""GNET-1's figure 6: seconds from a discarded frame to 120 MB/s against delay.

Question: from which delay on does the loss of one frame cost seconds, under Solaris 9 and under
Linux 2.4.20, with socket buffers of 2 MB? The paper saw Solaris begin to need long beyond 4.2 ms
each way, and some 7 s at 4.7 ms.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from longhaul.benches import gnet1_modelled as bench
from longhaul.topology import Scenario

REPRODUCES = "GNET-1 figure 6"

# Each delay of a system with time to recover in.
POINTS = {
    "solaris-9": {
        **{delay: "1s" for delay in ("0s", "2ms", "4ms", "4.2ms")},
        **{"4.3ms": "4s", "4.5ms": "8s", "4.7ms": "10s"},
    },
    "linux-2.4.20": {"0s": "1s", "1ms": "1s", "2ms": "2s", "3ms": "8s", "4ms": "12s"},
}

SETTINGS = bench.LossSettings


def cases(given: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the points that the settings given leave open."""
    rows: list[tuple[str, ...]] = []
    for system, points in POINTS.items():
        if given.get("system", system) != system:
            continue
        for delay in (given["delay"],) if "delay" in given else tuple(points):
            row = [f"system={system}", f"delay={delay}"]
            if delay in points and "duration" not in given:
                row.append(f"duration={points[delay]}")
            rows.append(tuple(row))
    return rows


def build(settings: bench.LossSettings, seed: int) -> Scenario:
    """Sender, box and receiver in a line, and what is asked of the box."""
    return bench.across("gnet1_fig6", settings, seed, settings.discard_at)


def evaluate(settings: bench.LossSettings, raw: Path, out: Path) -> dict[str, Any]:
    """Return what the box saw; its rates and samples become rate.csv and samples.csv of the run."""
    return bench.seen(raw, out)
