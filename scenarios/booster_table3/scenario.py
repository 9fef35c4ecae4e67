# SPDX-License-Identifier: Apache-2.0
"""BOOSTER's table 3: one stream across 3320 km, with and without a relay at each end of the line.

Question: what do two relays bring senders under Windows XP, Windows Vista and Linux? The paper
measured 15.5, 136 and 115 Mb/s without and 218, 922 and 935 Mb/s with them.

Those figures cannot come of the settings that the paper prints beside them (docs/booster.md): by
its own formula 0.1 % of loss leaves 226 Mb/s at most with relays and 12 without, and a window of
64 KB has 15.5 Mb/s only without the boxes' delay. So the rows lose nothing, and those without
relays have no box; --set edge_loss=0.1% --set edge_delay=1ms runs them as printed.
"""

from collections.abc import Mapping

from longhaul.benches import booster as bench
from longhaul.topology import Scenario

REPRODUCES = "BOOSTER table 3"
SETTINGS = bench.EndSettings

ROWS = tuple((system, relay) for system in bench.SYSTEMS for relay in ("off", "on"))
BOXES = {"on": {"edge_loss": "0%"}, "off": {"edge_loss": "0%", "edge_delay": "0ms"}}


def cases(given: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the rows of table 3 that the settings given leave open."""
    return [
        (
            f"system={system}",
            f"relay={relay}",
            *(f"{name}={text}" for name, text in BOXES[relay].items() if name not in given),
        )
        for system, relay in ROWS
        if given.get("system", system) == system and given.get("relay", relay) == relay
    ]


def build(settings: bench.EndSettings, seed: int) -> Scenario:
    """Sender, lossy box, relay, line, relay, lossy box and receiver in a line."""
    return bench.across("booster_table3", settings, seed)
