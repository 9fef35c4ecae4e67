# SPDX-License-Identifier: Apache-2.0
"""One test of an adapter under its driver (`longhaul validate`).

Question: does an adapter do all that Linux and its users ask of it? The PC `own` has the adapter;
the PC `peer` has one that is known to work, at the other end of a cable.
"""

from dataclasses import dataclass

from longhaul.errors import UsageError
from longhaul.guest.software import GuestSoftware
from longhaul.settings import Choice, Text, setting
from longhaul.topology import Box, Command, Machine, Scenario, Switch, machines, nics
from longhaul.types import Type, adapters
from longhaul.units import Size, Time, ms, s
from longhaul.validation import catalog

PEERS = {"1000base-x": "e1000", "10gbase-r": "ixgb"}
"""The far end's adapter by the line; for other lines a switch is between."""
BEHIND_SWITCH = "ixgb"
PATIENCE = s(8)
"""The scripts are silent for 7 s at most: iperf's client of UDP waits for the server's report."""
# The services that the scripts need at the far end: sums of files, a shell, a file, iperf.
SERVE = (
    "nc -ll -p 7001 -e sha256sum & nc -ll -p 7002 -e /bin/dash & "
    "head -c 600000 /dev/urandom >/tmp/f; (sha256sum </tmp/f; cat /tmp/f) >/tmp/g; "
    "nc -ll -p 7003 -e cat /tmp/g & "
    "iperf -s -u -V -p 5002 & iperf -s -V -p 5003 & exec iperf -s -V"
)


@dataclass(frozen=True, kw_only=True)
class ValidationSettings:
    """The adapter and the test, and the far end."""

    adapter: str = setting(
        Text(), "ixgb", help="adapter under test, by its type's name", source="any type"
    )
    test: str = setting(
        Choice(tuple(catalog.tests())), "ping", help="the test", source="docs/validate.md"
    )
    peer_model: str = setting(
        Choice(("tlm", "rtl")),
        "tlm",
        help="model of the far end's adapter: rtl is that of a port map with its type as twin",
        source="docs/port_maps.md, An adapter as TLM or as RTL",
    )
    machine: str = setting(
        Choice(machines.names()),
        "opteron_hdama",
        help="preset of the PC under test; the clock of its bus is the adapter's",
        source="OPTERON-10G's PC",
    )


QUESTION = "Does the driver run on the RTL?"
SETTINGS = ValidationSettings


def build(settings: ValidationSettings, seed: int) -> Scenario:
    """The PC under test, the cable with what the test wants in it, and the far end."""
    test, adapter = catalog.find(settings.test), adapters.find(settings.adapter)
    if not adapter.platform and adapter.slot not in machines.SLOTS:
        raise UsageError(
            f"adapter={adapter.name}: its slot {adapter.slot!r} is none of "
            f"{', '.join(machines.SLOTS)}"
        )
    scenario = Scenario("adapter_validation", seed=seed)
    nic = nics.adapter(adapter.name, params=test.adapter_params)
    slot = machines.Changes() if adapter.platform else machines.SLOTS[adapter.slot]
    own = scenario.add(machines.from_preset(settings.machine, "own", nic=nic, **slot))
    scenario.give("own", GuestSoftware(kernel_args=test.args, kernel_config=test.kernel_config))
    peer = scenario.add(_peer(adapter, settings.peer_model))
    near = own.port("eth0")
    if test.box:
        cable = Box(name="box", type=test.box, one_way_delay=Time(0), params=dict(test.params))
        box = scenario.add(cable)
        scenario.link(near, box.port("west"), name="line", phy=adapter.phy)
        near = box.port("east")
    name = "far_line" if test.box else "line"
    if adapter.phy in PEERS:
        scenario.link(near, peer.port("eth0"), name=name, phy=adapter.phy)
    else:
        switch = scenario.add(Switch(name="switch", ports=2))
        scenario.link(near, switch.port("p0"), name=name, phy=adapter.phy)
        scenario.link(switch.port("p1"), peer.port("eth0"), name="uplink", phy="10gbase-r")
    scenario.run_workload(
        Command(
            sender=own,
            receiver=peer,
            duration=ms(1),
            window=Size(256 << 10),
            command=test.script(),
            serve=SERVE,
            patience=PATIENCE,
        )
    )
    return scenario


def _peer(adapter: Type, model: str) -> Machine:
    name = PEERS.get(adapter.phy, BEHIND_SWITCH)
    slot = machines.SLOTS[adapters.find(name).slot]
    params = {} if model == "tlm" else {"model": model}
    nic = nics.adapter(name, params=params)
    return machines.from_preset("opteron_hdama", "peer", nic=nic, **slot)
