# SPDX-License-Identifier: Apache-2.0
"""Connections a second that a host with an offload engine accepts.

Question: what does TCP in the adapter cost or gain a Pentium III that is asked for connections?
NEC-TOE measured the rate of connection set-up of both engines; the slides name it and print neither
curve nor figure. The measuring hosts open connections and close them at once, without data. Without
settings it runs both engines, with the engine's TCP and with the host's own.
"""

from dataclasses import dataclass
from functools import partial

from longhaul.settings import with_default
from longhaul.testbeds import nec as testbed
from longhaul.testbeds.rows import Row, left_open
from longhaul.topology import Scenario
from longhaul.units import Time

QUESTION = "What limits a host?"
REPRODUCES = "NEC-TOE connection set-up"


@dataclass(frozen=True, kw_only=True)
class ConnectionsSettings(testbed.HostSettings):
    """Settings of the hosts; `connections` are programs that open one after the other."""

    warmup: Time = with_default(
        testbed.HostSettings, "warmup", "0s", source="each connection is new; none is left out"
    )
    duration: Time = with_default(
        testbed.HostSettings, "duration", "1s", source="thousands of connections"
    )


SETTINGS = ConnectionsSettings
ROWS = [Row({"engine": engine, "toe": toe}) for engine in testbed.SYSTEMS for toe in ("on", "off")]
cases = partial(left_open, SETTINGS, ROWS)
evaluate = testbed.evaluate_connections


def build(settings: ConnectionsSettings, seed: int) -> Scenario:
    """Return the host with the engine and the measuring hosts at a switch; the host accepts."""
    scenario = Scenario("nec_connections", seed=seed)
    testbed.run_connections(scenario, settings, *testbed.add_hosts(scenario, settings))
    return scenario
