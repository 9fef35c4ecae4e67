# SPDX-License-Identifier: Apache-2.0
"""GBE-TUNING: its machines, its scenarios with their published figures, and its workloads."""

import pytest
from longhaul import registry, schema
from longhaul.errors import UsageError
from longhaul.published.reference import lookup
from longhaul.topology import (
    SMB_HEADERS,
    Machine,
    NetperfStream,
    Scenario,
    Smb,
    Switch,
    System,
    Workload,
    machines,
    nics,
)
from longhaul.units import Size, s
from support.topology import config_for

FIGURES = {"gbe_window": 3, "gbe_winsock": 5, "gbe_jumbo": 3, "gbe_smb": 4}
EVIDENCE = ("measured", "datasheet", "standard", "printed", "assumed", "fitted", "chosen")


def two(system: System | None) -> tuple[Scenario, Machine, Machine]:
    """Two hosts on a cable."""
    scenario = Scenario("test")
    server = scenario.add(machines.dl380_g2("a", nic=nics.e1000(), system=system))
    station = scenario.add(machines.express5800_56wg("b", nic=nics.e1000(), system=system))
    scenario.link(server.port("eth0"), station.port("eth0"), phy="1000base-t")
    return scenario, server, station


def programs(workload: Workload, scenario: Scenario) -> list[schema.Program]:
    scenario.run_workload(workload)
    return [each.host.programs[0] for each in config_for(scenario).machines if each.host]


@pytest.mark.parametrize("name", machines.PRESETS)
def test_every_value_of_a_machine_says_how_it_is_known(name: str) -> None:
    values = machines.preset(name)
    assert {"cpu.clock", "memory.size", "pcix.clock"} <= set(values)
    for key, value in values.items():
        assert value.evidence in EVIDENCE, key
        assert value.source, key


def test_a_machine_of_conventional_pci_has_its_bus() -> None:
    nic = nics.e1000()
    assert machines.dl380_g2("x", nic=nic).pcix.protocol == "pci"
    toe = machines.piii_933("x", nic=nic)
    assert (toe.pcix.protocol, toe.pcix.width_bits) == ("pci", 32)
    scenario, *_ = two(System(profile="windows-2000"))
    scenario.add(toe)
    scenario.run_workload(
        NetperfStream(
            sender=_machine(scenario, "a"), receiver=_machine(scenario, "b"), duration=s(1)
        )
    )
    bus = {each.name: each.pcix.model_extra for each in config_for(scenario).machines}
    assert bus["a"] == {"protocol": "pci"}
    assert bus["x"] == {"protocol": "pci", "width_bits": 32}


def _machine(scenario: Scenario, name: str) -> Machine:
    found = scenario.parts[name]
    assert isinstance(found, Machine)
    return found


def test_netperf_asks_for_the_window_at_both_ends_or_for_none() -> None:
    scenario, near, far = two(System(profile="windows-2000"))
    run = NetperfStream(sender=near, receiver=far, duration=s(1), window=Size(65536))
    client, server = programs(run, scenario)
    assert client.type == "netperf_stream"
    sent = {"window": "64KiB", "peer": "10.10.0.2", "duration": "1s", "streams": 1}
    assert client.params == sent
    assert server == schema.Program(
        type="netserver_stream", params={"window": "64KiB", "streams": 1}
    )
    scenario, near, far = two(System(profile="windows-2000"))
    client, server = programs(NetperfStream(sender=near, receiver=far, duration=s(1)), scenario)
    assert "window" not in client.params
    assert "window" not in server.params


def test_the_reader_of_a_file_asks_and_its_server_is_the_sender() -> None:
    scenario, near, far = two(System(profile="windows-2000"))
    block = Size(61440) + SMB_HEADERS
    run = Smb(sender=far, receiver=near, duration=s(1), response=block, outstanding=2, endless=True)
    reader, server = programs(run, scenario)
    assert (reader.type, server.type) == ("smb_client", "smb_server")
    assert reader.params["peer"] == "10.10.0.2"
    assert reader.params["outstanding"] == 2
    assert reader.params["duration"] == "0s"
    assert reader.params["response"] == server.params["response"] == f"{61440 + 63}B"


def test_a_real_guest_has_no_netperf() -> None:
    scenario, near, far = two(None)
    scenario.run_workload(NetperfStream(sender=near, receiver=far, duration=s(1)))
    with pytest.raises(UsageError) as caught:
        scenario.guest_settings()
    assert str(caught.value) == "workload netperf_stream runs on modelled hosts only"


@pytest.mark.parametrize("name", FIGURES)
def test_every_case_has_its_published_figures_and_a_topology(name: str) -> None:
    entry = registry.find(name)
    cases = entry.cases([])
    assert len(cases) == FIGURES[name]
    for case in cases:
        settings = entry.parse_case([], case)
        row = entry.references.match(settings)
        assert row, case
        assert row.reference
        scenario = entry.build(settings, seed=1)
        assert isinstance(scenario.parts["fxg08te"], Switch)
        sim = config_for(scenario)
        assert {each.host.system for each in sim.machines if each.host} <= {
            "windows-2000",
            "windows-xp",
        }


def test_the_default_of_winsock_is_asked_for_by_nobody() -> None:
    entry = registry.find("gbe_winsock")
    for text, asked in (("8KiB", None), ("16KiB", "16KiB")):
        sim = config_for(entry.build(entry.parse([f"buffer={text}"]), seed=1))
        for each in sim.machines:
            assert each.host
            assert each.host.programs[0].params.get("window") == asked


def test_the_registrys_window_stands_as_it_is() -> None:
    entry = registry.find("gbe_smb")
    sim = config_for(entry.build(entry.parse(["window=4380B"]), seed=1))
    for each in sim.machines:
        assert each.host
        assert each.host.net["receive_buffer"] == str(Size(4380))
        assert each.host.net["window_segments"] == 1
        assert each.host.interfaces[0].mtu == 9000


def test_dotted_references_are_found() -> None:
    measured = {"guest": {"sender": {"tcp": {"snd_wnd_bytes": 17520.0}}}}
    assert lookup(measured, "guest.sender.tcp.snd_wnd_bytes") == 17520
