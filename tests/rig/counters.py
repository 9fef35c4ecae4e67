# SPDX-License-Identifier: Apache-2.0
"""A transfer between two guests, with every counter of the guests read before and after it."""

from collections.abc import Mapping
from pathlib import Path

from longhaul.parts.part import ParamValue

from rig.scenarios import Run, command, counted, net_dev, pair, script, simulate

BYTES = 20_000_000
"""What is transferred."""


def transfer(
    out: Path, *, adapter: str = "ixgb", params: Mapping[str, ParamValue] | None = None
) -> Run:
    """Run it with standard frames, captured."""
    scenario, sender, receiver = pair("counters", adapter=adapter, params=params, mtu=1500)
    text = script("counters.sh", BYTES=str(BYTES))
    serve = "iperf -s -f b & sleep 0.1; exec iperf -s -p 5002"
    return simulate(scenario, command(sender, receiver, text, serve), out, pcap=True)


def grown(run: Run, what: str) -> dict[str, int]:
    """Return by how much the counters of `ethtool` or `net-dev` grew."""
    read = counted if what == "ethtool" else net_dev
    before, after = (read(run.text(f"{what}-{when}")) for when in ("before", "after"))
    return {name: after[name] - before[name] for name in before}
