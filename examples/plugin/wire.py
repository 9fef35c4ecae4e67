# SPDX-License-Identifier: Apache-2.0
"""Two modelled PCs with the plug-in's wire between them; the sender's TCP is the plug-in's, too.

Start: ./longhaul python examples/plugin/wire.py FILE.so [CONGESTION_CONTROL]
"""

import sys

from longhaul import api
from longhaul.topology import Box, Iperf, Scenario, System, machines, nics
from longhaul.units import Size, ms, us

PLUGIN, CONTROL = sys.argv[1], (sys.argv[2:] or ["quarter"])[0]

scenario = Scenario("wire")


def host(name: str, **tcp: str) -> machines.Machine:
    """Return an Opteron PC with an ixgb under a model of Linux 2.6.6."""
    system = System(profile="linux-2.6.6", tcp=tcp)
    return scenario.add(machines.opteron_hdama(name, nic=nics.ixgb(mtu=9000), system=system))


sender, receiver = host("sender", congestion_control=CONTROL), host("receiver")
wire = scenario.add(Box(name="wire", type="lossy_wire", one_way_delay=us(5),
                        params={"every": 500, "delay": "5us"}))  # fmt: skip
scenario.link(sender.port("eth0"), wire.port("west"), name="near")
scenario.link(wire.port("east"), receiver.port("eth0"), name="far")
window = Size.parse("2MB")
scenario.run_workload(
    Iperf(sender=sender, receiver=receiver, duration=ms(50), window=window, warmup=ms(20))
)

api.use_plugins(PLUGIN)
with api.open(scenario) as simulation:
    lost = simulation.probe("wire.lost")
    measured = simulation.finish().measured
    print(f"{CONTROL}: {measured['goodput_gbps']:.2f} Gb/s, {lost.value} frames lost")
