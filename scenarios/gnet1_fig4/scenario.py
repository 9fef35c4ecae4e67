# SPDX-License-Identifier: Apache-2.0
"""GNET-1's figure 4: one frame discarded without delay, under three systems.

Question: how fast is GNET-1's ring benchmark between two dual Xeons under Solaris 9, Linux 2.4.20
and FreeBSD 5.1, and is it as fast again 0.1 s after the loss of one frame? The paper saw more than
120 MB/s under the first two, just under 100 MB/s under FreeBSD, and all back after 0.1 s.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from longhaul.benches import gnet1_modelled as bench
from longhaul.topology import Scenario

REPRODUCES = "GNET-1 figure 4"

SETTINGS = bench.LossSettings


def cases(given: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the systems that the settings given leave open."""
    return bench.systems(given)


def build(settings: bench.LossSettings, seed: int) -> Scenario:
    """Sender, box and receiver in a line, and what is asked of the box."""
    return bench.across("gnet1_fig4", settings, seed, settings.discard_at)


def evaluate(settings: bench.LossSettings, raw: Path, out: Path) -> dict[str, Any]:
    """Return what the box saw; its rates and samples become rate.csv and samples.csv of the run."""
    return bench.seen(raw, out)
